// By the keyboard alone, without a mouse or a finger: a whole game, and a whole puzzle.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { launch, SIZES, tabTo, until, visit } from "./browser";

launch();

const [, desktop] = SIZES;

/** Walks over the board by arrows to a square, from where the focus is on it, and chooses it. */
async function walkTo(page: Page, name: string): Promise<void> {
  const at = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["square"]);
  if (at === undefined) throw new Error("the focus is not on the board");
  const columns = name.charCodeAt(0) - at.charCodeAt(0);
  const rows = Number(name.slice(1)) - Number(at.slice(1));
  for (let step = 0; step < Math.abs(columns); step += 1) await page.keyboard.press(columns > 0 ? "ArrowRight" : "ArrowLeft");
  for (let step = 0; step < Math.abs(rows); step += 1) await page.keyboard.press(rows > 0 ? "ArrowDown" : "ArrowUp");
  expect(await page.evaluate(() => (document.activeElement as HTMLElement).dataset["square"])).toBe(name);
  await page.keyboard.press("Enter");
}

describe("by the keyboard alone", () => {
  it("plays a whole game on 4×4", async () => {
    const { page, end } = await visit(desktop);
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New game" });
    await dialog.waitFor();
    await tabTo(page, dialog.locator("input[type=radio]:checked").first());
    const small = dialog.getByRole("radio", { name: "4×4" });
    for (let presses = 0; presses < 10 && !(await small.isChecked()); presses += 1) await page.keyboard.press("ArrowLeft");
    expect(await small.isChecked()).toBe(true);
    // As in any form.
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await until(page, () => document.querySelectorAll("[role=gridcell]").length === 16);
    await page.keyboard.press("b");
    for (;;) {
      await until(page, () => document.querySelector(".square.legal, .notice:not([hidden])") !== null);
      if (await page.locator(".notice:not([hidden])").isVisible()) break;
      const ply = await page.locator(".moves [data-node]").count();
      await walkTo(page, (await page.locator(".square.legal").first().getAttribute("data-square"))!);
      await page.waitForFunction((before) => document.querySelectorAll(".moves [data-node]").length > before, ply);
    }
    expect(await page.locator(".score .status").textContent()).toMatch(/wins by|A draw/);
    // The next game can be begun from here.
    await page.keyboard.press("n");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    // The Enter that opens the dialog does not begin a game while it is held down.
    await page.getByRole("button", { name: "New game", exact: true }).focus();
    await page.keyboard.down("Enter");
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await end();
  });

  it("solves a whole puzzle, and asks for the next one", async () => {
    const { page, end } = await visit(desktop, "puzzles/n6-1-5");
    await page.locator(".square.legal").first().waitFor();
    const { pv } = await solution("n6-1-5");
    await page.keyboard.press("b");
    for (const [at, best] of pv.filter((_, at) => at % 2 === 0).entries()) {
      await page.locator(`.square.legal[data-square="${best}"]`).waitFor();
      await walkTo(page, best);
      await page.waitForFunction((found) => document.querySelector(".answer h3") !== null || document.querySelector(".answer .right")?.textContent?.includes(`Move ${found + 2} of`), at);
      if (await page.locator(".answer h3").isVisible()) break;
    }
    await page.getByRole("heading", { name: "Right!" }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("heading", { name: "Right!" }).waitFor({ state: "detached" });
    await page.locator(".square.legal").first().waitFor();
    expect(new URL(page.url()).hash).not.toBe("#/puzzles/n6-1-5");
    await end();
  });
});

/** What the solver has proved of a puzzle. */
async function solution(id: string): Promise<{ pv: string[] }> {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => (await fetch(new URL(path, inject("url")), init)).json();
  const { position } = (await ask(`/api/puzzles/${id}`)) as { position: { legal: { square: string }[] } };
  const body = JSON.stringify({ move: position.legal[0]!.square });
  return (await ask(`/api/puzzles/${id}/answer`, { method: "POST", body, headers: { "Content-Type": "application/json" } })) as { pv: string[] };
}
