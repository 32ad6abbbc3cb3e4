// Analysing: values deepen and are dropped with their position, a whole game is gone through for
// mistakes, an ending is proved, and no search outlives its listener.
import { describe, expect, it } from "vitest";
import { choose, health, launch, legal, moves, SIZES, square, until, visit } from "./browser";

launch();

/** A whole game on 6×6, played without mistakes until its last third. */
const GAME = "r6/c2b4d5e2e3c1b1e4d1d2f2e1f3f4b3d6a5a4a3a2b5b2e6c5";

describe.each(SIZES)("on a $name", (size) => {
  it("shows values on every legal square, deepening, and new ones for a new position", async () => {
    const { page, end } = await visit(size, "analyse/r8/f5");
    await until(page, () => document.querySelectorAll(".chip:not(:empty)").length === 3);
    const depth = (): Promise<number> => page.locator(".chip[data-depth]").first().getAttribute("data-depth").then(Number);
    const first = await depth();
    await page.waitForFunction((before) => Number(document.querySelector(".chip[data-depth]")?.getAttribute("data-depth")) > before, first);
    expect(await page.locator(".verdict-words").textContent()).toMatch(/^(About even|(Black|White) is better by about \d+)$/);
    expect(await page.locator(".lines .pv-move").count()).toBeGreaterThan(2);
    await choose(size, square(page, "d6"));
    await page.locator('[data-square="d6"][data-disc="white"]').waitFor();
    const count = await legal(page).count();
    await page.waitForFunction((wanted) => document.querySelectorAll(".chip:not(:empty)").length === wanted, count);
    await end();
  });

  it("goes through a game and marks what was wrong with it", async () => {
    const { page, end } = await visit(size, `analyse/${GAME}`);
    await page.getByRole("button", { name: "Analyse game" }).click();
    await until(page, () => /^\d+$/.test(document.querySelector(".summary tbody td")?.textContent ?? ""));
    await page.getByRole("button", { name: "Analyse game" }).waitFor();
    const marked = page.locator(".moves .move:is(.inaccuracy, .mistake, .blunder)");
    const sums = (await page.locator(".summary tbody td").allTextContents()).map(Number);
    expect(await marked.count()).toBe(sums[0]! + sums[1]! + sums[2]! + sums[4]! + sums[5]! + sums[6]!);
    // The cursor of the graph goes through the game by keyboard and by pointer.
    const graph = page.getByRole("slider");
    await graph.focus();
    await page.keyboard.press("Home");
    await until(page, () => document.querySelector(".moves .current") === null);
    await page.keyboard.press("ArrowRight");
    await page.locator(".moves .current", { hasText: "c2" }).waitFor();
    await page.locator(".comment.fine, .comment.inaccuracy, .comment.mistake, .comment.blunder").waitFor();
    await graph.scrollIntoViewIfNeeded();
    const box = (await graph.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
    await page.mouse.up();
    await page.waitForFunction(() => Number(document.querySelector("[role=slider]")?.getAttribute("aria-valuenow")) > 10);
    await end();
  });

  it("marks a blunder, its cost and the better move, which a click shows", async () => {
    // The corner throws away a won ending: proved.
    const { page, end } = await visit(size, "analyse/r6/--O-X-OOOO-XOOOOOXXXOOOXX-OOOX-OOOO-X/a1");
    await page.getByRole("button", { name: "Analyse game" }).click();
    const comment = page.locator(".comment.blunder");
    await comment.getByText("a1 costs 20 discs, proved.").waitFor();
    await comment.getByRole("button", { name: "d1" }).click();
    await page.locator(".moves .current", { hasText: "d1" }).waitFor();
    expect((await moves(page)).sort()).toEqual(["a1", "d1"]);
    await page.getByRole("button", { name: "Make main line" }).click();
    await until(page, () => document.querySelector(".branch-tools")!.hasAttribute("hidden"));
    await end();
  });

  it("proves an ending", async () => {
    const { page, end } = await visit(size, "analyse/r6/----X-XXXXX-XXOXX-XXOXXXOOOOO--X--O-X/");
    await page.getByRole("button", { name: "Prove" }).click();
    await page.locator(".verdict-line.proved", { hasText: "Black wins by 2, proved" }).waitFor();
    await page.locator('[data-square="c6"].pointed').waitFor();
    await end();
  });
});

const desktop = SIZES[1];

describe("searches", () => {
  it("end when the page does", async () => {
    const { page, end } = await visit(desktop, "analyse/r8/f5d6c3d3c4");
    await page.locator(".chip.best").first().waitFor();
    await page.waitForFunction(async () => ((await (await fetch("/api/health")).json()) as { searches: { running: number } }).searches.running > 0);
    await end();
    await expect.poll(async () => (await health()).searches, { timeout: 120_000 }).toMatchObject({ running: 0, queued: 0 });
  });

  it("leave the page responsive: a quick player is never stopped by values", async () => {
    const { page, end } = await visit(desktop, "analyse");
    for (let ply = 0; ply < 12; ply += 1) {
      await legal(page).first().click();
      await page.waitForFunction((wanted) => document.querySelectorAll(".moves [data-node]").length === wanted && document.querySelector(".square.legal"), ply + 1);
    }
    await page.locator(".chip.best").first().waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\/analyse\/r8\/([a-h][1-8]){12}$/);
    await end();
  });

  it("end when another screen is shown, a proof too", async () => {
    const { page, end } = await visit(desktop, "analyse/r8/f5d6c3d3c4");
    await page.locator(".chip.best").first().waitFor();
    await page.getByRole("button", { name: "Prove" }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    expect((await health()).searches.running).toBeGreaterThan(0);
    await page.keyboard.press("5");
    await expect.poll(async () => (await health()).searches, { timeout: 120_000 }).toMatchObject({ running: 0, queued: 0 });
    await end();
  });

  it("can be switched off", async () => {
    const { page, end } = await visit(desktop, "analyse/r8/f5d6");
    await page.locator(".chip.best").first().waitFor();
    await page.keyboard.press("a");
    await until(page, () => document.querySelectorAll(".chip:not(:empty)").length === 0);
    await page.getByText("The engine is off.").waitFor();
    await end();
    await expect.poll(async () => (await health()).searches.running, { timeout: 120_000 }).toBe(0);
  });
});

it("lets a seventh tab analyse beside six others, and an eighth", async () => {
  const { page, end } = await visit(SIZES[1], "analyse/r8/f5");
  const tabs = [page];
  while (tabs.length < 8) {
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    tabs.push(tab);
  }
  // All streams are open at the same time: none of these pages is hidden here.
  for (const tab of tabs) await until(tab, () => document.querySelectorAll(".chip:not(:empty)").length === 3);
  expect((await health()).streams).toBeGreaterThanOrEqual(8);
  await end();
});
