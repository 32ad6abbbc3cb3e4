// Games between two pages with everything that goes wrong: drops of the network, reloads, take-backs,
// a server that is killed. After every move both pages must have what the server has.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as folder } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { ready, type Size, SIZES, visit } from "./browser";
import { idOf, invite, join, saved, shows } from "./friends";
import { Served } from "./program";

/** What happened in all games. */
export interface Soaked {
  games: number;
  moves: number;
  drops: number;
  reloads: number;
  kills: number;
  takeBacks: number;
  draws: number;
  resigned: number;
}

/** Games in a row by rematches, before the next invitation. */
const ROW = 5;

/** The board of each row; larger boards take longer. */
const BOARDS = [4, 6, 4, 4, 8, 4, 6, 4, 4, 4] as const;

/** Random numbers below `n` from a seed (mulberry32). */
function random(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

/** Plays so many games; throws if the two sides or the server ever disagree for good. */
export async function soak(games: number, seed: number, tell: (line: string) => void = () => undefined): Promise<Soaked> {
  const pick = random(seed);
  const data = mkdtempSync(folder(tmpdir(), "isrever-soak-"));
  let server = await Served.start(data);
  const { url } = server;
  const [phone, desktop]: readonly Size[] = SIZES;
  const visits = [await visit(desktop!, "play", { url }), await visit(phone!, "play", { url })];
  const [host, guest] = visits.map(({ page }) => page) as [Page, Page];
  const counts: Soaked = { games: 0, moves: 0, drops: 0, reloads: 0, kills: 0, takeBacks: 0, draws: 0, resigned: 0 };
  /** Who plays Black. */
  let black = host;

  /** The server dies without a word and comes back at the same place. */
  const kill = async (): Promise<void> => {
    counts.kills += 1;
    await server.end("SIGKILL");
    server = await Served.start(data, server.port);
  };
  const reload = async (page: Page): Promise<void> => {
    counts.reloads += 1;
    await page.reload();
    await ready(page);
  };
  const agree = async (id: string): Promise<string[]> => {
    const { moves = [] } = await saved(url, id);
    await Promise.all([shows(host, moves), shows(guest, moves)]);
    return moves;
  };

  /** One move of the side to move, with whatever happens meanwhile. */
  const step = async (id: string): Promise<void> => {
    const { position, moves = [] } = await saved(url, id);
    const mover = position.endsWith("X") === (black === host) ? host : guest;
    const other = mover === host ? guest : host;
    const squares = mover.locator(".square.legal");
    await squares.first().waitFor();
    const chance = pick(100);
    const dropped = chance < 6 ? mover : chance < 12 ? other : null;
    if (dropped) {
      counts.drops += 1;
      await dropped.context().setOffline(true);
    } else if (chance < 18) await reload(pick(2) === 0 ? mover : other);
    await squares.first().waitFor();
    await squares.nth(pick(await squares.count())).click();
    if (chance >= 18 && chance < 22) await kill();
    await dropped?.context().setOffline(false);
    if (chance >= 22 && chance < 26) await reload(mover);
    // Whatever happened: the move arrives, or the person at the page may make it again.
    for (;;) {
      const now = await saved(url, id);
      if (now.revision > 0 && (now.moves ?? []).length > moves.length) break;
      const isAsked = await mover.evaluate(() => document.querySelector(".square.legal") !== null);
      if (isAsked && chance >= 22 && chance < 26) await squares.first().click();
      await new Promise((done) => setTimeout(done, 20));
    }
    counts.moves += 1;
    await agree(id);
    if (chance >= 26 && chance < 34) await takeBack(id, mover, other);
  };

  const takeBack = async (id: string, asking: Page, answering: Page): Promise<void> => {
    const { state } = await saved(url, id);
    if (state !== "running") return;
    counts.takeBacks += 1;
    await asking.locator('[aria-label="Ask to take back"][aria-disabled="false"]').click();
    const answer = pick(3) === 0 ? "Decline" : "Accept";
    await answering.locator(".notice").getByRole("button", { name: answer }).click();
    // Answered on both screens.
    for (const page of [asking, answering]) await page.waitForFunction(() => document.querySelector<HTMLElement>(".notice")!.hidden);
    await agree(id);
  };

  /** Ends a game early now and then. */
  const endEarly = async (): Promise<boolean> => {
    const chance = pick(120);
    if (chance === 0) {
      counts.resigned += 1;
      await host.locator('[aria-label="Resign"][aria-disabled="false"]').click();
      await host.getByRole("dialog", { name: "Resign" }).getByRole("button", { name: "Resign" }).click();
    } else if (chance === 1) {
      counts.draws += 1;
      await guest.locator('[aria-label="Offer a draw"][aria-disabled="false"]').click();
      await host.locator(".notice").getByRole("button", { name: "Accept" }).click();
    } else return false;
    return true;
  };

  try {
    for (let number = 0; number < games; number += 1) {
      if (number % ROW === 0) {
        await host.goto(`${url}#/play`);
        black = host;
        const link = await invite(host, { size: BOARDS[(number / ROW) % BOARDS.length]! });
        await join(guest, link);
      } else {
        const before = idOf(host);
        await host.getByRole("button", { name: /^Rematch as/ }).click();
        await guest.locator(".notice").getByRole("button", { name: "Accept" }).click();
        for (const page of [host, guest]) await page.waitForFunction((id) => !location.hash.includes(id), before);
        black = black === host ? guest : host;
        await host.waitForFunction(() => document.querySelectorAll(".moves [data-node]").length === 0);
      }
      const id = idOf(host);
      expect(idOf(guest)).toBe(id);
      while ((await saved(url, id)).state === "running") {
        await step(id);
        if ((await saved(url, id)).state === "running") await endEarly();
        if (pick(40) === 0) await kill();
        await agree(id);
      }
      for (const page of [host, guest]) await page.locator(".notice h2").waitFor();
      counts.games += 1;
      const { moves, end } = await saved(url, id);
      tell(`game ${number + 1}: ${moves!.length} moves, ${end!.reason}; ${JSON.stringify(counts)}`);
    }
  } finally {
    for (const { end } of visits) await end(/Failed to load resource|ERR_|Failed to fetch/);
    await server.end();
    rmSync(data, { recursive: true, force: true });
  }
  return counts;
}
