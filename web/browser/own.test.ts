// Agents of the server's owner: what they print, how they fail, the test of their files, large boards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { faults } from "./axe";
import { anotherTab, board, choose, launch, legal, moves, ready, SIZES, UNHEARD, until, visit } from "./browser";
import { program, Served } from "./program";

launch();

const desktop = SIZES[1];

/** What the browser itself says when an agent has failed. */
const FAILED = /^Failed to load resource: the server responded with a status of 424/;

/** Begins a game as Black against `agent`, on a board of this size. */
async function begin(page: Page, agent: string, size = 8): Promise<void> {
  await page.getByRole("button", { name: "New game" }).click();
  const dialog = page.getByRole("dialog", { name: "New game" });
  await dialog.getByLabel("White", { exact: true }).selectOption(agent);
  await dialog.getByRole("radio", { name: `${size}×${size}` }).check();
  await dialog.getByRole("button", { name: "Begin" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.waitForFunction((cells) => document.querySelectorAll("[role=gridcell]").length === cells, size * size);
}

/** Makes a move, and waits until the agent has answered it. Each window plays a game of its own: an agent may be kept for the same one. */
async function move(page: Page, window: (typeof SIZES)[number]): Promise<void> {
  const count = await page.locator(".moves [data-node]").count();
  await choose(window, legal(page).nth(window.name === "phone" ? 0 : 1));
  await page.waitForFunction((before) => document.querySelectorAll(".moves [data-node]").length >= before + 2 || document.querySelector(".failure h3"), count);
}

describe.each(SIZES)("on a $name", (size) => {
  it("shows what an agent prints with each move, as text, and how long it took", async () => {
    const { page, end } = await visit(size);
    await begin(page, "chatty");
    const own = page.locator(".card.own");
    await own.getByRole("heading", { name: "Output of chatty" }).waitFor();
    await move(page, size);
    await own.getByText("5 discs:").waitFor();
    await move(page, size);
    await own.getByText("7 discs:").waitFor();
    // What it prints is shown as it is: no part of it becomes an element.
    expect(await own.locator("pre").first().textContent()).toContain("<b onclick=alert(1)>&amp;</b>");
    expect(await own.locator("pre b").count()).toBe(0);
    expect(await own.locator(".time").allTextContents()).toEqual([expect.stringMatching(/^\d+\.\d\d\d? s$/), expect.stringMatching(/^\d+\.\d\d\d? s$/)]);
    await own.getByText(/^2 moves in \d/).waitFor();
    // The last move is open, those before are folded up.
    expect(await own.locator("details[open]").count()).toBe(1);
    await own.locator("summary").last().click();
    expect(await own.locator("details[open]").count()).toBe(2);
    expect(await faults(page)).toEqual([]);
    // All of it is there again after a reload, and in another tab, which hears of the next move too.
    const before = [await own.locator("pre").allTextContents(), await own.locator(".time").allTextContents()];
    await page.reload();
    await own.getByText(/^2 moves in \d/).waitFor();
    expect([await own.locator("pre").allTextContents(), await own.locator(".time").allTextContents()]).toEqual(before);
    const tab = await anotherTab(page, page.url());
    await tab.locator(".own").getByText("7 discs:").waitFor();
    await move(page, size);
    await tab.locator(".own").getByText("9 discs:").waitFor();
    await end(UNHEARD);
  });

  it("shows the traceback of an agent that fails, with the move, and asks it again", async () => {
    const { page, end } = await visit(size);
    await begin(page, "faulty");
    for (let moves = 0; moves < 3; moves += 1) await move(page, size);
    const failure = page.locator(".failure");
    await failure.getByRole("heading", { name: "faulty failed at move 6" }).waitFor();
    const words = await failure.locator("pre").textContent();
    expect(words).toContain("Traceback (most recent call last)");
    expect(words).toContain("ValueError: no idea what to do");
    expect(await faults(page)).toEqual([]);
    // Asked again it is started anew, and counts its moves from one.
    await failure.getByRole("button", { name: "Ask again" }).click();
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 6);
    await failure.waitFor({ state: "hidden" });
    await end(FAILED);
  });

  it("plays an agent on a large board", async () => {
    const { page, end } = await visit(size);
    await begin(page, "chatty", 16);
    expect(await board(page).getByRole("gridcell").count()).toBe(256);
    expect((await page.locator(".letters span").allTextContents()).at(-1)).toBe("p");
    expect((await page.locator(".numbers span").allTextContents()).at(-1)).toBe("16");
    await move(page, size);
    await page.locator(".own").getByText("5 discs:").waitFor();
    const played = await page.locator(".moves [data-node]").first().textContent();
    // It is found again after a reload, and can be looked at move by move.
    await page.reload();
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    expect(await page.locator(".moves [data-node]").first().textContent()).toBe(played);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    // The server has it as any other: two tabs play it, and My games finds it.
    const tab = await anotherTab(page, page.url());
    await move(page, size);
    await until(tab, () => document.querySelectorAll(".moves [data-node]").length === 4);
    const whole = await moves(page);
    expect(await moves(tab)).toEqual(whole);
    await tab.goto(`${inject("url")}#/games`);
    const row = tab.locator(".game-row").filter({ hasText: "16×16" }).first();
    await row.click();
    await until(tab, () => document.querySelectorAll(".moves [data-node]").length === 4);
    expect(await moves(tab)).toEqual(whole);
    const listed = (await (await fetch(new URL("/api/games?size=16", inject("url")))).json()) as { games: { id: string; ply: number }[] };
    expect(listed.games.some(({ ply }) => ply === 4)).toBe(true);
    await end(UNHEARD);
  });
});

describe("engines that speak a protocol", () => {
  const data = mkdtempSync(join(tmpdir(), "isrever-engines-"));
  let server: Served;
  beforeAll(async () => {
    const engines = ["nboard", "gtp"].flatMap((protocol) => ["--agent", `by-${protocol}=${protocol}:${program()} ${protocol} --level 2`]);
    server = await Served.start(data, 0, ...engines);
  });
  afterAll(async () => {
    await server.end();
    rmSync(data, { recursive: true, force: true });
  });

  it.each(["nboard", "gtp"])("play a whole game by %s, and tell how long they take", async (protocol) => {
    const name = `by-${protocol}`;
    const { page, end } = await visit(desktop, "play", { url: server.url });
    await begin(page, name, 6);
    for (;;) {
      await until(page, () => document.querySelector(".square.legal, .notice:not([hidden]), .failure h3") !== null);
      expect(await page.locator(".failure h3").count()).toBe(0);
      if (await page.locator(".notice:not([hidden])").isVisible()) break;
      const count = await page.locator(".moves [data-node]").count();
      await legal(page).first().click();
      await page.waitForFunction((before) => document.querySelectorAll(".moves [data-node]").length > before, count);
    }
    const own = page.locator(".card.own");
    await own.getByRole("heading", { name: `Output of ${name}` }).waitFor();
    // Every second move at least is the engine's, and each has its time.
    const times = await own.locator(".time").allTextContents();
    expect(times.length).toBeGreaterThan(10);
    for (const time of times) expect(time).toMatch(/^\d+\.\d\d\d? s$/);
    expect(await faults(page)).toEqual([]);
    // The server has the whole game, with the engine's name.
    const { games } = (await (await fetch(new URL("/api/games?size=6&state=finished&limit=1", server.url))).json()) as { games: { white: { name: string } }[] };
    expect(games[0]!.white.name).toBe(name);
    // A check is for Python files.
    expect(await own.getByRole("button", { name: "Check" }).count()).toBe(0);
    await end();
  });

  it("play each other while somebody watches", async () => {
    const { page, end } = await visit(desktop, "watch", { url: server.url });
    await page.getByRole("radio", { name: "4×4" }).check();
    await page.getByRole("radio", { name: "Fast" }).check();
    await page.getByLabel("Black", { exact: true }).selectOption("by-nboard");
    await page.getByLabel("White", { exact: true }).selectOption("by-gtp");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("button", { name: "Analyse the game" }).click();
    await page.locator(".moves [data-node]").first().waitFor();
    await page.locator(".score .status", { hasText: /wins by|draw/ }).waitFor();
    expect(await page.locator(".seat .name").allTextContents()).toEqual(["by-nboard", "by-gtp"]);
    await end();
  });
});

describe("a game on a large board", () => {
  it("is there again after a restart of the server, which has it too, with all that the agent told", async () => {
    const data = mkdtempSync(join(tmpdir(), "isrever-large-"));
    const agents = ["--agent", `chatty=python:${resolve("browser/agents/chatty.py")},time=60s,sandbox=weak`];
    let server = await Served.start(data, 0, ...agents);
    const { url } = server;
    try {
      const { page, end } = await visit(desktop, "play", { url });
      await begin(page, "chatty", 12);
      await move(page, desktop);
      await page.locator(".own").getByText("5 discs:").waitFor();
      const before = await moves(page);
      await until(page, () => Object.keys(localStorage).some((key) => key.startsWith("isrever.game.") && (JSON.parse(localStorage[key]!) as { saved: { moves: string[] } | null }).saved?.moves.length === 2));
      await server.end("SIGKILL");
      server = await Served.start(data, server.port, ...agents);
      await page.reload();
      await ready(page);
      await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
      expect(await moves(page)).toEqual(before);
      await page.locator(".own").getByText("5 discs:").waitFor();
      await move(page, desktop);
      // Another device takes it up by the link.
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Link for your other device" }).click();
      const link = await page.getByRole("textbox", { name: "Link for your other device" }).inputValue();
      const away = await visit(SIZES[0], "play", { url });
      await away.page.goto(link);
      await until(away.page, () => document.querySelectorAll(".moves [data-node]").length === 4);
      await away.page.locator(".own").getByText("7 discs:").waitFor();
      await away.end();
      await end(/Failed to load resource|ERR_/);
    } finally {
      await server.end();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

describe("the test of a file", () => {
  it("lists its cases, the failed ones with their boards", async () => {
    const { page, end } = await visit(desktop);
    await begin(page, "faulty", 6);
    await page.locator(".own").getByRole("button", { name: "Check" }).click();
    const dialog = page.getByRole("dialog", { name: "Check of faulty on 6×6" });
    await dialog.getByText(/^\d+ of \d+ cases passed\./).waitFor();
    const corner = dialog.locator('[data-case="corner"]');
    expect(await corner.getAttribute("data-passed")).toBe("false");
    await corner.getByText("White to move, expected (rings): a1").waitFor();
    await corner.getByText("Came: an empty list").waitFor();
    await corner.getByText("Missing: a1").waitFor();
    await corner.getByRole("img", { name: "The board of the case corner" }).waitFor();
    expect(await corner.locator("circle.black, circle.white").count()).toBe(2);
    expect(await dialog.locator('[data-passed="true"]').count()).toBeGreaterThan(5);
    expect(await faults(page)).toEqual([]);
    await end();
  });

  it("is offered for files of the owner alone, and ends with its dialog", async () => {
    const { page, end } = await visit(desktop, "watch");
    expect(await page.locator(".card.own").isVisible()).toBe(false);
    await page.getByLabel("Black", { exact: true }).selectOption("chatty");
    await page.locator(".own").getByRole("button", { name: "Check" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.locator(".cases li").first().waitFor();
    await dialog.getByRole("button", { name: "Close" }).first().click();
    // Another one may begin as soon as the first has noticed.
    await page.locator(".own").getByRole("button", { name: "Check" }).click();
    await page.getByRole("dialog").locator(".cases li").first().waitFor();
    await end(/status of 503/);
  });
});

describe("watching", () => {
  it("shows what both print, is paused, goes on move by move and then by itself", async () => {
    const { page, end } = await visit(desktop, "watch");
    await page.getByRole("radio", { name: "4×4" }).check();
    await page.getByLabel("Black", { exact: true }).selectOption("chatty");
    await page.getByRole("radio", { name: "Slow" }).check();
    await page.getByRole("button", { name: "Start" }).click();
    await until(page, () => document.querySelectorAll(".log li").length > 0);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".score").getByText("Paused").waitFor();
    const count = await page.locator(".log li").count();
    await page.locator(".own").getByText("4 discs:").waitFor();
    await page.getByRole("button", { name: "One move" }).click();
    await page.waitForFunction((before) => document.querySelectorAll(".log li").length > before, count);
    await page.getByRole("radio", { name: "Fast" }).check();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("button", { name: "Analyse the game" }).waitFor();
    const moves = (await page.locator(".log li b").allTextContents()).filter((text) => text !== "–");
    expect(new Set(moves).size).toBe(moves.length);
    expect(moves.length).toBeGreaterThan(6);
    await end();
  });
});
