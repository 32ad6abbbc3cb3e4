// A club of its own for tests of the battle platform, and people who use it without a browser.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Battles, Final, GameRecord, LiveGame, Role, Version, Visitor } from "../src/api/club";
import { Served } from "./program";

/** Everybody's password. */
export const PASSWORD = "correct horse battery";

/** Agents of the course's form: one that plays well enough to pass, one whose list has a wrong square. */
export const PASSES = readFileSync("browser/agents/chatty.py", "utf8");
export const FAILS = PASSES.replace("self.candidate_list.extend(legal)", "self.candidate_list.extend([(0, 0)] + legal)");

/** Agents that play differently. */
export const DIFFERENT = [PASSES, PASSES.replace("extend(legal)", "extend(legal[::-1])"), PASSES.replace("extend(legal)", "extend(legal[1:] + legal[:1])")];

/** Terms of games that are over soon. */
export const QUICK = { rule: "reversed", size: 6, move_ms: 1000, game_ms: 60_000, memory_mib: 400 };

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

  /** Logs a browser in as this person. */
  async enter(page: Page): Promise<void> {
    const [name, value] = this.cookie.split("=") as [string, string];
    await page.context().addCookies([{ name, value, url: this.url }]);
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

  /** Plays a final to its end. */
  async final(name: string): Promise<Final> {
    return this.over(await this.boss.ask<Final>("POST", "finals", { name, pairs: 1 }));
  }

  /** Waits until a final is over. */
  over({ id }: Final): Promise<Final> {
    return until(async () => {
      const { final } = await this.boss.ask<{ final: Final }>("GET", `finals/${id}`);
      return final.state === "over" ? final : null;
    });
  }

  /** The played games of a final. */
  async games({ id }: Final): Promise<number[]> {
    const { battles } = await this.boss.ask<Battles>("GET", `battles?of_final=${id}`);
    return battles.flatMap((battle) => battle.games.filter(({ state }) => state === "played").map((game) => game.id));
  }

  /** A game of a final whose review names the move that lost it. */
  async lost(final: Final): Promise<GameRecord> {
    for (const game of await this.games(final)) {
      const record = await until(async () => {
        const found = await this.boss.ask<GameRecord>("GET", `games/${game}`);
        return found.reviewed ? found : null;
      });
      if (record.losing_move !== null) return record;
    }
    throw new Error("no game was lost by a move");
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

/** Has a page see a game as it was when it had so many moves; as it is, once the number is null. */
export async function playAgain(page: Page, record: GameRecord, count: () => number | null): Promise<void> {
  const waiting: GameRecord = { ...record, state: "waiting", start: null, moves: [], boards: [], score_black: null, end: null, losing_move: null, reviewed: false, black_output: null, white_output: null, ended: null };
  const live = (moves: number): LiveGame => ({
    game: record.id,
    battle: record.battle,
    place: record.place,
    moves: record.moves.slice(0, moves).map(({ move }) => move).join(""),
    board: record.boards[moves]!,
    turn: record.moves[moves]!.color,
    clocks: [1000, 2000],
    updated: String(moves),
  });
  await page.route(`**/api/club/games/${record.id}`, (route) => route.fulfill({ json: count() === null ? record : waiting }));
  await page.route("**/api/club/live", (route) => {
    const moves = count();
    return route.fulfill({ json: { games: moves === null ? [] : [live(moves)] } });
  });
}

/** Whether a page is wider than its window. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
}
