// Games are not lost: each has its own address and its own place, whatever is analysed, pasted,
// replayed or opened beside it, in other tabs and on other devices.
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import { anotherTab, choose, launch, legal, listen, moves, ready, type Size, SIZES, square, UNHEARD, until, visit } from "./browser";

launch();

const [phone, desktop] = SIZES;

/** Six plies that two people may play. */
const SIX = ["f5", "d6", "c3", "d3", "c4", "f4"];

const address = (page: Page): string => page.url().split("#")[0]!;
const hash = (page: Page): string => new URL(page.url()).hash;

/** Plays squares for both sides. */
async function play(size: Size, page: Page, ...squares: string[]): Promise<void> {
  const { length } = await moves(page);
  for (const [index, name] of squares.entries()) {
    await choose(size, square(page, name).and(legal(page)));
    await page.waitForFunction((wanted) => document.querySelectorAll(".moves [data-node]").length === wanted, length + index + 1);
    await until(page, () => document.querySelector(".square.legal, .notice:not([hidden])") !== null);
  }
}

/** A new visitor who plays both sides. */
async function twoPeople(size: Size): ReturnType<typeof visit> {
  const visitor = await visit(size, "play", { hasTime: true });
  await visitor.page.getByLabel("White", { exact: true }).selectOption("human");
  return visitor;
}

/** Goes to a screen as a link does. */
async function go(page: Page, route: string): Promise<void> {
  await page.goto(`${address(page)}#/${route}`);
}

/** Waits until the game on the screen has these moves. */
async function shows(page: Page, wanted: readonly string[]): Promise<void> {
  await page.waitForFunction((text) => [...document.querySelectorAll(".moves [data-node]")].map((each) => each.firstChild?.textContent).join(" ") === text, wanted.join(" "));
}

/** The server's name of the game on the screen, as soon as the server has all of its moves. */
async function savedId(page: Page): Promise<string> {
  const handle = await page.waitForFunction(() => {
    const id = location.hash.split("/")[2]!;
    const moves = document.querySelectorAll(".moves [data-node]").length;
    const { saved } = JSON.parse(localStorage[`isrever.game.${id}`] ?? "{}") as { saved?: { id: string; moves: string[] } | null };
    return saved?.moves.length === moves ? saved.id : null;
  });
  return (await handle.jsonValue())!;
}

describe.each(SIZES)("on a $name", (size) => {
  it("a game survives back, forward, reload and other links", async () => {
    const { page, end } = await twoPeople(size);
    await play(size, page, ...SIX);
    const game = hash(page);
    await go(page, "analyse/r8/c4e3");
    await shows(page, ["c4", "e3"]);
    await page.goBack();
    await shows(page, SIX);
    expect(hash(page)).toBe(game);
    expect(game).toMatch(/^#\/play\/\w+$/);
    await page.goForward();
    await shows(page, ["c4", "e3"]);
    await go(page, "play");
    await shows(page, SIX);
    expect(hash(page)).toBe(game);
    await page.reload();
    await ready(page);
    await shows(page, SIX);
    expect(hash(page)).toBe(game);
    // It is the same game on the server too.
    await play(size, page, "f3");
    const saved = (await (await fetch(new URL("/api/games?limit=1", inject("url")))).json()) as { games: { ply: number }[] };
    expect(saved.games[0]!.ply).toBe(7);
    await end(UNHEARD);
  });

  it("moves that are tried in analysis are no moves of the game", async () => {
    const { page, end } = await twoPeople(size);
    await play(size, page, "f5", "d6");
    await page.getByRole("button", { name: "Analyse", exact: true }).click();
    await page.locator(".engine").waitFor();
    await play(size, page, "c3", "d3");
    await page.goBack();
    await page.locator(".players").waitFor();
    await shows(page, ["f5", "d6"]);
    await page.goForward();
    await shows(page, ["f5", "d6", "c3", "d3"]);
    await page.getByRole("link", { name: "Back to the game" }).click();
    await shows(page, ["f5", "d6"]);
    await page.reload();
    await ready(page);
    await shows(page, ["f5", "d6"]);
    // To play on from an analysis is a game of its own.
    const game = hash(page);
    await go(page, "analyse/r8/f5d6c3");
    await shows(page, ["f5", "d6", "c3"]);
    await page.getByRole("button", { name: "Play on from here" }).click();
    await page.locator(".players").waitFor();
    expect(hash(page)).not.toBe(game);
    await page.goto(`${address(page)}${game}`);
    await shows(page, ["f5", "d6"]);
    await end(UNHEARD);
  });

  it("a replay of an agent that the server does not offer leaves Play alone", async () => {
    const { page, end } = await visit(size, "compare/1");
    await page.route(/\/api\/tournaments\/1\/games\/\d+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), black: "python:ai.py", white: "python:ai.py" } });
    });
    await page.getByRole("button", { name: /^Replay \d+$/ }).first().click();
    await page.locator(".seat.black .name", { hasText: "python:ai.py" }).waitFor();
    await go(page, "play");
    await page.locator(".players").waitFor();
    await choose(size, square(page, "f5").and(legal(page)));
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    await page.reload();
    await ready(page);
    await page.keyboard.press("n");
    expect(await page.getByRole("dialog").getByLabel("White", { exact: true }).inputValue()).not.toContain("python");
    await end(UNHEARD);
  });

  it("several games go on side by side, and are found, searched and deleted", async () => {
    const { page, end } = await twoPeople(size);
    await play(size, page, "f5");
    const first = hash(page);
    // A new game asks what becomes of the unfinished one.
    await page.getByRole("button", { name: "New game" }).click();
    const dialog = page.getByRole("dialog", { name: "New game" });
    await dialog.getByText("Your unfinished game (1 move)").waitFor();
    await dialog.getByRole("radio", { name: "6×6" }).check();
    await dialog.getByLabel("White", { exact: true }).selectOption("greedy");
    await dialog.getByRole("button", { name: "Begin" }).click();
    await page.locator('.board[data-size="6"]').waitFor();
    await choose(size, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    await page.getByRole("link", { name: "Games" }).click();
    await until(page, () => document.querySelectorAll(".games li").length === 2);
    const rows = page.locator(".games li");
    expect(await rows.first().textContent()).toContain("Greedy");
    expect(await rows.last().textContent()).toContain("Running, 1 move");
    expect(await rows.last().textContent()).not.toContain("1 moves");
    await page.getByLabel("Search").fill("8x8");
    await until(page, () => document.querySelectorAll(".games li").length === 1);
    await rows.first().getByRole("button", { name: "Resume" }).click();
    await shows(page, ["f5"]);
    expect(hash(page)).toBe(first);
    await play(size, page, "d6");
    await page.getByRole("link", { name: "Games" }).click();
    await until(page, () => document.querySelectorAll(".games li").length === 2);
    await rows.filter({ hasText: "6×6" }).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: "Delete" }).getByRole("button", { name: "Delete" }).click();
    await until(page, () => document.querySelectorAll(".games li").length === 1);
    await page.reload();
    await ready(page);
    expect(await rows.count()).toBe(1);
    // A game that is not there is said not to be.
    await go(page, "play/nothing");
    await page.getByText("This game is not in this browser.").waitFor();
    await end(UNHEARD);
  });

  it("exactly the game that is deleted is gone, in My games and where New game asks", async () => {
    const { page, end } = await twoPeople(size);
    const dialog = page.getByRole("dialog", { name: "New game" });
    /** Begins another game; the unfinished one is kept or deleted. */
    const beginAnother = async (fate: "Keep in My games" | "Delete"): Promise<void> => {
      const before = hash(page);
      await page.getByRole("button", { name: "New game" }).click();
      await dialog.getByRole("radio", { name: fate }).check({ force: true });
      await dialog.getByRole("button", { name: "Begin" }).click();
      await page.waitForFunction((old) => location.hash !== old, before);
      await shows(page, []);
    };
    const played: { hash: string; saved: string }[] = [];
    const playOut = async (plies: number): Promise<void> => {
      await play(size, page, ...SIX.slice(0, plies));
      played.push({ hash: hash(page), saved: await savedId(page) });
    };
    await playOut(1);
    await beginAnother("Keep in My games");
    await playOut(2);
    await beginAnother("Keep in My games");
    await playOut(3);
    // Whoever closes the question has deleted nothing, and is asked anew.
    await page.getByRole("button", { name: "New game" }).click();
    await dialog.getByRole("radio", { name: "Delete" }).check({ force: true });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "New game" }).click();
    expect(await dialog.getByRole("radio", { name: "Keep in My games" }).isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await shows(page, SIX.slice(0, 3));
    await beginAnother("Delete");
    await playOut(4);
    const [one, two, three, four] = played as [(typeof played)[0], (typeof played)[0], (typeof played)[0], (typeof played)[0]];

    /** Which games this browser lists, and which of all the server has, after a reload. */
    const left = async (): Promise<unknown> => {
      await go(page, "games");
      await page.reload();
      await ready(page);
      const rows = await page.locator(".games li .game-words > span:nth-of-type(1)").allTextContents();
      const known = await Promise.all(played.map(async ({ saved }) => (await fetch(new URL(`/api/games/${saved}`, inject("url")))).status));
      return { rows, known };
    };
    await expect.poll(left).toEqual({ rows: ["Running, 4 moves", "Running, 2 moves", "Running, 1 move"], known: [200, 200, 404, 200] });
    // In the list it asks, and whoever cancels keeps the game.
    const bin = page.locator(".games li", { hasText: "2 moves" }).getByRole("button", { name: "Delete" });
    const question = page.getByRole("dialog", { name: "Delete" });
    await choose(size, bin);
    await question.getByText("Delete this game for good?").waitFor();
    await choose(size, question.getByRole("button", { name: "Cancel" }).last());
    await question.waitFor({ state: "detached" });
    await expect.poll(left).toMatchObject({ known: [200, 200, 404, 200] });
    await choose(size, bin);
    await choose(size, question.getByRole("button", { name: "Delete" }));
    await question.waitFor({ state: "detached" });
    await expect.poll(left).toEqual({ rows: ["Running, 4 moves", "Running, 1 move"], known: [200, 404, 404, 200] });
    // The deleted ones cannot be reached by their addresses, the others are as they were.
    for (const gone of [two, three]) {
      await page.goto(`${address(page)}${gone.hash}`);
      await page.getByText("This game is not in this browser.").first().waitFor();
    }
    for (const [kept, plies] of [[one, 1], [four, 4]] as const) {
      await page.goto(`${address(page)}${kept.hash}`);
      await shows(page, SIX.slice(0, plies));
    }
    await end(UNHEARD);
  });

  it("a game is resigned, and the rematch says which side it gives", async () => {
    const { page, end } = await visit(size);
    expect(await page.getByRole("button", { name: "Resign" }).getAttribute("aria-disabled")).toBe("true");
    await choose(size, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
    await page.getByRole("button", { name: "Resign" }).click();
    await page.getByRole("dialog", { name: "Resign" }).getByText("Resign for Black? The game ends, and White wins.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await page.getByRole("heading", { name: "You lose" }).waitFor();
    await page.getByText("Black resigns: White wins").first().waitFor();
    expect(await legal(page).count()).toBe(0);
    await page.reload();
    await ready(page);
    await page.getByRole("heading", { name: "You lose" }).waitFor();
    const lost = hash(page);
    await page.getByRole("button", { name: "Rematch as White" }).click();
    await page.locator(".seat.white .name", { hasText: "Human" }).waitFor();
    expect(hash(page)).not.toBe(lost);
    await page.getByRole("link", { name: "Games" }).click();
    await page.locator(".games li", { hasText: "Black resigns: White wins" }).waitFor();
    await end(UNHEARD);
  });

  it("a change of the opponent is told and kept", async () => {
    const { page, end } = await twoPeople(size);
    await play(size, page, "f5", "d6");
    await page.getByLabel("White", { exact: true }).selectOption("engine:level=2");
    await page.getByText("Until move 2: Human – Human").waitFor();
    await choose(size, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 4);
    await page.reload();
    await ready(page);
    await page.getByText("Until move 2: Human – Human").waitFor();
    await page.getByRole("link", { name: "Games" }).click();
    await page.getByRole("radio", { name: "Everybody's" }).check();
    await page.getByRole("link", { name: "Export as GGF" }).waitFor();
    await page.locator("li:not(.own) .game-row").first().waitFor();
    expect(await page.locator(".game-row").first().textContent()).toContain("Guest, Level 2");
    await end(UNHEARD);
  });

  it("a person who has White can take nothing back before their first move", async () => {
    const { page, end } = await visit(size);
    await page.getByRole("button", { name: "Swap sides" }).click();
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 1 && document.querySelector(".square.legal") !== null);
    const undo = page.getByRole("button", { name: "Take back" });
    expect(await undo.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("u");
    expect(await page.locator(".score .status").textContent()).toBe("White to move");
    await choose(size, legal(page).first());
    await until(page, () => document.querySelectorAll(".moves [data-node]").length === 3 && document.querySelector(".square.legal") !== null);
    await undo.click();
    await page.locator(".moves .current").waitFor();
    expect(await page.locator(".score .status").textContent()).toBe("White to move");
    await end(UNHEARD);
  });
});

describe("two tabs", () => {
  it("show one game, whoever moves, and lose nothing", async () => {
    const { page, end } = await twoPeople(desktop);
    await play(desktop, page, "f5");
    const other = await anotherTab(page, page.url());
    const complaints = listen(other);
    await shows(other, ["f5"]);
    await play(desktop, page, "d6");
    await shows(other, ["f5", "d6"]);
    await other.locator('[data-square="d6"][data-disc="white"]').waitFor();
    await play(desktop, other, "c3");
    await shows(page, ["f5", "d6", "c3"]);
    // Another game in the other tab is another game.
    await other.goto(`${address(other)}#/analyse/r8/d3`);
    await shows(other, ["d3"]);
    await play(desktop, page, "d3");
    await page.reload();
    await ready(page);
    await shows(page, ["f5", "d6", "c3", "d3"]);
    const saved = (await (await fetch(new URL("/api/games?limit=1", inject("url")))).json()) as { games: { ply: number }[] };
    expect(saved.games[0]!.ply).toBe(4);
    expect(complaints).toEqual([]);
    await end(UNHEARD);
  });
});

describe("settings", () => {
  it("of one tab are those of the other", async () => {
    const { page, end } = await visit(desktop);
    const other = await anotherTab(page, page.url());
    await page.getByRole("button", { name: "Light or dark" }).click();
    await other.locator('html[data-theme="dark"]').waitFor();
    await other.getByRole("button", { name: "Settings" }).click();
    await other.getByLabel("Language").selectOption("zh");
    await page.getByText("子少者胜").first().waitFor();
    await page.reload();
    await page.locator('html[data-theme="dark"][lang="zh-Hans"]').waitFor();
    await end();
  });
});

describe("two devices", () => {
  it("play one game, and say when both have moved", async () => {
    const { page, end } = await twoPeople(desktop);
    await play(desktop, page, "f5");
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("button", { name: "Link for your other device" }).click();
    const link = await page.getByRole("textbox", { name: "Link for your other device" }).inputValue();
    await page.keyboard.press("Escape");
    const away = await visit(phone, "play", { hasTime: true });
    await away.page.goto(link);
    await shows(away.page, ["f5"]);
    expect(hash(away.page)).toMatch(/^#\/play\/\w+$/);
    await play(phone, away.page, "d6");
    await shows(page, ["f5", "d6"]);
    await play(desktop, page, "c3");
    await shows(away.page, ["f5", "d6", "c3"]);
    // The phone hears nothing for a while, and its owner moves all the same.
    await away.page.route("**/follow", (route) => route.abort());
    await away.page.routeWebSocket("**/api/channel", (socket) => void socket.close());
    await away.page.reload();
    await ready(away.page);
    await shows(away.page, ["f5", "d6", "c3"]);
    await play(desktop, page, "d3");
    const another = away.page.locator('.square.legal:not([data-square="d3"])').first();
    const name = (await another.getAttribute("data-square"))!;
    await choose(phone, another);
    await away.page.getByText(`Your ${name} is kept as a variation`).waitFor();
    await away.page.locator('[data-square="d3"][data-disc="white"]').waitFor();
    expect((await moves(away.page)).sort()).toEqual(["c3", "d3", "d6", "f5", name].sort());
    expect(await moves(page)).toEqual(["f5", "d6", "c3", "d3"]);
    await away.end(/Failed to load resource|ERR_FAILED/);
    await end(UNHEARD);
  });
});
