// A club of its own for tests of the battle platform, and people who use it without a browser.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Role, Version, Visitor } from "../src/api/club";
import { Served } from "./program";

/** Everybody's password. */
export const PASSWORD = "correct horse battery";

/** Agents of the course's form: one that plays well enough to pass, one whose list has a wrong square. */
export const PASSES = readFileSync("browser/agents/chatty.py", "utf8");
export const FAILS = PASSES.replace("self.candidate_list.extend(legal)", "self.candidate_list.extend([(0, 0)] + legal)");

/** Somebody who asks the server without a browser. */
export class Person {
  private cookie = "";
  private form = "";

  private constructor(private readonly url: string) {}

  /** Accepts an invitation. */
  static async join(url: string, code: string, name: string): Promise<Person> {
    const person = new Person(url);
    const { form } = await person.ask<Visitor>("POST", `invitations/${code}`, { name, password: PASSWORD });
    person.form = form ?? "";
    return person;
  }

  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isText = typeof body === "string";
    const response = await fetch(new URL(`/api/club/${path}`, this.url), {
      method,
      headers: { Cookie: this.cookie, "X-Form-Code": this.form, ...(body === undefined ? {} : { "Content-Type": isText ? "application/octet-stream" : "application/json" }) },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.cookie = cookie.split(";")[0]!;
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  }

  /** Submits an agent, and waits until it has been checked; `seconds` is how long the judges' exercise takes here. */
  async submit(source: string, file = "my_ai.py", seconds: number | null = null): Promise<Version> {
    const { id } = await this.ask<Version>("POST", `versions?file=${encodeURIComponent(file)}${seconds === null ? "" : `&seconds=${seconds}`}`, source);
    return until(async () => {
      const version = await this.ask<Version>("GET", `versions/${id}`);
      return version.state === "waiting" ? null : version;
    });
  }
}

/** Asks again and again until there is an answer. */
export async function until<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** A server with a club, one judge and an administrator. */
export class TestClub {
  private constructor(
    readonly url: string,
    /** The administrator. */
    readonly boss: Person,
    private readonly server: Served,
    private readonly folder: string,
  ) {}

  static async start(): Promise<TestClub> {
    const folder = mkdtempSync(join(tmpdir(), "isrever-club-"));
    const server = await Served.start(join(folder, "games"), 0, "--club", join(folder, "club"), "--judges", "1");
    return new TestClub(server.url, await Person.join(server.url, server.invitation!.split("/").at(-1)!, "prof"), server, folder);
  }

  /** The code of a new invitation. */
  async invite(role: Role = "member", section = "A", uses = 1): Promise<string> {
    return (await this.boss.ask<{ code: string }>("POST", "invitations", { role, section, uses })).code;
  }

  async member(name: string, section = "A"): Promise<Person> {
    return Person.join(this.url, await this.invite("member", section), name);
  }

  async end(): Promise<void> {
    await this.server.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Logs in at a page of a club that shows the log-in. */
export async function logIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Whether a page is wider than its window. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
}
