// The gallery's screens of the board, and their states: `cargo xtask web gallery`.
import type { Page } from "playwright-core";
import { type Key, t } from "../src/messages/messages";
import { launch, legal, type Taste, until, type Visit, visit } from "./browser";
import { photographEach, type Screen, STUDIO } from "./photograph";

launch();

/** A game in its middle. */
const MIDDLE = "analyse/r8/f5d6c3d3c4f4f6f3e6e7d7c5b6d8";

/** A game with a mistake that is proved to be one: the corner, White's answer, and a move that loses less. */
const MISTAKES = "analyse/r6/--O-X-OOOO-XOOOOOXXXOOOXX-OOOX-OOOO-X/a1b5b1";

const press = (page: Page, key: Key): Promise<void> => page.getByRole("button", { name: t(key), exact: true }).first().click();

/** A screen that is brought up by its address, waited for until `last` is there, and then by what `open` does. */
function screen(name: string, route: string, last: string, open: (page: Page) => Promise<void> = () => Promise.resolve()): Screen {
  return {
    name,
    async show(taste) {
      const visited = await visit(STUDIO, route, taste);
      await visited.page.locator(last).first().waitFor();
      await open(visited.page);
      return visited;
    },
  };
}

/** Has one of the owner's agents play Black, and begins. */
async function watchOwn(page: Page): Promise<void> {
  await page.locator(".side select").first().selectOption("chatty");
  await press(page, "watch.step");
  await page.locator(".printed details").first().waitFor();
}

/** The check of an agent that fails some of its cases. */
async function check(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "6×6" }).check();
  await page.locator(".side select").first().selectOption("faulty");
  await press(page, "own.check");
  await page.locator("dialog .cases [data-passed=false]").first().waitFor();
  await page.locator("dialog [data-case=game-white]").waitFor();
}

/** A game of one move, of which New game asks what becomes of it. */
async function newGameBesideAnother(page: Page): Promise<void> {
  await legal(page).first().click();
  await until(page, () => document.querySelectorAll(".moves [data-node]").length === 2);
  await press(page, "tool.new");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "16×16" }).check();
  await dialog.getByText(t("new.old.delete")).waitFor();
}

async function review(page: Page): Promise<void> {
  await press(page, "analyse.review");
  await until(page, () => /^\d+$/.test(document.querySelector(".summary tbody td")?.textContent ?? ""));
}

async function retry(page: Page): Promise<void> {
  await review(page);
  await press(page, "retry.start");
  await page.locator(".retry").waitFor();
}

async function retryAnswered(page: Page): Promise<void> {
  await retry(page);
  await page.keyboard.press("w");
  await page.locator(".retry [data-reason=proved]").waitFor();
}

/** Plays a game on 4×4 to its end. */
async function finish(page: Page): Promise<void> {
  await press(page, "tool.new");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "4×4" }).check();
  await dialog.locator("select").nth(1).selectOption("greedy");
  await press(page, "new.begin");
  await page.locator('.board[data-size="4"]').waitFor();
  for (;;) {
    await until(page, () => document.querySelector(".square.legal, .notice:not([hidden])") !== null);
    if (await page.locator(".notice:not([hidden])").isVisible()) return;
    const count = await page.locator(".moves [data-node]").count();
    await legal(page).first().click();
    await page.waitForFunction((before) => document.querySelectorAll(".moves [data-node]").length > before, count);
  }
}

async function answerPuzzle(page: Page): Promise<void> {
  await legal(page).last().click();
  await page.locator(".answer h3, .answer .right").first().waitFor();
}

/** Ann's screen, who invites a friend, and the link for them. */
async function invited(taste: Taste): Promise<Visit & { link: string }> {
  const visited = await visit(STUDIO, "play", taste);
  const { page } = visited;
  await press(page, "friend.new");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Ann");
  await dialog.locator("select").selectOption("5+3");
  await press(page, "friend.begin");
  await page.locator(".qr svg").waitFor();
  return { ...visited, link: await page.getByRole("textbox", { name: t("friend.link") }).inputValue() };
}

/** Bob's screen, who has followed the link. */
async function asked(link: string, taste: Taste): Promise<Visit> {
  const visited = await visit(STUDIO, "play", taste);
  await visited.page.goto(link);
  await visited.page.locator(".notice:not([hidden])").waitFor();
  return visited;
}

/** Ends two visits by ending one of them. */
const both = ({ page, end }: Visit, other: Visit): Visit => ({
  page,
  async end(expected) {
    await other.end(expected);
    await end(expected);
  },
});

/** Ann's screen after Bob's first move, with what Bob offers. */
async function withFriend(taste: Taste, doesOffer: boolean): Promise<Visit> {
  const ann = await invited(taste);
  const bob = await asked(ann.link, taste);
  await bob.page.getByRole("textbox").fill("Bob");
  await press(bob.page, "friend.join");
  for (const { page } of [ann, bob]) await legal(page).first().click();
  await legal(ann.page).first().waitFor();
  if (doesOffer) {
    await press(bob.page, "friend.draw");
    await ann.page.locator(".notice:not([hidden])").waitFor();
  }
  return both(ann, bob);
}

photographEach([
  screen("play", "play", ".square.legal"),
  screen("new", "play", ".square.legal", (page) => press(page, "tool.new")),
  screen("new-asks", "play", ".square.legal", newGameBesideAnother),
  screen("settings", "play", ".square.legal", (page) => page.locator(".top-tools .tool").last().click()),
  screen("keys", "play", ".square.legal", (page) => page.keyboard.press("?")),
  screen("share", MIDDLE, ".chip.best", (page) => press(page, "tool.share")),
  screen("paste", "play", ".square.legal", (page) => press(page, "tool.paste")),
  screen("finished", "play", ".square.legal", finish),
  screen("analyse", MIDDLE, ".chip.best"),
  screen("limits", MIDDLE, ".chip.best", (page) => press(page, "effort.title")),
  screen("reviewed", MISTAKES, ".chip.best", review),
  screen("retry", MISTAKES, ".chip.best", retry),
  screen("retry-answered", MISTAKES, ".chip.best", retryAnswered),
  screen("large", "analyse/r12/", ".square.legal"),
  screen("setup", "setup", ".square[data-disc=black]"),
  screen("watch", "watch", ".square[data-disc=black]"),
  screen("own", "watch", ".square[data-disc=black]", watchOwn),
  screen("check", "watch", ".square[data-disc=black]", check),
  screen("compare", "compare", ".data tbody tr"),
  screen("tournament", "compare/1", ".cross"),
  screen("learn", "learn", ".square.legal"),
  screen("puzzles", "puzzles", ".square.legal"),
  screen("puzzle-answered", "puzzles/r6-1-7", ".square.legal", answerPuzzle),
  screen("games", "games", ".card"),
  screen("explore", "explore/r8/f5d6", ".book-moves tr, .book-help .button"),
  { name: "friend-invites", show: invited },
  {
    name: "friend-joins",
    async show(taste) {
      const ann = await invited(taste);
      return both(await asked(ann.link, taste), ann);
    },
  },
  { name: "friend", show: (taste) => withFriend(taste, false) },
  { name: "friend-offers", show: (taste) => withFriend(taste, true) },
]);
