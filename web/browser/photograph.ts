// Photographs screens at nine sizes, in both languages and themes, for people to look at, and checks
// what a program can see: nothing is wrong for axe-core, and nothing has to be scrolled to the side.
// `GALLERY` names the folder of the pictures; `ROUTES` chooses screens.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { addMessages, setLanguage } from "../src/messages/messages";
import { clubEn } from "../src/messages/club/en";
import { clubZh } from "../src/messages/club/zh";
import { faults } from "./axe";
import { LAYOUTS, ready, type Size, type Taste, type Visit } from "./browser";

const FOLDER = process.env["GALLERY"] ?? "../target/gallery";

/** The screens that are wanted; all, if nothing is said. */
const wanted = process.env["ROUTES"]?.split(",");

/** The window in which a screen is brought up, before it changes its size. */
export const STUDIO: Size = { name: "desktop", width: 1280, height: 800 };

/** The widths at which axe-core looks: a phone's and a desktop's. It takes long. */
const LOOKED_AT = [390, 1280];

/** A screen in one of its states. */
export interface Screen {
  readonly name: string;
  /** Brings it up; `t` has the words of its language by now. */
  show(taste: Taste): Promise<Visit>;
}

addMessages({ en: clubEn, zh: clubZh });

/** A test for each screen. Faults are told at the end, when all pictures are there. */
export function photographEach(screens: readonly Screen[]): void {
  for (const { name, show } of screens.filter((each) => wanted?.includes(each.name) ?? true)) {
    it(`photographs ${name}`, async () => {
      mkdirSync(FOLDER, { recursive: true });
      const found: string[] = [];
      for (const colorScheme of ["light", "dark"] as const) {
        for (const language of ["en", "zh"] as const) {
          setLanguage(language);
          const { page, end } = await show({ colorScheme, locale: language === "en" ? "en-US" : "zh-CN" });
          for (const { width, height } of LAYOUTS) {
            await page.setViewportSize({ width, height });
            await still(page);
            const picture = `${name}-${width}x${height}-${language}-${colorScheme}`;
            await page.screenshot({ path: join(FOLDER, `${picture}.png`) });
            const problems = [...(await tooWide(page)), ...(LOOKED_AT.includes(width) ? await faults(page) : [])];
            found.push(...problems.map((problem) => `${picture}: ${problem}`));
          }
          await end();
        }
      }
      expect(found).toEqual([]);
    });
  }
}

/** Waits until nothing moves, at the head of the page. */
async function still(page: Page): Promise<void> {
  await ready(page);
  await page.evaluate(async () => {
    scrollTo(0, 0);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((each) => each.finished));
  });
}

/** What is wider than its place, the page in the window or what a dialog shows in the dialog, and what reaches furthest there. */
async function tooWide(page: Page): Promise<string[]> {
  return page.locator(":is(html, dialog[open])").evaluateAll((all) =>
    all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => {
      const edge = (part: Element): number => part.getBoundingClientRect().right;
      const [widest] = [...each.querySelectorAll("*")].sort((one, other) => edge(other) - edge(one));
      return `${each.localName} has to be scrolled to the side, for ${widest?.outerHTML.slice(0, 80)}`;
    }),
  );
}
