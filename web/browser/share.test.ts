// Bringing a game and taking it away: paste, text, link, picture, set-up positions.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { choose, launch, legal, listen, moves, ready, REFUSED, SIZES, square, until, visit } from "./browser";

launch();

const GGF = "(;GM[Othello]PC[here]PB[Ann]PW[Bob]TY[8a]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6]B[C3];)";

async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "Paste a game" }).click();
  const dialog = page.getByRole("dialog", { name: "Paste a game or position" });
  await dialog.getByLabel("Game or position").fill(text);
  await dialog.getByRole("button", { name: "Open" }).click();
}

describe.each(SIZES)("on a $name", (size) => {
  it.each([
    ["a transcript", "F5D6C3"],
    ["GGF", GGF],
    ["numbered moves", "1. f5 d6 2. c3"],
  ])("opens %s", async (_, text) => {
    const { page, end } = await visit(size, "analyse");
    await paste(page, text);
    await page.locator(".moves .current", { hasText: "c3" }).waitFor();
    expect(await moves(page)).toEqual(["f5", "d6", "c3"]);
    await end();
  });

  it("says what is wrong with what was pasted", async () => {
    const { page, end } = await visit(size, "analyse");
    await paste(page, "f5 d6 a1");
    expect(await page.getByRole("alert").filter({ hasText: "a1" }).textContent()).toContain("a1");
    await page.keyboard.press("Escape");
    expect(await moves(page)).toEqual([]);
    await end(REFUSED);
  });

  it("gives a link that opens the same game elsewhere", async () => {
    const { page, end } = await visit(size, "analyse/r8/f5d6(f4)c3@2");
    await page.locator(".moves .current", { hasText: "d6" }).waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).hash).toBe("#/analyse/r8/f5d6(f4)c3@2");
    const other = await page.context().browser()!.newContext();
    const there = await other.newPage();
    const complaints = listen(there);
    await there.goto(link);
    await ready(there);
    await there.locator(".moves .current", { hasText: "d6" }).waitFor();
    expect((await moves(there)).sort()).toEqual(["c3", "d6", "f4", "f5"]);
    expect(await there.locator(".seat .count").allTextContents()).toEqual(["3", "3"]);
    expect(complaints).toEqual([]);
    await other.close();
    await end();
  });

  it("gives text in every format, and pictures", async () => {
    const { page, end } = await visit(size, "analyse/r8/f5d6c3");
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share" });
    const text = dialog.getByLabel("As text");
    for (const [name, format, expected] of [
      ["Moves", "moves", "f5d6c3"],
      ["Board", "board", "------------------X--------XX------OXX-----O-------------------- O"],
      ["GGF", "ggf", "GM[Othello]"],
      ["OBF", "obf", "------------------X--------XX------OXX-----O-------------------- O"],
      ["SGF", "sgf", "GM[2]"],
    ] as const) {
      await dialog.getByRole("button", { name, exact: true }).click();
      await dialog.locator(`[data-format="${format}"]`).waitFor();
      expect(await text.inputValue()).toContain(expected);
    }
    const saved = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([page.waitForEvent("download"), dialog.getByRole("button", { name }).click()]);
      return readFile((await download.path())!);
    };
    const svg = (await saved("SVG")).toString();
    expect(svg).toBe(await (await fetch(new URL("/api/board.svg?moves=f5,d6,c3", inject("url")))).text());
    expect(svg).toContain(">fewer discs win<");
    expect((await saved("PNG")).subarray(1, 4).toString()).toBe("PNG");
    await end();
  });

  it("sets up a position, and refuses one that cannot be", async () => {
    const { page, end } = await visit(size, "setup");
    await page.getByRole("radio", { name: "4×4" }).check();
    await page.getByRole("button", { name: "Empty board" }).click();
    await page.getByRole("button", { name: "Analyse it" }).click();
    const fault = page.getByRole("alert").filter({ hasText: /\w/ });
    await fault.waitFor();
    await page.getByRole("button", { name: "Usual start" }).click();
    await choose(size, square(page, "a1"));
    await page.locator('[data-square="a1"][data-disc="black"]').waitFor();
    await page.getByRole("button", { name: "Analyse it" }).click();
    await page.locator(".moves").waitFor();
    await until(page, () => document.querySelector(".square.legal") !== null);
    expect(new URL(page.url()).hash).toBe("#/analyse/r4/X----OX--XO-----X/");
    expect(await legal(page).count()).toBeGreaterThan(0);
    await end(REFUSED);
  });
});

describe("links that hold no game", () => {
  it("are refused, and what was on the table stays", async () => {
    const { page, end } = await visit(SIZES[1], "analyse/r8/f5d6", { hasTime: true });
    await page.goto(`${page.url().split("#")[0]}#/analyse/r8/f9`);
    await page.getByText("This link holds no game.").waitFor();
    expect(await moves(page)).toEqual(["f5", "d6"]);
    await end();
  });
});
