// Learning from a game: the next mistake, retrying mistakes with reasons, values and lines, what an agent
// thinks, hints in two steps; by keyboard too, and for everybody.
import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { choose, health, launch, legal, moves, SIZES, square, until, visit, streams } from "./browser";
import { faults } from "./axe";

launch();

/** A game of one move: the corner throws a won ending away. */
const BLUNDER = "analyse/r6/--O-X-OOOO-XOOOOOXXXOOOXX-OOOX-OOOO-X/a1";

/** The corner, White's answer, and a move that loses less than it. */
const TWO = "analyse/r6/--O-X-OOOO-XOOOOOXXXOOOXX-OOOX-OOOO-X/a1b5b1";

const desktop = SIZES[1];

/** Has the game analysed, to its end. */
async function reviewed(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Analyse game" }).click();
  await until(page, () => /^\d+$/.test(document.querySelector(".summary tbody td")?.textContent ?? ""));
}

describe.each(SIZES)("on a $name", (size) => {
  it("retries a mistake: a wrong answer, a right one, and why it is right", async () => {
    const { page, end } = await visit(size, BLUNDER);
    await reviewed(page);
    await page.getByRole("button", { name: "Retry mistakes" }).click();
    const card = page.getByRole("region", { name: "Retry your mistakes" });
    await card.getByText("Black to move. a1 was played and costs 20 discs.").waitFor();
    // Nothing gives the answer away.
    expect(await page.locator(".chip:not(:empty), .square.pointed, .arrow").count()).toBe(0);
    expect(await page.locator(".engine").isVisible()).toBe(false);
    await choose(size, square(page, "a1").and(legal(page)));
    await card.getByText("a1 is what was played. Find a better move.").waitFor();
    await choose(size, square(page, "d1").and(legal(page)));
    await card.getByText("Right: d1 is good.").waitFor();
    await card.getByText("Proved: d1 wins by 14, a1 loses by 6.").waitFor();
    await card.getByText("a1 is a corner: its disc can never be turned again.").waitFor();
    // The line is on the board, and the game has not changed.
    await page.locator(".step text").first().waitFor();
    expect(await moves(page)).toEqual(["a1"]);
    expect(await faults(page)).toEqual([]);
    await card.getByRole("button", { name: "Next" }).click();
    await card.getByText("Done: you found 0 of 1 at the first try.").waitFor();
    await card.getByRole("button", { name: "Close" }).click();
    await card.waitFor({ state: "hidden" });
    // Values are back; the pointer may be on a line now, which is drawn over them.
    await page.locator(".chip.best").first().waitFor({ state: "attached" });
    await end();
  });

  it("shows the answer, and says why on a mistake of the game itself", async () => {
    const { page, end } = await visit(size, BLUNDER);
    await reviewed(page);
    await page.locator(".comment").getByRole("button", { name: "Why?" }).click();
    await page.locator('.comment [data-reason="corner-taken"]').waitFor();
    await page.getByRole("button", { name: "Retry mistakes" }).click();
    await page.getByRole("button", { name: "Show the answer" }).click();
    await page.locator(".retry").getByText("The best move is d1.").waitFor();
    await page.locator('.retry [data-reason="proved"]').waitFor();
    // Who goes elsewhere has ended it.
    await page.getByRole("button", { name: "To the end" }).click();
    await page.locator(".retry").waitFor({ state: "hidden" });
    await end();
  });

  it("goes from mistake to mistake, and round again", async () => {
    const { page, end } = await visit(size, `${TWO}@0`);
    await reviewed(page);
    const marked = await page.locator(".moves .move:is(.mistake, .blunder)").count();
    expect(marked).toBeGreaterThan(0);
    const next = page.getByRole("button", { name: "Next mistake" });
    for (let at = 0; at <= marked; at += 1) {
      await next.click();
      await page.locator(`.moves .move:is(.mistake, .blunder) >> nth=${at % marked}`).and(page.locator(".current")).waitFor();
    }
    await end();
  });

  it("has a value behind every move, for Black as everywhere, and says so", async () => {
    const { page, end } = await visit(size, TWO);
    await reviewed(page);
    const values = await page.locator(".moves .move .value").allTextContents();
    expect(values).toHaveLength(3);
    expect(values[0]).toBe("−6");
    await page.getByText("Numbers are discs for Black").first().waitFor();
    // White, who is to move, wins by 6: the same sign on the square, in the list, in the line and in words.
    await page.locator(".moves .move", { hasText: "a1" }).click();
    await page.locator(".verdict-line", { hasText: "White wins by 6, proved" }).waitFor();
    expect(await page.locator(".chip.best b").first().textContent()).toBe("−6");
    expect(await page.locator(".lines .worth").first().textContent()).toBe("−6✓");
    expect(await page.getByRole("slider").getAttribute("aria-valuetext")).toBe("move 1: −6 for Black");
    await end();
  });

  it("keeps the graph of the game while a variation is on the board", async () => {
    const { page, end } = await visit(size, TWO);
    await reviewed(page);
    const slider = page.getByRole("slider");
    await page.getByRole("button", { name: "To the start" }).click();
    await choose(size, square(page, "d1").and(legal(page)));
    await page.locator(".moves .current", { hasText: "d1" }).waitFor();
    await until(page, () => document.querySelector("[role=slider]")!.getAttribute("aria-valuetext")!.startsWith("variation, move 1: "));
    expect(await slider.getAttribute("aria-valuemax")).toBe("3");
    expect(await page.locator(".summary tbody td").first().textContent()).toMatch(/^\d+$/);
    // The slider leads back into the game.
    await slider.focus();
    await page.keyboard.press("End");
    await page.locator(".moves .current", { hasText: "b1" }).waitFor();
    await end();
  });

  it("draws lines on the board, more of them if asked, and puts depth into words", async () => {
    const { page, end } = await visit(size, "analyse/r8/f5d6c3d3c4");
    await page.locator(".chip.best").first().waitFor();
    expect(await page.locator(".arrow").count()).toBe(0);
    await page.locator(".lines .worth").nth(1).click();
    await until(page, () => document.querySelectorAll(".step").length > 0);
    const second = await page.locator(".lines li").nth(1).getAttribute("data-move");
    await page.locator(`[data-square="${second}"].on-line`).waitFor();
    expect(await page.locator(".lines li").count()).toBe(3);
    await page.getByRole("button", { name: "More lines" }).click();
    const count = await legal(page).count();
    await page.waitForFunction((wanted) => document.querySelectorAll(".lines li").length === wanted, count);
    await page.getByRole("button", { name: "Fewer lines" }).click();
    expect(await page.locator(".verdict-words").textContent()).toMatch(/^(About even|(Black|White) is better by about \d+)$/);
    const sure = page.locator(".sure");
    expect(await sure.textContent()).toMatch(/^(first|good|deep) look$/);
    expect(await sure.getAttribute("title")).toMatch(/^\d+ moves deep, cuts right in \d+ % of cases · /);
    await page.locator(".meter").waitFor({ state: "hidden" });
    await sure.click();
    await page.locator(".meter", { hasText: "moves deep" }).waitFor();
    await end();
  });

  it("gives one square as a hint, and values at the second press", async () => {
    const { page, end } = await visit(size);
    await page.getByLabel("White", { exact: true }).selectOption("human");
    const hint = page.getByRole("button", { name: "Hint" });
    await hint.click();
    await page.locator(".square.pointed").waitFor();
    expect(await page.locator(".chip:not(:empty)").count()).toBe(0);
    await hint.click();
    await page.locator(".square.pointed .chip.best").waitFor();
    expect(await page.locator(".chip:not(:empty)").count()).toBe(4);
    await end();
  });

  it("calls nobody ahead before the end", async () => {
    const { page, end } = await visit(size, "analyse/r8/f5");
    await page.locator(".chip.best").first().waitFor();
    expect(await page.locator(".seat .tag").allTextContents()).toEqual(["", ""]);
    await end();
  });

  it("shows what AlphaZero thinks of its moves, if it is wanted", async () => {
    const { page, end } = await visit(size);
    expect(await page.getByLabel("Show what it thinks").isVisible()).toBe(false);
    await page.getByLabel("White", { exact: true }).selectOption("zero");
    await page.getByLabel("Show what it thinks").waitFor();
    await choose(size, square(page, "d3").and(legal(page)));
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    const chosen = page.locator(".thought.chosen");
    await chosen.waitFor();
    const last = await page.locator(".square.last").getAttribute("data-square");
    expect(await chosen.locator("..").getAttribute("data-square")).toBe(last);
    expect(await square(page, last!).getAttribute("aria-label")).toMatch(/% of its search, .*% at first sight/);
    await page.getByText("% of its search").waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByLabel("Show what it thinks").uncheck({ force: true });
    await until(page, () => document.querySelectorAll(".thought:not(:empty)").length === 0);
    await end();
  });
});

describe("watching", () => {
  it("shows what an agent that plays random games thinks", async () => {
    const { page, end } = await visit(desktop, "watch");
    await page.getByRole("radio", { name: "6×6" }).check();
    await page.getByLabel("Black", { exact: true }).selectOption("mcts");
    await page.getByLabel("White", { exact: true }).selectOption("random");
    await page.getByRole("button", { name: "Start" }).click();
    await page.locator(".thought.chosen b").waitFor();
    // It has no network, and no first sight.
    expect(await page.locator(".thought.chosen small").first().textContent()).toBe("");
    await end();
  });
});

describe("by keyboard alone", () => {
  it("analyses a game, goes to its mistakes, looks at lines and retries", async () => {
    const { page, end } = await visit(desktop, `${BLUNDER}@0`);
    await page.keyboard.press("g");
    await until(page, () => /^\d+$/.test(document.querySelector(".summary tbody td")?.textContent ?? ""));
    await page.keyboard.press("m");
    await page.locator(".moves .current.blunder").waitFor();
    expect(await page.locator("#voice").textContent()).toContain("Mistake 1 of 1");
    await page.keyboard.press("t");
    await page.locator(".retry").waitFor();
    const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.getAttribute("data-square"));
    await page.keyboard.press("b");
    expect(await focused()).toBe("c3");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("d1");
    await page.keyboard.press("Enter");
    await page.locator(".retry").getByText("Right: d1 is good.").waitFor();
    await page.locator('.retry [data-reason="proved"]').waitFor();
    expect(await page.locator("#voice").textContent()).toContain("Proved: d1 wins by 14");
    await page.keyboard.press("m");
    await page.locator(".retry").getByText("Done: you found 1 of 1 at the first try.").waitFor();
    await page.keyboard.press("t");
    await page.locator(".retry").waitFor({ state: "hidden" });
    await page.locator(".chip.best").first().waitFor();
    await page.keyboard.press("i");
    await page.locator(".step").first().waitFor();
    await page.keyboard.press("o");
    await page.getByRole("dialog", { name: "Engine limits" }).getByLabel("Lines").selectOption("1");
    await page.keyboard.press("Escape");
    await until(page, () => document.querySelectorAll(".lines li[data-move]").length === 1);
    await end();
  });
});

describe("an analysis", () => {
  it("has no end of its own, pauses while the page is hidden, and goes on", async () => {
    const { page, end } = await visit(desktop, "play");
    const asked = streams(page);
    await page.goto(`${page.url().split("#")[0]}#/analyse/r8/f5d6c3d3c4`);
    await expect.poll(() => asked[0]?.pathname, { timeout: 120_000 }).toBe("/api/analysis");
    expect(asked[0]!.searchParams.get("seconds")).toBe("3600");
    await page.locator(".chip.best").first().waitFor();
    const hide = (state: string): Promise<void> =>
      page.evaluate((wanted) => {
        Object.defineProperty(document, "visibilityState", { configurable: true, get: () => wanted });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await hide("hidden");
    await expect.poll(async () => (await health()).searches, { timeout: 120_000 }).toMatchObject({ running: 0, queued: 0 });
    // What is known stays in sight.
    expect(await page.locator(".chip.best").count()).toBeGreaterThan(0);
    const before = asked.length;
    await hide("visible");
    await expect.poll(() => asked.length, { timeout: 120_000 }).toBeGreaterThan(before);
    await end();
  });

  it("keeps to the limits that are set, and remembers them", async () => {
    const { page, end } = await visit(desktop, "play");
    const asked = streams(page);
    await page.goto(`${page.url().split("#")[0]}#/analyse/r8/f5d6c3`);
    await page.getByRole("button", { name: "Engine limits" }).click();
    const dialog = page.getByRole("dialog", { name: "Engine limits" });
    await dialog.getByLabel("Time").selectOption("5");
    await dialog.getByLabel("Threads").selectOption("2");
    await dialog.getByLabel("Depth").selectOption("8");
    const deep = (): URLSearchParams | undefined => asked.map((address) => address.searchParams).find((query) => query.get("depth") === "8");
    await expect.poll(deep, { timeout: 120_000 }).toBeDefined();
    expect([deep()!.get("seconds"), deep()!.get("threads")]).toEqual(["5", "2"]);
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("button", { name: "Engine limits" }).click();
    expect(await page.getByRole("dialog").getByLabel("Depth").inputValue()).toBe("8");
    await end();
  });
});
