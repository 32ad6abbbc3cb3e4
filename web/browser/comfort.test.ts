// Comfort: sounds, shortcuts that can be switched off, a page that can be installed.
import { describe, expect, inject, it } from "vitest";
import { choose, launch, legal, moves, SIZES, until, visit } from "./browser";

launch();

const desktop = SIZES[1];

describe("sounds", () => {
  it("are off until they are switched on, and then a move is heard", async () => {
    const { page, end } = await visit(desktop);
    // Counts what is heard in place of the speakers.
    await page.evaluate(() => {
      const heard = { tones: 0 };
      Object.assign(globalThis, { heard });
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (when?: number) {
        heard.tones += 1;
        start.call(this, when);
      };
    });
    const heard = (): Promise<number> => page.evaluate(() => (globalThis as unknown as { heard: { tones: number } }).heard.tones);
    await page.getByLabel("White", { exact: true }).selectOption("human");
    await choose(desktop, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 1);
    expect(await heard()).toBe(0);
    await page.getByRole("button", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByText("Sounds").click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const before = await heard();
    expect(before).toBeGreaterThan(0);
    await choose(desktop, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    expect(await heard()).toBeGreaterThan(before);
    // It is remembered.
    expect(await page.evaluate(() => (JSON.parse(localStorage.getItem("isrever")!) as { sounds: boolean }).sounds)).toBe(true);
    await end();
  });
});

describe("shortcuts", () => {
  it("of single letters can be switched off, those of other keys stay", async () => {
    const { page, end } = await visit(desktop);
    await page.getByLabel("White", { exact: true }).selectOption("human");
    await choose(desktop, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 1);
    await page.getByRole("button", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByText("Single letters are shortcuts").click();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.locator("h1").first().waitFor({ state: "attached" });
    for (const key of ["n", "2", "?", "u"]) await page.keyboard.press(key);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(page.url()).toContain("#/play/");
    expect(await moves(page)).toHaveLength(1);
    expect(await page.locator("[aria-keyshortcuts=n], [aria-keyshortcuts='2']").count()).toBe(0);
    await page.keyboard.press("Home");
    await until(page, () => document.querySelector(".moves .current") === null);
    await end();
  });
});

describe("installing", () => {
  it("is possible: a manifest, icons of its sizes, a colour", async () => {
    const { page, end } = await visit(desktop);
    const href = await page.locator("link[rel=manifest]").getAttribute("href");
    const address = new URL(href!, inject("url"));
    const response = await fetch(address);
    expect(response.headers.get("content-type")).toBe("application/manifest+json");
    const manifest = (await response.json()) as { name: string; display: string; start_url: string; icons: { src: string; sizes: string; purpose: string }[] };
    expect(manifest.name).toContain("Isrever");
    expect([manifest.display, manifest.start_url]).toEqual(["standalone", "./"]);
    for (const [sizes, purpose] of [["192x192", "any"], ["512x512", "any"], ["512x512", "maskable"]]) {
      const icon = manifest.icons.find((each) => each.sizes === sizes && each.purpose === purpose)!;
      const natural = await page.evaluate(async (src) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, new URL(icon.src, address).href);
      expect(natural).toBe(sizes);
    }
    expect(await page.locator("meta[name=theme-color]").count()).toBe(2);
    await end();
  });

  it("and loading are quick: what is text comes compressed", async () => {
    for (const name of ["app.js", "app.css"]) {
      const response = await fetch(new URL(name, inject("url")), { headers: { "accept-encoding": "gzip" } });
      expect(response.headers.get("content-encoding")).toBe("gzip");
      expect(response.headers.get("vary")).toContain("accept-encoding");
      expect((await response.text()).length).toBeGreaterThan(10_000);
    }
  });
});
