// The explorer: a person walks through the book by list, board, tree and keys, sees how sure values
// are and what openings are called, and goes on to analyse or to play.
import { describe, expect, it } from "vitest";
import { faults } from "./axe";
import { withBook } from "./book";
import { choose, launch, LAYOUTS, SIZES, square, until, visit } from "./browser";

launch();
const server = withBook();

describe.each(SIZES)("on a $name", (size) => {
  it("walks through the book by its list, the board, its tree and keys", async () => {
    const { page, end } = await visit(size, "explore", { url: server.url });
    const row = (move: string) => page.locator(`.book-moves tr[data-move="${move}"]`);
    // Four first moves are one.
    await page.locator(".book-moves .same").waitFor();
    expect(await page.locator(".book-moves tbody tr").count()).toBe(1);
    expect(await page.locator(".verdict-line").textContent()).toBe("Black is better by about 1");
    expect(await page.locator(".book-tree .leaf").count()).toBeGreaterThan(3);
    await page.locator(".book-moves .book-move").click();
    await page.locator(".book-moves .named", { hasText: "Perpendicular" }).waitFor();
    // Two of its three moves are known, one is a rough estimate.
    expect(await page.locator('.book-moves [data-level="1"]').textContent()).toBe("rough");
    await page.keyboard.press("Home");
    await page.goto(`${server.url}#/explore/r8/f5`);
    await row("d6").locator(".sureness", { hasText: "good" }).waitFor();
    expect(await row("d6").locator(".sureness").getAttribute("title")).toMatch(/^3 moves of the best line are in the book, then a search of 20 plies/);
    await choose(size, square(page, "d6"));
    await row("c3").waitFor();
    expect(await page.locator(".opening-name").textContent()).toBe("Perpendicular");
    expect(page.url()).toContain("#/explore/r8/f5d6");
    await page.locator(".book-tree .leaf").first().click();
    await page.locator('[data-square="c3"][data-disc="black"]').waitFor();
    await page.keyboard.press("ArrowLeft");
    await row("c5").waitFor();
    await page.keyboard.press("ArrowRight");
    await row("d3").waitFor();
    // Where nothing was walked yet, the book's best move.
    await page.keyboard.press("ArrowRight");
    await row("c4").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.locator(".opening-name", { hasText: "Tiger" }).waitFor();
    await page.locator(".book-help").waitFor();
    expect(await page.locator(".verdict-line").textContent()).toBe("The book does not know this position.");
    await page.locator(".book-help").getByRole("button", { name: "Back" }).click();
    await row("c4").waitFor();
    await end();
  });

  it("leads to analysis, which shows the book, and to a game, which shows the opening's name", async () => {
    const { page, end } = await visit(size, "explore/r8/f5d6c3d3c4", { url: server.url });
    await page.locator(".book-help").getByRole("button", { name: "Analyse it" }).click();
    await until(page, () => location.hash.startsWith("#/analyse/r8/f5d6c3d3c4"));
    await page.locator(".status .opening", { hasText: "Tiger" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    // Here the book knows something again.
    await page.locator(".card.book summary").click();
    await page.locator(".card.book .book-move", { hasText: "c4" }).waitFor();
    await page.locator(".card.book a").click();
    await until(page, () => location.hash.startsWith("#/explore/r8/f5d6c3d3"));
    await page.locator('.book-moves tr[data-move="c4"]').click();
    await page.locator(".opening-name", { hasText: "Tiger" }).waitFor();
    await page.getByRole("button", { name: "Play on from here" }).click();
    await until(page, () => location.hash.startsWith("#/play/"));
    // The opponent may have answered already, by a move that has a name of its own.
    await page.locator(".status .opening", { hasText: /Tiger|Aubrey/ }).waitFor();
    await end();
  });

  it("speaks Chinese, and has no fault that a tool finds in either language and theme", async () => {
    for (const [locale, colorScheme, words, name] of [
      ["en-US", "light", "Black is better by about 1", "Perpendicular"],
      ["zh-CN", "dark", "黑方领先约 1 子", "垂直"],
    ] as const) {
      const { page, end } = await visit(size, "explore/r8/f5d6", { url: server.url, locale, colorScheme });
      await page.locator(".opening-name", { hasText: name }).waitFor();
      await page.locator(".book-moves tbody tr").first().waitFor();
      expect(await page.locator(".verdict-line").textContent()).toBe(words);
      expect(await faults(page)).toEqual([]);
      await page.goto(`${server.url}#/explore/n6/`);
      await page.locator(".book-help .button").first().waitFor();
      expect(await faults(page)).toEqual([]);
      await page.goto(`${server.url}#/analyse/r8/f5d6`);
      await page.locator(".card.book summary").click();
      await page.locator(".card.book .book-move").first().waitFor();
      expect(await faults(page)).toEqual([]);
      await end();
    }
  });
});

it("is walked by keyboard alone", async () => {
  const { page, end } = await visit(SIZES[1], "explore/r8/f5", { url: server.url });
  await page.locator(".book-moves .book-move").first().focus();
  await page.keyboard.press("ArrowDown");
  const second = await page.evaluate(() => document.activeElement?.textContent ?? "");
  await page.keyboard.press("Enter");
  await page.locator(`[data-square="${second}"][data-disc="white"]`).waitFor();
  await until(page, () => document.activeElement?.classList.contains("book-move") === true);
  await end();
});

it("fits every window", async () => {
  const { page, end } = await visit({ ...LAYOUTS[0]!, name: "desktop" }, "explore/r8/f5d6", { url: server.url });
  await page.locator(".book-moves .book-move").first().waitFor();
  for (const { width, height } of LAYOUTS) {
    await page.setViewportSize({ width, height });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow, `${width}`).toBeLessThanOrEqual(0);
  }
  await end();
});
