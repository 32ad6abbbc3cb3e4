// What tests of games with friends do at a page: invite, join, move, and compare with the server.

import type { Page } from "playwright-core";
import type { SavedGame } from "../src/api/wire";
import { ready } from "./browser";

/** What is asked for in the dialog. */
export interface Wanted {
  readonly size?: 4 | 6 | 8;
  readonly side?: "Black" | "White";
  readonly clock?: string;
  readonly name?: string;
}

/** Invites a friend: the link for them. The host is at the new game. */
export async function invite(page: Page, { size = 8, side = "Black", clock = "", name = "Ann" }: Wanted = {}): Promise<string> {
  await page.getByRole("button", { name: "Play a friend" }).click();
  const dialog = page.getByRole("dialog", { name: "Play a friend" });
  await dialog.getByRole("radio", { name: `${size}×${size}` }).check();
  await dialog.getByRole("radio", { name: side, exact: true }).check();
  await dialog.getByLabel("Clock").selectOption(clock);
  await dialog.getByLabel("Your name").fill(name);
  await dialog.getByRole("button", { name: "Invite" }).click();
  return page.getByRole("textbox", { name: "Link for your friend" }).inputValue();
}

/** Accepts an invitation. */
export async function join(page: Page, link: string, name = "Bob"): Promise<void> {
  await page.goto(link);
  await ready(page);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join" }).click();
  await page.locator('.presence [data-present="true"] .quiet', { hasText: "you" }).waitFor();
}

/** The id of the game on a page. */
export function idOf(page: Page): string {
  return new URL(page.url()).hash.split("/")[2]!;
}

/** The game as the server has it, as soon as one answers. */
export async function saved(url: string, id: string): Promise<SavedGame> {
  for (;;) {
    try {
      const response = await fetch(new URL(`/api/games/${id}`, url));
      if (response.ok) return (await response.json()) as SavedGame;
    } catch {
      // It is being started.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** Waits until a page shows exactly these moves, the last one on the board. */
export async function shows(page: Page, moves: readonly string[]): Promise<void> {
  const squares = moves.filter((move) => move !== "pass").join(" ");
  await page.waitForFunction((text) => [...document.querySelectorAll(".moves [data-node]")].map((each) => each.firstChild?.textContent).join(" ") === text, squares);
}
