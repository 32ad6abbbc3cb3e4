// A browser for the suite: pages of two sizes that must not complain, and the few things that every
// test does with a board.

import { type Browser, chromium, type LaunchOptions, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";

export const SIZES = [
  { name: "phone", width: 360, height: 740 },
  { name: "desktop", width: 1280, height: 800 },
] as const;

/** A window; a phone is touched. */
export interface Size {
  readonly name: "phone" | "desktop";
  readonly width: number;
  readonly height: number;
}

/** The windows of the layouts: phones, tablets, pages at 200 %, and screens up to large ones. */
export const LAYOUTS: readonly Size[] = [
  { name: "phone", width: 320, height: 568 },
  { name: "phone", width: 390, height: 844 },
  { name: "phone", width: 844, height: 390 },
  { name: "desktop", width: 640, height: 400 },
  { name: "desktop", width: 768, height: 1024 },
  { name: "desktop", width: 1024, height: 600 },
  { name: "desktop", width: 1280, height: 720 },
  { name: "desktop", width: 1920, height: 1080 },
  { name: "desktop", width: 2560, height: 1440 },
];

let browser: Browser;

/** Which Chromium, and how it is started. */
export function executable(): LaunchOptions {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  // Without its sandbox it runs as root, as on a build machine; it visits our own pages only.
  return { executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] };
}

/** Chromium for all tests of a file. */
export function launch(): void {
  beforeAll(async () => {
    browser = await chromium.launch(executable());
  });
  afterAll(() => browser.close());
}

export interface Visit {
  readonly page: Page;
  /** Ends the visit; what the page complained of fails the test, but for what was expected. */
  end(expected?: RegExp): Promise<void>;
}

export interface Taste {
  readonly locale?: string;
  readonly colorScheme?: "light" | "dark";
  readonly reducedMotion?: "reduce" | "no-preference";
  /** The server, if it is not that of the suite. */
  readonly url?: string;
  /** Short messages stay, however slow the machine is that looks at them. */
  readonly hasTime?: boolean;
}

/** A new visitor, with nothing kept from before, at the screen `route`. */
export async function visit(size: Size, route = "play", taste: Taste = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    isMobile: size.name === "phone",
    hasTouch: size.name === "phone",
    locale: taste.locale ?? "en-US",
    colorScheme: taste.colorScheme ?? "light",
    reducedMotion: taste.reducedMotion ?? "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  if (taste.hasTime) await context.addInitScript(keepMessages);
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const complaints = listen(page);
  await page.goto(`${taste.url ?? inject("url")}#/${route}`);
  await ready(page);
  return {
    page,
    async end(expected) {
      await context.close();
      expect(complaints.filter((words) => !expected?.test(words))).toEqual([]);
    },
  };
}

/** Another tab of the same visitor. */
export async function anotherTab(page: Page, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  tab.setDefaultTimeout(120_000);
  await tab.goto(address);
  await ready(tab);
  return tab;
}

/** Leaves out timers as long as those that take messages away. */
function keepMessages(): void {
  const set = globalThis.setTimeout;
  globalThis.setTimeout = ((act: () => void, ms = 0, ...rest: unknown[]) => (ms >= 3000 ? 0 : set(act, ms, ...rest))) as typeof setTimeout;
}

/** Collects what a page says in its console, refusals of the content security policy among it. */
export function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

/** What the browser itself says when the server refuses a request. */
export const REFUSED = /^Failed to load resource: the server responded with a status of 400/;

/** What it says when a page that was left has saved a move whose confirmation nobody heard. */
export const UNHEARD = /^Failed to load resource: the server responded with a status of 409/;

/** Resolves when the first screen is drawn. */
export async function ready(page: Page): Promise<void> {
  await page.locator("html.ready").waitFor();
}

export const board = (page: Page): Locator => page.getByRole("grid");
export const square = (page: Page, name: string): Locator => page.locator(`[data-square="${name}"]`);

/** The squares that can be chosen right now. */
export const legal = (page: Page): Locator => page.locator(".square.legal");

/** Chooses a square as a person of this screen would. */
export async function choose(size: Size, target: Locator): Promise<void> {
  await (size.name === "phone" ? target.tap() : target.click());
}

/** The moves in the list, as far as it shows the main line and its variations. */
export async function moves(page: Page): Promise<string[]> {
  return page.locator(".moves [data-node]").evaluateAll((buttons) => buttons.map((each) => each.firstChild?.textContent ?? ""));
}

/** Waits until something holds; it is asked again with every picture the browser draws. */
export async function until(page: Page, holds: () => boolean): Promise<void> {
  await page.waitForFunction(holds);
}

/** More controls than any screen has. */
const MOST_TABS = 200;

/** Presses Tab until the focus is on `target`. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not lead there");
}

/** The streams that a page asks for over its channel, from before it opens that. */
export function streams(page: Page): URL[] {
  const asked: URL[] = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => {
      const { path } = JSON.parse(String(payload)) as { path?: string };
      if (path !== undefined) asked.push(new URL(path, page.url()));
    });
  });
  return asked;
}

/** What the server says of itself. */
export async function health(): Promise<{ searches: { running: number; queued: number }; streams: number; games: number }> {
  const response = await fetch(new URL("/api/health", inject("url")));
  return (await response.json()) as Awaited<ReturnType<typeof health>>;
}
