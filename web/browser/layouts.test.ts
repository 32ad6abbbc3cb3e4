// The board is in sight in every window, and nothing needs scrolling to the side.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { LAYOUTS, launch, legal, until, visit } from "./browser";

launch();

/** The screens with a board, and a game in the middle. */
const MIDDLE = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8";
const BOARDS = ["play", `analyse/r8/${MIDDLE}`, "setup", "watch", "learn", "puzzles", "explore/r8/f5d6"];
const LISTS = ["games", "compare", "compare/1"];

/** Where an element is, and how large the window is: a phone's own width grows with a page that is too wide. */
async function places(page: Page, selector: string): Promise<{ left: number; top: number; right: number; bottom: number; width: number; height: number; wide: number }> {
  await page.locator(selector).first().waitFor();
  const place = await page.evaluate((wanted) => {
    const { left, top, right, bottom } = document.querySelector(wanted)!.getBoundingClientRect();
    return { left, top, right, bottom, wide: document.documentElement.scrollWidth };
  }, selector);
  return { ...place, ...page.viewportSize()! };
}

describe.each(LAYOUTS)("in a window of $width × $height", (size) => {
  it.each(BOARDS)("shows the whole board of %s", async (route) => {
    const { page, end } = await visit(size, route);
    if (size.width < 540 && route === "learn") {
      // A lesson is read before it is tried.
      await page.locator(".board-frame").scrollIntoViewIfNeeded();
    }
    await until(page, () => document.querySelector(".square[data-disc=black]") !== null);
    const { left, top, right, bottom, width, height, wide } = await places(page, ".board-frame");
    expect(wide).toBeLessThanOrEqual(width);
    expect({ left: left >= 0, top: top >= 0, right: right <= width, bottom: bottom <= height }).toEqual({ left: true, top: true, right: true, bottom: true });
    // It is no stamp: most of the window's shorter side, as far as score and buttons leave it.
    expect(right - left).toBeGreaterThan(Math.min(width, height) * 0.55);
    await end();
  });

  it.each(LISTS)("lists %s without scrolling to the side", async (route) => {
    const { page, end } = await visit(size, route);
    await page.locator(".data tbody tr, .card").first().waitFor();
    const { wide, width } = await places(page, "main");
    expect(wide).toBeLessThanOrEqual(width);
    await end();
  });
});

describe("in a window of 1280 × 720", () => {
  it.each([["play", ".moves-list"], [`analyse/r8/${MIDDLE}`, ".moves-list"], ["watch", ".log"]])("shows the moves of %s without scrolling", async (route, list) => {
    const { page, end } = await visit({ name: "desktop", width: 1280, height: 720 }, route);
    if (route === "play") {
      await page.getByLabel("White", { exact: true }).selectOption("human");
      await legal(page).first().click();
      await until(page, () => document.querySelectorAll(".moves [data-node]").length > 0);
    }
    const { top, bottom, height } = await places(page, list);
    expect(bottom).toBeLessThanOrEqual(height);
    // At least three lines of them.
    expect(bottom - top).toBeGreaterThan(70);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBeLessThanOrEqual(1);
    await end();
  });
});

it("uses a large screen, and has words for its buttons there", async () => {
  const { page, end } = await visit({ name: "desktop", width: 2560, height: 1440 });
  const { left, right } = await places(page, ".board-frame");
  expect(right - left).toBeGreaterThan(1000);
  expect(await page.locator(".toolbar .word").first().isVisible()).toBe(true);
  await end();
});

it("keeps the board in sight while the side is read, on a phone on its side", async () => {
  const { page, end } = await visit({ name: "phone", width: 844, height: 390 });
  await page.getByRole("button", { name: "Set up" }).scrollIntoViewIfNeeded();
  const { top, bottom, height } = await places(page, ".board-frame");
  expect(top).toBeGreaterThanOrEqual(0);
  expect(bottom).toBeLessThanOrEqual(height);
  await end();
});
