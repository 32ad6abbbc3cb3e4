// Photographs every screen at nine sizes, in both languages and themes, for people to look at:
// `cargo xtask web gallery`. `GALLERY` names the folder; `ROUTES` chooses screens.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { it } from "vitest";
import { LAYOUTS, launch, ready, visit } from "./browser";

launch();

const FOLDER = process.env["GALLERY"] ?? "../target/gallery";

/** The screens by name, and what each shows last. */
const SCREENS: readonly (readonly [name: string, route: string, last: string])[] = [
  ["play", "play", ".square.legal"],
  ["new", "play", ".square.legal"],
  ["settings", "play", ".square.legal"],
  ["analyse", "analyse/r8/f5d6c3d3c4f4f6f3e6e7d7c5b6d8", ".chip.best"],
  ["large", "analyse/r12/", ".square.legal"],
  ["setup", "setup", ".square[data-disc=black]"],
  ["watch", "watch", ".square[data-disc=black]"],
  ["own", "watch", ".square[data-disc=black]"],
  ["compare", "compare", ".data tbody tr"],
  ["tournament", "compare/1", ".cross"],
  ["learn", "learn", ".square.legal"],
  ["puzzles", "puzzles", ".square.legal"],
  ["games", "games", ".card"],
  ["explore", "explore/r8/f5d6", ".book-moves tr, .book-help .button"],
];

/** What is opened on a screen before it is photographed. */
async function open(page: Page, name: string, isEnglish: boolean): Promise<void> {
  if (name === "new") await page.locator(".players .button.primary").click();
  if (name === "settings") await page.locator(".top-tools .tool").last().click();
  if (name === "own") {
    await page.locator(".side select").first().selectOption("chatty");
    await page.getByRole("button", { name: isEnglish ? "One move" : "走一手" }).click();
    await page.locator(".printed details").first().waitFor();
  }
}

const wanted = process.env["ROUTES"]?.split(",");

for (const [name, route, last] of SCREENS.filter(([name]) => wanted?.includes(name) ?? true)) {
  it(`photographs ${name}`, async () => {
    mkdirSync(FOLDER, { recursive: true });
    for (const colorScheme of ["light", "dark"] as const) {
      for (const locale of ["en-US", "zh-CN"] as const) {
        const { page, end } = await visit({ ...LAYOUTS[0]!, name: "desktop" }, route, { colorScheme, locale });
        await page.locator(last).first().waitFor();
        await open(page, name, locale === "en-US");
        for (const { width, height } of LAYOUTS) {
          await page.setViewportSize({ width, height });
          await ready(page);
          await page.evaluate(async () => {
            scrollTo(0, 0);
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            await Promise.allSettled(document.getAnimations().map((each) => each.finished));
          });
          await page.screenshot({ path: join(FOLDER, `${name}-${width}x${height}-${locale.slice(0, 2)}-${colorScheme}.png`) });
        }
        await end();
      }
    }
  });
}
