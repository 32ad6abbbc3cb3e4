// Playing as people do: by finger, mouse and keyboard, whole games, with undo, hints and clocks.
import { describe, expect, inject, it } from "vitest";
import { board, choose, health, launch, legal, moves, ready, SIZES, square, UNHEARD, until, visit } from "./browser";

launch();

describe.each(SIZES)("on a $name", (size) => {
  it("offers an agent only for the games that it plays", async () => {
    const { page, end } = await visit(size, "play");
    await page.getByRole("button", { name: "New game" }).click();
    const dialog = page.getByRole("dialog", { name: "New game" });
    const white = dialog.getByLabel("White", { exact: true });
    await white.selectOption("zero");
    await dialog.getByRole("radio", { name: "6×6" }).check();
    expect(await white.inputValue()).toBe("engine:level=3");
    expect(await white.locator("option[value=zero]").count()).toBe(0);
    await dialog.getByRole("radio", { name: "8×8" }).check();
    await white.selectOption("zero");
    await dialog.getByRole("button", { name: "Begin" }).click();
    await dialog.waitFor({ state: "detached" });
    await choose(size, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length >= 2);
    await end();
  });

  it("shows a board and the rule before anything is asked", async () => {
    const { page, end } = await visit(size);
    await page.getByText("Fewest discs win").first().waitFor();
    expect(await board(page).getByRole("gridcell").count()).toBe(64);
    expect(await legal(page).count()).toBe(4);
    expect(await page.title()).toBe("Play · Isrever");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(size.width);
    await end();
  });

  it("plays a whole game against a level, keeps it, and says who won", async () => {
    const { page, end } = await visit(size);
    await page.getByRole("button", { name: "New game" }).click();
    const dialog = page.getByRole("dialog", { name: "New game" });
    await dialog.getByRole("radio", { name: "6×6" }).check();
    await dialog.getByLabel("White", { exact: true }).selectOption("engine:level=2");
    await dialog.getByRole("button", { name: "Begin" }).click();
    await dialog.waitFor({ state: "detached" });
    // The table is laid anew when the server has sent the position.
    await until(page, () => document.querySelectorAll("[role=gridcell]").length === 36);
    while (!(await page.locator(".notice:not([hidden])").isVisible())) {
      await until(page, () => document.querySelector(".square.legal, .notice:not([hidden])") !== null);
      if ((await legal(page).count()) > 0) await choose(size, legal(page).first());
      // The board is closed while the move is drawn and the agent thinks.
      await until(page, () => document.querySelector(".square.legal, .notice:not([hidden])") !== null);
    }
    const counts = (await page.locator(".seat .count").allTextContents()).map(Number) as [number, number];
    const status = await page.locator(".score .status").textContent();
    const [black, white] = counts;
    expect(status).toMatch(black < white ? /^Black wins by/ : white < black ? /^White wins by/ : /^A draw/);
    await page.getByRole("heading", { name: black < white ? "You win!" : black > white ? "You lose" : "The game is over" }).waitFor();
    // It was kept on the server, move by move.
    await page.goto(`${page.url().split("#")[0]}#/games`);
    await page.locator(".game-row").first().waitFor();
    expect((await health()).games).toBeGreaterThan(0);
    expect(await page.locator(".game-row").first().textContent()).toContain("Level 2");
    await end();
  });

  it("takes back, plays another way, keeps both and finds them again after a reload", async () => {
    const { page, end } = await visit(size);
    await page.getByLabel("White", { exact: true }).selectOption("human");
    for (const name of ["f5", "d6", "c3"]) {
      await choose(size, square(page, name).and(legal(page)));
      await until(page, () => document.querySelector(".square.legal") !== null);
    }
    await page.getByRole("button", { name: "Take back" }).click();
    await choose(size, square(page, "c5").and(legal(page)));
    await page.locator(".moves .current", { hasText: "c5" }).waitFor();
    expect((await moves(page)).sort()).toEqual(["c3", "c5", "d6", "f5"]);
    await page.reload();
    await ready(page);
    await page.locator(".moves .current", { hasText: "c5" }).waitFor();
    expect((await moves(page)).sort()).toEqual(["c3", "c5", "d6", "f5"]);
    await page.locator(".moves [data-node]", { hasText: "f5" }).click();
    await page.locator(".moves .current", { hasText: "f5" }).waitFor();
    await expect.poll(() => page.locator(".seat .count").allTextContents(), { timeout: 120_000 }).toEqual(["4", "1"]);
    await end(UNHEARD);
  });

  it("gives a hint, and lets the engine move once", async () => {
    const { page, end } = await visit(size);
    await page.getByLabel("White", { exact: true }).selectOption("human");
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".square.pointed").waitFor();
    await page.getByRole("button", { name: "Let the engine move" }).click();
    await page.locator(".seat.white.turn").waitFor();
    expect(await moves(page)).toHaveLength(1);
    await end();
  });

  it("announces a forced pass", async () => {
    // After b1 White cannot move anywhere on this board.
    const { page, end } = await visit(size, "analyse/r4/-OXXXXXXXXXXXXXXO/");
    await page.getByText("White cannot move and passes").first().waitFor();
    await page.locator(".seat.black.turn").waitFor();
    await end();
  });

  it("runs clocks, after a reload too, and a fallen flag ends the game", async () => {
    const { page, end } = await visit(size);
    await page.clock.install();
    await page.keyboard.press("n");
    const dialog = page.getByRole("dialog", { name: "New game" });
    await dialog.getByLabel("White", { exact: true }).selectOption("human");
    await dialog.getByLabel("Clock").selectOption("1+0");
    await dialog.getByRole("button", { name: "Begin" }).click();
    // The game before has no clock: this is the new one.
    await page.locator(".seat.white .clock").waitFor();
    await choose(size, legal(page).first());
    await page.locator(".seat.white .clock.runs").waitFor();
    await page.clock.runFor(20_000);
    await page.reload();
    await ready(page);
    const left = await page.locator(".seat.white .clock.runs").textContent();
    expect(left).toMatch(/^0:[34]\d$/);
    await page.clock.runFor(60_000);
    await page.getByText("White is out of time: Black wins").first().waitFor();
    expect(await legal(page).count()).toBe(0);
    // The loss is kept, here and on the server.
    await page.reload();
    await ready(page);
    await page.getByText("White is out of time: Black wins").first().waitFor();
    expect(await legal(page).count()).toBe(0);
    await expect.poll(async () => {
      const saved = (await (await fetch(new URL("/api/games?limit=1", inject("url")))).json()) as { games: { state: string; end: unknown }[] };
      return [saved.games[0]!.state, saved.games[0]!.end];
    }, { timeout: 120_000 }).toEqual(["finished", { reason: "time", winner: "black" }]);
    await end(UNHEARD);
  });
});

const [, desktop] = SIZES;

describe("the page asks the server", () => {
  it("once for a move with its answer, and once for a forced pass", async () => {
    const { page, end } = await visit(desktop);
    // Saving the game is another matter: nobody waits for it.
    const isCounted = (path: string): boolean => path.startsWith("/api/") && !path.startsWith("/api/games");
    let requests: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (isCounted(pathname)) requests.push(pathname);
    });
    await square(page, "f5").and(legal(page)).click();
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2 && document.querySelector(".square.legal") !== null);
    expect(requests).toEqual(["/api/move"]);

    // White, an agent, has no move after a1; Black has d4, which ends the game.
    const address = page.url().split("#")[0]!;
    await page.goto(`${address}#/analyse/r4/-OX-XXXXXXXXXXO-X/`);
    await page.locator('.board[data-size="4"]').waitFor();
    await page.getByRole("button", { name: "Play on from here" }).click();
    await page.locator(".players").waitFor();
    await legal(page).first().waitFor();
    requests = [];
    const told = page.waitForResponse("**/api/position");
    await square(page, "a1").and(legal(page)).click();
    await page.getByText("White cannot move and passes").first().waitFor();
    await told;
    expect(requests).toEqual(["/api/position"]);
    await square(page, "d4").and(legal(page)).click();
    await page.locator(".notice:not([hidden])").waitFor();
    expect(requests).toEqual(["/api/position"]);
    await end();
  });
});

describe("by keyboard alone", () => {
  it("plays, looks back and asks for help", async () => {
    const { page, end } = await visit(desktop);
    await page.keyboard.press("b");
    const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.getAttribute("data-square"));
    expect(await focused()).toBe("d4");
    await page.keyboard.press("ArrowUp");
    expect(await focused()).toBe("d3");
    // What would turn is shown where the keyboard is.
    await page.locator('[data-square="d4"].would-turn').waitFor();
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2 && document.querySelector(".square.legal") !== null);
    expect(await page.locator("#voice").textContent()).toContain("Black to move");
    await page.keyboard.press("Tab");
    await page.keyboard.press("u");
    await until(page, () => document.querySelector(".moves .current") === null);
    await page.keyboard.press("r");
    await page.locator(".moves .current").waitFor();
    expect(await moves(page)).toHaveLength(2);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("6");
    await page.locator('nav [data-route="puzzles"][aria-current]').waitFor();
    await end();
  });

  it("says what every square is", async () => {
    const { page, end } = await visit(desktop);
    const label = (name: string): Promise<string | null> => square(page, name).getAttribute("aria-label");
    expect(await label("d3")).toBe("d3, empty, can be played, turns 1 disc");
    expect(await label("d4")).toBe("d4, White");
    expect(await label("a1")).toBe("a1, empty");
    await end();
  });
});

describe("a long game", () => {
  it.each(SIZES)("shows the present move in its list on a $name", async (size) => {
    const { page, end } = await visit(size, "analyse/r6/c2b4d5e2e3c1b1e4d1d2f2e1f3f4b3d6a5a4a3a2b5b2e6c5");
    const isInSight = (): boolean => {
      const box = (selector: string): DOMRect => document.querySelector(selector)!.getBoundingClientRect();
      const [list, move] = [box(".moves-list"), box(".moves .current")];
      return move.top >= list.top && move.bottom <= list.bottom;
    };
    await until(page, isInSight);
    for (let step = 0; step < 18; step += 1) await page.keyboard.press("ArrowLeft");
    await page.locator(".moves .current", { hasText: "c1" }).waitFor();
    await until(page, isInSight);
    await end();
  });
});

describe("nothing jumps", () => {
  it.each(SIZES)("while a game is played on a $name", async (size) => {
    const { page, end } = await visit(size);
    await page.evaluate(() => {
      const seen = { shift: 0 };
      (globalThis as unknown as { seen: typeof seen }).seen = seen;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (let turn = 0; turn < 4; turn += 1) {
      await choose(size, legal(page).first());
      await until(page, () => document.querySelector(".square.legal") !== null);
    }
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".square.pointed").waitFor();
    await page.getByRole("button", { name: "Hint" }).click();
    await page.locator(".chip.best").first().waitFor();
    const shift = await page.evaluate(() => (globalThis as unknown as { seen: { shift: number } }).seen.shift);
    expect(shift).toBeLessThan(0.01);
    await end();
  });
});
