// The battle platform's client: what changes bring along, and what it makes of servers without a club.
import { describe, expect, it } from "vitest";
import { Client, Refusal } from "../src/api/client";
import { ClubClient, fileAddress } from "../src/api/club";

interface Asked {
  path: string;
  init: RequestInit;
}

const json = (body: unknown, status = 200): Response => new Response(JSON.stringify(body), { status, headers: [429, 503].includes(status) ? { "Retry-After": "1" } : {} });
const refused = (code: string, status: number): Response => json({ error: { code, message: `no: ${code}`, field: null } }, status);
const visitor = { account: { id: 2, name: "ada", section: "A", role: "member" }, form: "FORM" };

/** A club whose server gives these answers one after another, and what it was asked. */
function scripted(...answers: Response[]): { club: ClubClient; asked: Asked[]; waited: number[] } {
  const asked: Asked[] = [];
  const waited: number[] = [];
  const client = new Client(
    async (path, init = {}) => {
      asked.push({ path, init });
      return answers.shift() ?? refused("asked-too-often", 500);
    },
    async (seconds) => void waited.push(seconds),
  );
  return { club: new ClubClient(client), asked, waited };
}

const header = ({ init }: Asked, name: string): string | undefined => (init.headers as Record<string, string>)[name];

describe("the club's client", () => {
  it("takes a server without a club for what it is", async () => {
    expect(await scripted(refused("not-found", 404)).club.show()).toBeNull();
    await expect(scripted(refused("internal", 500)).club.show()).rejects.toThrow(Refusal);
  });

  it("brings the session's code with every change, and with nothing after the log-out", async () => {
    const { club, asked } = scripted(json(visitor), json({ battles: [], next: null }), json({}), new Response(null, { status: 204 }), json(visitor));
    await club.logIn("ada", "secret");
    await club.battles({ account: 2, kind: null });
    await club.changeVersion(7, { active: true });
    await club.logOut();
    await club.logIn("ada", "secret");
    expect(asked.map(({ path, init }) => `${init.method} ${path}`)).toEqual(["POST /api/club/session", "GET /api/club/battles?account=2", "PUT /api/club/versions/7", "DELETE /api/club/session", "POST /api/club/session"]);
    expect(asked.map((each) => header(each, "X-Form-Code"))).toEqual([undefined, undefined, "FORM", "FORM", undefined]);
  });

  it("asks once for what was done too often, and again for what is only read", async () => {
    const change = scripted(refused("too-many", 429));
    await expect(change.club.challenge(7, { agent: "random" })).rejects.toMatchObject({ code: "too-many" });
    expect(change.waited).toEqual([]);
    const read = scripted(refused("busy", 503), json({ games: [] }));
    expect(await read.club.live()).toEqual([]);
    expect(read.waited).toEqual([1]);
  });

  it("sends a file as it is, under its name", async () => {
    const { club, asked } = scripted(json({ id: 7 }, 201));
    const file = new File(["print()"], "my ai & co.py");
    await club.submit(file);
    expect(asked[0]!.path).toBe("/api/club/versions?file=my+ai+%26+co.py");
    expect(asked[0]!.init.body).toBe(file);
    expect(header(asked[0]!, "Content-Type")).toBe("application/octet-stream");
  });

  it("keeps codes and labels from being other addresses", async () => {
    const { club, asked } = scripted(json({ name: null }), new Response(null, { status: 204 }));
    await club.invitation("../session");
    await club.removeToken("a/b?c");
    expect(asked.map(({ path }) => path)).toEqual(["/api/club/invitations/..%2Fsession", "/api/club/tokens/a%2Fb%3Fc"]);
    expect(fileAddress("versions/7/source")).toBe("./api/club/versions/7/source");
  });
});
