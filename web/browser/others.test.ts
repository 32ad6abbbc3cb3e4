// The other screens: watching, learning, puzzles, tournaments, saved games; and comfort: languages,
// themes, and what people who cannot see or use a mouse need.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { AGAIN_MS } from "../src/game/health";
import { LESSONS } from "../src/game/lessons";
import { faults } from "./axe";
import { choose, launch, legal, SIZES, square, until, visit } from "./browser";

launch();

const desktop = SIZES[1];

/** Every screen. */
const ROUTES = ["play", "analyse/r8/f5d6c3", "setup", "watch", "compare", "compare/1", "learn", "puzzles", "games", "explore/r8/f5d6"];

/** Goes to a screen, and waits for what it shows last. */
async function go(page: Page, route: string): Promise<void> {
  await page.goto(`${inject("url")}#/${route}`);
  await page.locator(`nav [data-route][aria-current], .setup`).first().waitFor();
  if (route.startsWith("analyse")) await page.locator(".chip.best").first().waitFor();
  if (route.startsWith("explore")) await page.locator(".book-list:not([aria-busy])").waitFor();
  if (route.startsWith("compare")) await page.locator(".time-plot canvas, .data.fits tbody tr").first().waitFor();
}

describe.each(SIZES)("on a $name", (size) => {
  it("watches two agents to the end, and takes the game to analysis", async () => {
    const { page, end } = await visit(size, "watch");
    await page.getByRole("radio", { name: "4×4" }).check();
    await page.getByRole("radio", { name: "Fast" }).check();
    await page.getByLabel("Black", { exact: true }).selectOption("greedy");
    await page.getByLabel("White", { exact: true }).selectOption("random");
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByRole("button", { name: "Analyse the game" }).click();
    await page.locator(".moves [data-node]").first().waitFor();
    await end();
  });

  it("goes on watching while the theme is changed", async () => {
    const { page, end } = await visit(size, "watch");
    await page.getByRole("button", { name: "Start" }).click();
    await until(page, () => document.querySelectorAll(".log li").length > 0);
    await page.getByRole("button", { name: "Light or dark" }).click();
    expect(await page.getAttribute("html", "data-theme")).toBe("dark");
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(19, 23, 22)");
    await until(page, () => document.querySelectorAll(".log li").length > 2);
    await end();
  });

  it("teaches the rule", async () => {
    const { page, end } = await visit(size, "learn");
    await choose(size, legal(page).first());
    await page.locator(".feedback.right").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "White (19)" }).click();
    await page.locator(".feedback.wrong").waitFor();
    await page.getByRole("button", { name: "Black (17)" }).click();
    await page.locator(".feedback.right").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await choose(size, square(page, "a1").and(legal(page)));
    await page.locator(".feedback.wrong").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await choose(size, square(page, "d1").and(legal(page)));
    await page.locator(".feedback.right").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await choose(size, square(page, "c6").and(legal(page)));
    await page.locator(".feedback.right").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Play level 1" }).click();
    await until(page, () => document.querySelectorAll(".board .square.legal").length === 4);
    expect(await page.locator(".seat.white .name").textContent()).toBe("Level 1");
    await end();
  });

  it("sets a puzzle by its link, says what each move is worth, and counts", async () => {
    const { page, end } = await visit(size, "puzzles/r6-1-7");
    await legal(page).first().waitFor();
    const id = new URL(page.url()).hash.replace("#/puzzles/", "");
    const count = await legal(page).count();
    const { moves } = await solution(id);
    await choose(size, square(page, moves.at(-1)!.move));
    await page.getByRole("heading", { name: "Not the best" }).waitFor();
    expect(await page.locator(".chip:not(:empty)").count()).toBe(count);
    expect(await page.locator(".square.pointed").getAttribute("data-square")).toBe(moves[0]!.move);
    await page.getByText(/^You 9\d\d, this puzzle \d+ · 0 of 1 solved · 0 in a row, best 0$/).waitFor();
    // The choices are those of the puzzle, whatever was chosen before.
    expect(await page.getByRole("radio", { name: "6×6" }).isChecked()).toBe(true);
    await page.getByRole("button", { name: "Next puzzle" }).click();
    await page.waitForFunction((old) => !location.hash.endsWith(`/${old}`), id);
    expect(new URL(page.url()).hash).toMatch(/^#\/puzzles\/r6-1-/);
    await legal(page).first().waitFor();
    // Back leads to it again. Who has seen the answer does not win its points.
    await page.goBack();
    await page.waitForFunction((old) => location.hash.endsWith(`/${old}`), id);
    await page.getByText(/^You 9\d\d, this puzzle \d+ · counted before · 0 of 1 solved/).waitFor();
    await choose(size, square(page, moves[0]!.move).and(legal(page)));
    await page.locator(".answer .right").waitFor();
    await page.getByText(/0 of 1 solved · 0 in a row, best 0$/).waitFor();
    await end();
  });

  it("asks for more than one move, by either rule, and keeps the rating and the streak", async () => {
    const { page, end } = await visit(size, "puzzles/n6-1-5");
    await legal(page).first().waitFor();
    await page.getByText("Most discs win. Choose a square.").waitFor();
    const { pv } = await solution(new URL(page.url()).hash.replace("#/puzzles/", ""));
    const own = pv.filter((_, at) => at % 2 === 0);
    const over = page.locator(".answer h3");
    for (const [at, best] of own.entries()) {
      await choose(size, square(page, best).and(legal(page)));
      await page.waitForFunction((found) => document.querySelector(".answer h3") !== null || document.querySelector(".answer .right")?.textContent?.includes(`Move ${found + 2} of`), at);
      if (await over.isVisible()) break;
    }
    await page.getByRole("heading", { name: "Right!" }).waitFor();
    await page.getByText(/^You 10\d\d, this puzzle \d+ · 1 of 1 solved · 1 in a row, best 1$/).waitFor();
    await page.getByRole("radio", { name: "4×4" }).check();
    await page.locator('.board[data-size="4"]').waitFor();
    await page.reload();
    await page.getByText("1 in a row, best 1").waitFor();
    expect(await page.locator('.board[data-size="4"]').count()).toBe(1);
    await end();
  });

  it("shows tournaments: ratings, cross table, ratings over time, and games to replay", async () => {
    const { page, end } = await visit(size, "compare");
    await page.locator(".time-plot canvas").waitFor();
    await page.getByRole("link", { name: "cup v2" }).click();
    await page.getByRole("heading", { name: "Cross table" }).waitFor();
    expect(await page.locator(".standings tbody tr").count()).toBe(4);
    expect(await page.locator(".cross tbody td button").count()).toBe(12);
    await page.getByRole("button", { name: /^student v2 against Random: \d+ won/ }).click();
    await page.getByRole("button", { name: "Show all" }).waitFor();
    await page.getByRole("button", { name: /^Replay \d+$/ }).first().click();
    await page.locator(".moves [data-node]").first().waitFor();
    await page.getByRole("button", { name: "To the end" }).click();
    await page.locator(".score .status", { hasText: /wins by|draw/ }).waitFor();
    await end();
  });

  it("is nowhere wider than its window", async () => {
    const { page, end } = await visit(size);
    for (const route of ROUTES) {
      await go(page, route);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), route).toBeLessThanOrEqual(size.width);
    }
    await end();
  });

  it("says what the server cannot do, in the page's language, until it can", async () => {
    const { page, end } = await visit(size);
    let reasons = [{ code: "disk-full", message: "no space" }];
    await page.route("**/api/health", (route) => route.fulfill({ json: { status: reasons.length > 0 ? "degraded" : "ok", reasons } }));
    await page.clock.install();
    await page.reload();
    const line = page.locator(".health");
    await line.getByText("The server's disk is full").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    expect(await faults(page)).toEqual([]);
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Language").selectOption("zh");
    await page.getByRole("dialog").getByRole("button", { name: "关闭" }).last().click();
    await line.getByText("服务器磁盘已满").waitFor();
    // A person may close it, and it comes back with other words.
    await line.getByRole("button", { name: "关闭" }).click();
    expect(await line.textContent()).toBe("");
    reasons = [{ code: "news", message: "no ink" }];
    await page.clock.runFor(AGAIN_MS);
    await line.getByText("服务器提示：no ink").waitFor();
    reasons = [];
    await page.clock.runFor(AGAIN_MS);
    await line.locator("p").waitFor({ state: "detached" });
    await end();
  });

  it("asks how the server is when a request was refused", async () => {
    const { page, end } = await visit(size);
    await page.route("**/api/health", (route) => route.fulfill({ json: { status: "degraded", reasons: [{ code: "searches-refused", message: "" }] } }));
    await page.route("**/api/move", (route) => route.fulfill({ status: 503, json: { error: { code: "busy", message: "busy", field: null } } }));
    await choose(size, legal(page).first());
    await page.locator(".health").getByText("The server is busy: it refuses").waitFor();
    await end(/^Failed to load resource: the server responded with a status of 503/);
  });

  it("speaks Chinese, is dark, and remembers both", async () => {
    const { page, end } = await visit(size, "play", { locale: "zh-CN" });
    await page.getByText("子少者胜").first().waitFor();
    expect(await page.getAttribute("html", "lang")).toBe("zh-Hans");
    await page.getByRole("button", { name: "设置" }).click();
    await page.getByLabel("语言").selectOption("en");
    await page.getByRole("dialog", { name: "Settings" }).getByRole("radio", { name: "Dark" }).check();
    expect(await page.getAttribute("html", "data-theme")).toBe("dark");
    await page.reload();
    await page.getByText("Fewest discs win").first().waitFor();
    expect(await page.getAttribute("html", "data-theme")).toBe("dark");
    await end();
  });
});

describe("lessons", () => {
  it.each(LESSONS.filter((lesson) => lesson.scores))("say what is true: $id", async ({ game, scores }) => {
    const query = new URLSearchParams({ rule: game.rule, size: String(game.size), start: game.start!, seconds: "60" });
    const response = await fetch(new URL(`/api/analysis?${query}`, inject("url")), { headers: { Accept: "text/event-stream" } });
    const tables = [...(await response.text()).matchAll(/^event: ?values\ndata: ?(.*)$/gm)].map((match) => JSON.parse(match[1]!) as { exact: boolean; moves: { move: string; value: number; exact: boolean }[] });
    const last = tables.at(-1)!;
    expect(last.moves.every((move) => move.exact)).toBe(true);
    expect(Object.fromEntries(last.moves.map(({ move, value }) => [move, value]))).toEqual(scores);
  });
});

describe("everybody can use it", () => {
  it.each(["light", "dark"] as const)("in a %s room", async (colorScheme) => {
    const { page, end } = await visit(desktop, "play", { colorScheme });
    // So that there is a game to list.
    await legal(page).first().click();
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    for (const route of ROUTES) {
      await go(page, route);
      expect(await faults(page), route).toEqual([]);
    }
    await end();
  });
});

/** What the solver has proved of a puzzle. */
async function solution(id: string): Promise<{ pv: string[]; moves: { move: string; score: number }[] }> {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => (await fetch(new URL(path, inject("url")), init)).json();
  const { position } = (await ask(`/api/puzzles/${id}`)) as { position: { legal: { square: string }[] } };
  const body = JSON.stringify({ move: position.legal[0]!.square });
  return (await ask(`/api/puzzles/${id}/answer`, { method: "POST", body, headers: { "Content-Type": "application/json" } })) as Awaited<ReturnType<typeof solution>>;
}
