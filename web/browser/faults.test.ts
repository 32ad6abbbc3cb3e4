// Small faults that were there once, each with what people saw.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { choose, launch, legal, moves, REFUSED, SIZES, square, until, visit } from "./browser";

launch();

const [, desktop] = SIZES;

describe("addresses", () => {
  it("of games that cannot be played open as much as can, by a few requests", async () => {
    const { page, end } = await visit(desktop, "play", { hasTime: true });
    const asked: string[] = [];
    page.on("request", (request) => void (request.url().endsWith("/api/position") && asked.push(request.url())));
    await page.goto(`${page.url().split("#")[0]}#/analyse/r8/f5${"d6".repeat(59)}`);
    await page.locator(".toast.error", { hasText: "A move is not legal." }).waitFor();
    expect(await moves(page)).toEqual(["f5", "d6"]);
    expect(asked.length).toBeLessThan(5);
    await end(REFUSED);
  });

  it.each(["analyse/%", "analyse/%zz", "analyse/review", "play/%", `analyse/r8/${"f5".repeat(600)}`])("that make no sense still show a screen: %s", async (route) => {
    const { page, end } = await visit(desktop, route, { hasTime: true });
    await page.locator(".toast.error").waitFor();
    await page.locator(".screen").waitFor();
    await end();
  });
});

describe("the graph", () => {
  it("has a scale for the highest scores", async () => {
    const { page, end } = await visit(desktop);
    // What is written on a canvas can be read only while it is written.
    await page.addInitScript(() => {
      const written = new Set<string>();
      (globalThis as unknown as { written: Set<string> }).written = written;
      const write = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (...words) {
        written.add(words[0]);
        write.apply(this, words);
      };
    });
    // White loses its last disc: the highest score there is.
    await page.goto(`${page.url().split("#")[0]}#/analyse/r8/${"-".repeat(27)}XO${"-".repeat(35)}X/f4`);
    await page.reload();
    await page.locator(".score .status", { hasText: "wins by 64" }).waitFor();
    await page.waitForFunction(() => {
      const { written } = globalThis as unknown as { written: Set<string> };
      return ["+64", "+32", "0", "−32", "−64"].every((label) => written.has(label));
    });
    await end();
  });
});

describe("files", () => {
  it("are read as they are: WTHOR is no text", async () => {
    const { page, end } = await visit(desktop, "analyse");
    await page.getByRole("button", { name: "Paste a game" }).click();
    const dialog = page.getByRole("dialog");
    const [file] = await Promise.all([page.waitForEvent("filechooser"), dialog.getByText("From a file").click()]);
    const content = await readFile("../testdata/formats/games.wtb");
    await file.setFiles({ name: "games.wtb", mimeType: "application/octet-stream", buffer: content });
    await until(page, () => document.querySelectorAll(".found li, .moves [data-node]").length > 0);
    expect(await dialog.getByRole("alert").count() === 0 || (await dialog.getByRole("alert").textContent()) === "").toBe(true);
    const found = dialog.locator(".found button").first();
    if ((await found.count()) > 0) await found.click();
    await page.locator(".moves [data-node]").first().waitFor();
    await end();
  });
});

describe("a position that is set up", () => {
  it("is not lost when the language is changed", async () => {
    const { page, end } = await visit(desktop, "setup");
    await square(page, "a1").click();
    await page.locator('[data-square="a1"][data-disc="black"]').waitFor();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog").getByLabel("Language").selectOption("zh");
    await page.getByRole("dialog", { name: "设置" }).getByRole("button", { name: "关闭" }).last().click();
    await page.getByText("点击格子放置棋子。").waitFor();
    await page.locator('[data-square="a1"][data-disc="black"]').waitFor();
    await end();
  });
});

describe("watching", () => {
  it("goes on while settings and language are changed, and keeps the game", async () => {
    const { page, end } = await visit(desktop, "watch");
    await page.getByRole("radio", { name: "Fast" }).check();
    await page.getByRole("button", { name: "Start" }).click();
    await until(page, () => document.querySelectorAll(".log li").length > 2);
    const first = await page.locator(".log li b").allTextContents();
    await page.getByRole("button", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Show coordinates").click();
    await dialog.getByText("Show legal squares").click();
    await dialog.getByLabel("Your name").fill("Ann");
    await dialog.getByLabel("Language").selectOption("zh");
    await page.getByRole("dialog", { name: "设置" }).getByRole("button", { name: "关闭" }).last().click();
    await page.getByText("程序对战").waitFor();
    await page.waitForFunction((count) => document.querySelectorAll(".log li").length > count, first.length);
    expect((await page.locator(".log li b").allTextContents()).slice(0, first.length)).toEqual(first);
    // The next game's size does not wipe this one either.
    await page.getByRole("button", { name: "分析这局棋" }).waitFor();
    const count = await page.locator(".log li").count();
    await page.getByRole("radio", { name: "4×4" }).check();
    await page.getByRole("radio", { name: "子多者胜" }).check();
    expect(await page.locator(".log li").count()).toBe(count);
    expect(await page.locator(".board").getAttribute("data-size")).toBe("8");
    await end();
  });

  it("of a puzzle does not lose it when the language is changed", async () => {
    const { page, end } = await visit(desktop, "puzzles/r6-1-7");
    // Until one of them is wrong, or the puzzle is solved.
    while (!(await page.locator(".answer h3").isVisible())) {
      await legal(page).last().click();
      await until(page, () => document.querySelector(".answer h3, .answer .right") !== null);
    }
    const chips = await page.locator(".chip:not(:empty)").allTextContents();
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("dialog").getByLabel("Language").selectOption("zh");
    await page.getByRole("dialog", { name: "设置" }).getByRole("button", { name: "关闭" }).last().click();
    await page.locator(".answer h3").waitFor();
    expect(await page.locator(".chip:not(:empty)").allTextContents()).toEqual(chips);
    await end();
  });
});

/** The buttons that a message covers. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const [toast] = [...document.querySelectorAll(".toast")].map((each) => each.getBoundingClientRect());
    // Behind a dialog nothing can be used.
    const front = document.querySelector("dialog .dialog-body") ?? document.querySelector("main")!;
    const buttons = [...front.querySelectorAll<HTMLElement>("button, select, [data-square]")];
    return buttons
      .filter((each) => {
        const box = each.getBoundingClientRect();
        return box.width > 0 && box.left < toast!.right && box.right > toast!.left && box.top < toast!.bottom && box.bottom > toast!.top;
      })
      .map((each) => each.textContent);
  });
}

describe.each(SIZES)("messages on a $name", (size) => {
  it("cover no button and no square", async () => {
    const { page, end } = await visit(size, "play", { hasTime: true });
    await page.route("**/api/move", (route) => route.fulfill({ status: 400, json: { error: { code: "bad-agent", message: "no", field: null } } }));
    await choose(size, legal(page).first());
    await page.locator(".toast").waitFor();
    expect(await covered(page)).toEqual([]);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Copy" }).click();
    await page.getByRole("dialog").locator(".toast", { hasText: "Copied" }).waitFor();
    expect(await covered(page)).toEqual([]);
    await end(REFUSED);
  });

  it("of the server are Chinese on a Chinese page", async () => {
    const { page, end } = await visit(size, "analyse", { locale: "zh-CN", hasTime: true });
    await page.getByRole("button", { name: "粘贴棋谱" }).click();
    const dialog = page.getByRole("dialog");
    const fault = dialog.getByRole("alert").filter({ hasText: /./ });
    for (const [text, expected] of [["f5 d6 a1", /a1/], ["what is this?", /./]] as const) {
      await dialog.getByLabel("棋谱或局面").fill(text);
      await dialog.getByRole("button", { name: "打开" }).click();
      await fault.filter({ hasText: expected }).waitFor();
      expect(await fault.textContent()).not.toMatch(/[a-z]{3}/i);
    }
    await page.keyboard.press("Escape");
    await page.route("**/api/move", (route) => route.fulfill({ status: 400, json: { error: { code: "bad-agent", message: "no such agent; expected another", field: null } } }));
    await page.goto(`${page.url().split("#")[0]}#/play`);
    await page.locator(".players").waitFor();
    await choose(size, legal(page).first());
    await page.locator(".toast.error").waitFor();
    expect(await page.locator(".toast.error").textContent()).not.toMatch(/[a-z]{3}/i);
    await end(REFUSED);
  });
});

describe("a lesson", () => {
  it("does not show the answer with the question", async () => {
    const { page, end } = await visit(desktop, "learn");
    await page.locator(".steps button").nth(3).click();
    await square(page, "a6").and(legal(page)).click();
    await page.locator(".feedback.wrong").waitFor();
    expect(await page.locator(".chip:not(:empty)").count()).toBe(0);
    await page.getByRole("button", { name: "Try again" }).click();
    await square(page, "c6").and(legal(page)).click();
    await page.locator(".feedback.right").waitFor();
    expect(await page.locator(".chip:not(:empty)").count()).toBe(3);
    await end();
  });
});

describe("names and variations", () => {
  const SGF = "(;GM[2]FF[4]SZ[8]RU[anti]PB[Ann]PW[Bob];B[f5](;W[d6];B[c3])(;W[f4];B[e3]))";

  it("of a pasted game survive to Share, in text and in a link", async () => {
    const { page, end } = await visit(desktop, "analyse");
    await page.getByRole("button", { name: "Paste a game" }).click();
    await page.getByRole("dialog").getByLabel("Game or position").fill(SGF);
    await page.getByRole("dialog").getByRole("button", { name: "Open" }).click();
    await page.locator(".seat.black .name", { hasText: "Ann" }).waitFor();
    expect((await moves(page)).sort()).toEqual(["c3", "d6", "e3", "f4", "f5"]);
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share" });
    await dialog.getByRole("button", { name: "SGF", exact: true }).click();
    await dialog.locator('[data-format="sgf"]').waitFor();
    expect(await dialog.getByLabel("As text").inputValue()).toBe(SGF);
    await dialog.getByRole("button", { name: "GGF", exact: true }).click();
    await dialog.locator('[data-format="ggf"]').waitFor();
    expect(await dialog.getByLabel("As text").inputValue()).toContain("PB[Ann]PW[Bob]");
    const link = await dialog.getByLabel("Link to this game").inputValue();
    await page.goto(link);
    await page.reload();
    await page.locator(".seat.white .name", { hasText: "Bob" }).waitFor();
    await end();
  });

  it("are told whether the whole game is shared or a part of it", async () => {
    const { page, end } = await visit(desktop, "analyse/r8/f5d6c3@2");
    await page.locator(".moves .current", { hasText: "d6" }).waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share" });
    const text = dialog.getByLabel("As text");
    await dialog.getByRole("button", { name: "Moves", exact: true }).click();
    await dialog.locator('[data-format="moves"]').waitFor();
    expect(await text.inputValue()).toBe("f5d6c3");
    await dialog.getByRole("radio", { name: "Up to here (2 moves)" }).check();
    expect(new URL(await dialog.getByLabel("Link to this game").inputValue()).hash).toBe("#/analyse/r8/f5d6");
    await dialog.getByRole("button", { name: "Moves", exact: true }).click();
    await dialog.locator('[data-format="moves"]').waitFor();
    expect(await text.inputValue()).toBe("f5d6");
    await end();
  });
});
