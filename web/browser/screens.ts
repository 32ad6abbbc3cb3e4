// Photographs the main screens for the README into docs/screens/: `cargo xtask web screens`.
// The game shown is played by two levels from a fixed seed, so that pictures change only with the page.
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, inject, it } from "vitest";
import { launch, legal, type Size, SIZES, until, visit } from "./browser";

launch();

const FOLDER = "../docs/screens";
const [phone, desktop] = SIZES;

/** A game between two levels, as moves. */
async function played(): Promise<string[]> {
  const query = new URLSearchParams({ black: "engine:level=4", white: "engine:level=3", pause: "0", seed: "7" });
  const response = await fetch(new URL(`/api/watch?${query}`, inject("url")), { headers: { Accept: "text/event-stream" } });
  const moves = [...(await response.text()).matchAll(/^event: ?move\ndata: ?(.*)$/gm)].map((match) => (JSON.parse(match[1]!) as { move: string }).move);
  expect(moves.length).toBeGreaterThan(50);
  return moves.filter((move) => move !== "pass");
}

async function photograph(page: Page, name: string): Promise<void> {
  // Fonts are there, and no disc is turning.
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.allSettled(document.getAnimations().map((each) => each.finished));
  });
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
}

it("photographs the main screens", async () => {
  mkdirSync(FOLDER, { recursive: true });
  const moves = await played();
  const middle = moves.slice(0, 26).join("");
  const shots: [string, Size, "light" | "dark", string][] = [
    ["play", desktop, "light", "en-US"],
    ["play-dark", desktop, "dark", "en-US"],
    ["play-phone", phone, "light", "en-US"],
    ["play-chinese", desktop, "light", "zh-CN"],
  ];
  for (const [name, size, colorScheme, locale] of shots) {
    const { page, end } = await visit(size, `analyse/r8/${middle}`, { colorScheme, locale });
    await page.locator(".toolbar .group:last-child .tool:last-child").click();
    await page.locator(".players select").first().selectOption("human");
    await until(page, () => document.querySelector(".square.legal, .tool.asks") !== null);
    if (size.name === "desktop") await legal(page).first().hover();
    await photograph(page, name);
    await end();
  }
  for (const [name, size, colorScheme] of [["analyse", desktop, "light"], ["analyse-dark", desktop, "dark"], ["analyse-phone", phone, "dark"]] as const) {
    const { page, end } = await visit(size, `analyse/r8/${moves.join("")}`, { colorScheme });
    await page.getByRole("button", { name: "Analyse game" }).click();
    await page.waitForFunction(() => /^\d+$/.test(document.querySelector(".summary tbody td")?.textContent ?? ""), undefined, { timeout: 200_000 });
    const worst = page.locator(".moves .move.blunder, .moves .move.mistake").first();
    await worst.click();
    await page.waitForFunction(() => Number(document.querySelector(".chip.best")?.getAttribute("data-depth")) >= 12 || document.querySelector(".verdict-line.proved"));
    await page.evaluate(() => scrollTo(0, 0));
    await photograph(page, name);
    await end();
  }
  for (const [name, route, size] of [["learn", "learn", desktop], ["learn-phone", "learn", phone], ["puzzle", "puzzles", desktop], ["watch", "watch", desktop], ["compare", "compare/1", desktop]] as const) {
    const { page, end } = await visit(size, route);
    await page.locator(".square[data-disc=black], .cross").first().waitFor();
    if (route === "learn") {
      await page.locator(".steps button").nth(2).click();
      await legal(page).first().waitFor();
    }
    if (route === "puzzles") {
      await legal(page).first().click();
      await page.locator(".answer h3, .answer .right").first().waitFor();
    }
    if (route === "watch") {
      await page.getByRole("button", { name: "Start" }).click();
      await until(page, () => document.querySelectorAll(".log li").length > 14);
    }
    await photograph(page, name);
    await end();
  }
});
