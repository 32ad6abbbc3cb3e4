// Two people at two screens play one game: invitation, moves, offers, clocks, and everything that
// drops, reloads and dies meanwhile.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, inject, it } from "vitest";
import type { SavedGame } from "../src/api/wire";
import { faults } from "./axe";
import { anotherTab, choose, launch, legal, moves, ready, type Size, SIZES, square, until, type Visit, visit } from "./browser";
import { idOf, invite, join, saved, shows, type Wanted } from "./friends";
import { Served } from "./program";
import { soak } from "./soaking";

launch();

const [phone, desktop] = SIZES;

/** What browsers say of a server or network that is gone, and of refused requests. */
const GONE = /Failed to load resource|ERR_|Failed to fetch/;

/** Two visitors in one game: Ann, who has invited, and Bob. */
async function pair(size: Size = desktop!, wanted: Wanted = {}, url?: string): Promise<{ ann: Page; bob: Page; link: string; end(): Promise<void> }> {
  const at = url === undefined ? {} : { url };
  const visits: Visit[] = [await visit(size, "play", { ...at, hasTime: true }), await visit(size === phone ? desktop! : phone!, "play", { ...at, hasTime: true })];
  const [ann, bob] = visits.map(({ page }) => page) as [Page, Page];
  const link = await invite(ann, wanted);
  await join(bob, link);
  await ann.locator('.presence [data-side] .quiet', { hasText: "here" }).waitFor();
  return {
    ann,
    bob,
    link,
    async end() {
      for (const each of visits) await each.end(GONE);
    },
  };
}

/** Plays squares in turn: the first by `first`. Both screens show each of them. */
async function play(first: Page, second: Page, before: readonly string[], ...squares: string[]): Promise<string[]> {
  const all = [...before];
  for (const [index, name] of squares.entries()) {
    const page = index % 2 === 0 ? first : second;
    await square(page, name).and(legal(page)).click();
    all.push(name);
    await Promise.all([shows(first, all), shows(second, all)]);
  }
  return all;
}

const press = (page: Page, name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
const answer = (page: Page, name: string): Promise<void> => page.locator(".notice").getByRole("button", { name, exact: true }).click();
const status = (page: Page, text: string): Promise<void> => page.locator(".score .status", { hasText: text }).waitFor();

describe.each(SIZES)("on a $name", (size) => {
  it("a friend is invited by a link and a code, joins, and plays", async () => {
    const { page: ann, end } = await visit(size);
    const link = await invite(ann, { size: 8, name: "Ann" });
    expect(link).toMatch(/#\/friend\/\w{12}\/\w{12}$/);
    await ann.getByRole("img", { name: "The link for your friend as a QR code" }).waitFor();
    await status(ann, "Waiting for your friend");
    expect(await legal(ann).count()).toBe(0);
    expect(await faults(ann)).toEqual([]);
    const other = await visit(size);
    const bob = other.page;
    await bob.goto(link);
    await bob.getByRole("heading", { name: "Ann invites you to a game" }).waitFor();
    await bob.getByText("You play White.").waitFor();
    expect(await faults(bob)).toEqual([]);
    await join(bob, link, "Bob");
    // The code does not stay in the address.
    expect(new URL(bob.url()).hash).toBe(`#/friend/${idOf(ann)}`);
    await ann.locator(".seat.white .name", { hasText: "Bob" }).waitFor();
    await bob.locator(".seat.black .name", { hasText: "Ann" }).waitFor();
    await status(ann, "Your turn");
    await choose(size, square(ann, "f5").and(legal(ann)));
    await bob.locator('[data-square="f5"][data-disc="black"]').waitFor();
    expect(await legal(ann).count()).toBe(0);
    await status(bob, "Your turn");
    await choose(size, square(bob, "d6").and(legal(bob)));
    await Promise.all([shows(ann, ["f5", "d6"]), shows(bob, ["f5", "d6"])]);
    expect(await faults(bob)).toEqual([]);
    // It is among the games of both.
    await ann.getByRole("link", { name: "Games" }).click();
    await ann.locator(".games li", { hasText: "Bob" }).getByRole("button", { name: "Resume" }).click();
    await shows(ann, ["f5", "d6"]);
    await other.end(GONE);
    await ann.locator('.presence [data-side="white"] .quiet', { hasText: "away" }).waitFor();
    await end(GONE);
  });
});

describe("two people", () => {
  it("take back by request, which the other accepts or declines", async () => {
    const { ann, bob, end } = await pair();
    expect(await ann.getByRole("button", { name: "Ask to take back" }).getAttribute("aria-disabled")).toBe("true");
    await play(ann, bob, [], "f5");
    await press(ann, "Ask to take back");
    await ann.getByText("You ask Bob to let you take back your last move.").waitFor();
    await bob.getByRole("heading", { name: "Ann asks to take back their last move" }).waitFor();
    await answer(bob, "Decline");
    await ann.getByText("Bob declined the take-back").waitFor();
    await ann.locator(".notice").waitFor({ state: "hidden" });
    await shows(ann, ["f5"]);
    await ann.keyboard.press("u");
    await answer(bob, "Accept");
    await Promise.all([shows(ann, []), shows(bob, [])]);
    await status(ann, "Your turn");
    // Moving on is an answer too.
    await play(ann, bob, [], "d3");
    await press(ann, "Ask to take back");
    await bob.getByRole("heading", { name: "Ann asks" }).waitFor();
    await play(bob, ann, ["d3"], "c3");
    await ann.locator(".notice").waitFor({ state: "hidden" });
    // It can be withdrawn.
    await press(bob, "Ask to take back");
    await ann.getByRole("heading", { name: "Bob asks" }).waitFor();
    await answer(bob, "Withdraw");
    await ann.locator(".notice").waitFor({ state: "hidden" });
    expect(await bob.getByText("Ann declined").count()).toBe(0);
    await end();
  });

  it("agree to a draw, play again with sides swapped, resign", async () => {
    const { ann, bob, end } = await pair();
    await play(ann, bob, [], "f5");
    await ann.keyboard.press("d");
    await bob.getByRole("heading", { name: "Ann offers a draw" }).waitFor();
    await answer(bob, "Accept");
    for (const page of [ann, bob]) {
      await page.getByRole("heading", { name: "The game is over" }).waitFor();
      await page.getByText("A draw by agreement").first().waitFor();
      expect(await legal(page).count()).toBe(0);
    }
    const first = idOf(ann);
    await press(ann, "Rematch as White");
    await bob.getByText("Ann asks for a rematch with sides swapped: you would play Black.").waitFor();
    await answer(bob, "Accept");
    await bob.getByText("Rematch: you play Black now").waitFor();
    await ann.getByText("Rematch: you play White now").waitFor();
    for (const page of [ann, bob]) await page.locator(".seat.black .name", { hasText: "Bob" }).waitFor();
    expect(idOf(bob)).not.toBe(first);
    expect(idOf(ann)).toBe(idOf(bob));
    await status(bob, "Your turn");
    await play(bob, ann, [], "f5", "d6");
    await press(bob, "Resign");
    await bob.getByRole("dialog", { name: "Resign" }).getByText("Resign for Black? The game ends, and White wins.").waitFor();
    await bob.getByRole("dialog").getByRole("button", { name: "Resign" }).click();
    await bob.getByRole("heading", { name: "You lose" }).waitFor();
    await ann.getByRole("heading", { name: "You win!" }).waitFor();
    expect(await faults(ann)).toEqual([]);
    // The old game leads on to the new one.
    await ann.goto(`${inject("url")}#/friend/${first}`);
    await press(ann, "To the rematch");
    await ann.getByRole("heading", { name: "You win!" }).waitFor();
    await end();
  });

  it("lose nothing by reloads and drops of the network", async () => {
    const { ann, bob, end } = await pair();
    await play(ann, bob, [], "f5", "d6");
    await ann.reload();
    await ready(ann);
    await shows(ann, ["f5", "d6"]);
    // Ann's network is gone; she moves all the same.
    await ann.context().setOffline(true);
    await square(ann, "c3").and(legal(ann)).click();
    await status(ann, "No connection");
    await ann.locator('[data-square="c3"][data-disc="black"]').waitFor();
    expect(await moves(bob)).toEqual(["f5", "d6"]);
    await ann.context().setOffline(false);
    await shows(bob, ["f5", "d6", "c3"]);
    await bob.context().setOffline(true);
    await status(bob, "No connection");
    await bob.context().setOffline(false);
    await play(bob, ann, ["f5", "d6", "c3"], "d3");
    await end();
  });

  it("play on after the server was killed and has started again", async () => {
    const data = mkdtempSync(path(tmpdir(), "isrever-friends-"));
    let server = await Served.start(data);
    const { url } = server;
    const { ann, bob, end } = await pair(desktop!, { clock: "5+3" }, url);
    await play(ann, bob, [], "f5", "d6");
    await server.end("SIGKILL");
    await status(bob, "No connection");
    await square(ann, "c3").and(legal(ann)).click();
    await status(ann, "No connection");
    server = await Served.start(data, server.port);
    await Promise.all([shows(ann, ["f5", "d6", "c3"]), shows(bob, ["f5", "d6", "c3"])]);
    await play(bob, ann, ["f5", "d6", "c3"], "d3");
    await ann.locator('.presence [data-side="white"] .quiet', { hasText: "here" }).waitFor();
    expect((await saved(url, idOf(ann))).moves).toEqual(["f5", "d6", "c3", "d3"]);
    await end();
    await server.end();
    rmSync(data, { recursive: true, force: true });
  });

  it("see both clocks, and the server decides a loss on time while somebody is away", async () => {
    const { ann, bob, end } = await pair(desktop!, { clock: "5+3" });
    for (const page of [ann, bob]) for (const side of ["black", "white"]) expect(await page.locator(`.seat.${side} .clock`).textContent()).toBe("5:00");
    await play(ann, bob, [], "f5", "d6");
    for (const page of [ann, bob]) await page.locator(".seat.black .clock.runs").waitFor();
    // White's clock stands: it says the same on both sides, three seconds of increment included.
    const left = (await saved(inject("url"), idOf(ann))).friends!.clock!.left.white;
    const seconds = Math.floor(left / 1000);
    const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    for (const page of [ann, bob]) expect(await page.locator(".seat.white .clock").textContent()).toBe(text);
    await end();

    // One second for all moves: as short as the server takes it.
    const body = JSON.stringify({ size: 8, side: "black", name: "Ann", clock: { seconds: 1, increment: 0 } });
    const hosted = (await (await fetch(new URL("/api/friends", inject("url")), { method: "POST", body, headers: { "content-type": "application/json" } })).json()) as { id: string; token: string; code: string };
    const black = await visit(desktop!, `friend/${hosted.id}/black/${hosted.token}`);
    const white = await visit(phone!, "play");
    await join(white.page, `${inject("url")}#/friend/${hosted.id}/${hosted.code}`);
    // The token for another device does not stay in the address.
    expect(new URL(black.page.url()).hash).toBe(`#/friend/${hosted.id}`);
    await white.page.context().setOffline(true);
    await square(black.page, "f5").and(legal(black.page)).click();
    await black.page.getByText("White is out of time: Black wins").first().waitFor();
    await white.page.context().setOffline(false);
    await white.page.getByText("White is out of time: Black wins").first().waitFor();
    await white.page.getByRole("heading", { name: "You lose" }).waitFor();
    await black.end(GONE);
    await white.end(GONE);
  });

  it("are watched by those who have the link, who can change nothing", async () => {
    const { ann, bob, link, end } = await pair();
    await play(ann, bob, [], "f5");
    const third = await visit(phone!, "play", { hasTime: true });
    // The invitation is used up.
    await third.page.goto(link);
    await third.page.locator(".players").getByText("You are watching.").waitFor();
    await shows(third.page, ["f5"]);
    expect(await legal(third.page).count()).toBe(0);
    for (const name of ["Ask to take back", "Offer a draw", "Resign"]) expect(await third.page.getByRole("button", { name }).getAttribute("aria-disabled"), name).toBe("true");
    await ann.getByText("1 person watches").waitFor();
    await press(ann, "Links");
    const watch = await ann.getByRole("textbox", { name: "Link to watch" }).inputValue();
    await ann.keyboard.press("Escape");
    await third.page.goto(watch);
    await play(bob, ann, ["f5"], "d6");
    await shows(third.page, ["f5", "d6"]);
    // Whoever tries to join all the same is told so.
    const body = JSON.stringify({ code: link.split("/").at(-1), token: "x".repeat(32), name: "Eve" });
    const refused = await fetch(new URL(`/api/friends/${idOf(ann)}/join`, inject("url")), { method: "POST", body, headers: { "content-type": "application/json" } });
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([409, "seats-full"]);
    await third.end(GONE);
    await end();
  });

  it("play by keyboard alone, in Chinese", async () => {
    const host = await visit(desktop!, "play", { locale: "zh-CN" });
    const { page } = host;
    await page.keyboard.press("f");
    const dialog = page.getByRole("dialog", { name: "与朋友对弈" });
    await dialog.getByLabel("你的名字").fill("小安");
    await dialog.getByRole("button", { name: "邀请" }).press("Enter");
    const link = await page.getByRole("textbox", { name: "给朋友的链接" }).inputValue();
    const guest = await visit(desktop!, "play", { locale: "zh-CN" });
    await guest.page.goto(link);
    await guest.page.getByRole("heading", { name: "小安 邀请你对弈" }).waitFor();
    await guest.page.getByRole("button", { name: "加入" }).press("Enter");
    await status(page, "轮到你了");
    await page.keyboard.press("b");
    // The board's first focus is on some square: the first legal one is reached from there.
    await square(page, "d3").focus();
    await page.keyboard.press("Enter");
    await shows(guest.page, ["d3"]);
    await guest.page.keyboard.press("d");
    await page.getByRole("heading", { name: "提议和棋" }).waitFor();
    await page.locator(".notice").getByRole("button", { name: "拒绝" }).press("Enter");
    await guest.page.locator(".notice").waitFor({ state: "hidden" });
    expect(await faults(page)).toEqual([]);
    await guest.end(GONE);
    await host.end(GONE);
  });

  it("cancel an invitation, after which the link leads nowhere", async () => {
    const { page, end } = await visit(desktop!);
    const link = await invite(page);
    const guest = await visit(phone!);
    await guest.page.goto(link);
    await guest.page.getByRole("button", { name: "Join" }).waitFor();
    await press(page, "Cancel the invitation");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the invitation" }).click();
    for (const each of [page, guest.page]) await each.getByRole("heading", { name: "The invitation was cancelled" }).waitFor();
    await guest.end(GONE);
    await end(GONE);
  });
});

describe("whatever goes wrong", () => {
  it("both sides agree in the end", async () => {
    const counts = await soak(2, 7);
    expect(counts.games).toBe(2);
  });

  it("the server's games can be read by those who follow them", async () => {
    const { ann, bob, end } = await pair(desktop!, { size: 4 });
    const id = idOf(ann);
    await legal(ann).first().click();
    await legal(bob).first().waitFor();
    const game: SavedGame = await saved(inject("url"), id);
    expect([game.friends!.joined, game.black.name, game.white.name]).toEqual([{ black: true, white: true }, "Ann", "Bob"]);
    await end();
  });
});

it("nine games are followed by one browser, and all of them move", async () => {
  const host = await visit(desktop!, "play");
  const links: string[] = [];
  for (let number = 0; number < 9; number += 1) {
    await host.page.goto(`${inject("url")}#/play`);
    await ready(host.page);
    links.push(await invite(host.page, { size: 4 }));
  }
  // Somebody else has a tab for each: browsers open six connections to a server at most.
  const guest = await visit(desktop!, "play");
  const tabs: Page[] = [];
  for (const link of links) {
    const tab = await anotherTab(guest.page, inject("url"));
    tabs.push(tab);
    await join(tab, link);
  }
  const [first, ...rest] = tabs.map(idOf);
  expect(new Set([first, ...rest]).size).toBe(9);
  for (const tab of tabs) {
    // Loaded anew, so that no square of another game can be meant.
    await host.page.goto("about:blank");
    await host.page.goto(`${inject("url")}#/friend/${idOf(tab)}`);
    await ready(host.page);
    await legal(host.page).first().click();
    await legal(tab).first().waitFor();
    await legal(tab).first().click();
    await until(host.page, () => document.querySelectorAll(".moves [data-node]").length === 2);
  }
  for (const tab of tabs) await until(tab, () => document.querySelectorAll(".moves [data-node]").length === 2);
  await guest.end();
  await host.end();
});
