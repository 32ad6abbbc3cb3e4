// A member's way through the battle platform by the keyboard alone, in the dark.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { faults } from "./axe";
import { launch, SIZES, tabTo, visit } from "./browser";
import { DIFFERENT, isTooWide, PASSWORD, QUICK, TestClub } from "./club";

launch();

const desktop = SIZES[1];

/** Agents that are checked at once on 6×6, and play a game of minutes on 8×8: there is time to look at it. */
const [SLOW, OTHER] = DIFFERENT.map((source) => source.replace("import numpy as np", "import time\nimport numpy as np").replace("self.candidate_list.clear()", "self.candidate_list.clear()\n        if self.size == 8:\n            time.sleep(3)"));

let club: TestClub;
beforeAll(async () => {
  club = await TestClub.start();
  await club.boss.ask("PUT", "settings", { terms: QUICK, ladder_open: false });
  expect((await (await club.member("opponent")).submit(OTHER!)).state).toBe("passed");
  await club.member("typist");
});
afterAll(() => club.end());

/** Walks to a control, and presses Enter on it. */
async function enter(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Nothing is wrong with the page, which is a dark one and fits its window. */
async function isSound(page: Page): Promise<void> {
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(19, 23, 22)");
  expect(await faults(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
}

it("goes from the log-in to a board that is being played, and out again", async () => {
  const { page, end } = await visit(desktop, "club", { url: club.url, colorScheme: "dark" });
  const part = (name: string): Locator => page.locator(".parts").getByRole("link", { name, exact: true });
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  await isSound(page);
  await tabTo(page, page.getByLabel("Name"));
  await page.keyboard.type("typist");
  await page.keyboard.press("Tab");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Ladder" }).waitFor();
  await isSound(page);

  await enter(page, part("Agents"));
  await page.getByText("You have submitted nothing yet.").waitFor();
  await tabTo(page, page.locator(".drop input"));
  // The field itself is out of sight: the button beside it shows where the focus is.
  expect(await page.locator(".drop .button").evaluate((each) => getComputedStyle(each).outlineStyle)).toBe("solid");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.keyboard.press("Enter")]);
  await chooser.setFiles({ name: "my_ai.py", mimeType: "text/x-python", buffer: Buffer.from(SLOW!) });
  await page.getByText("Version 1 has passed its check.").first().waitFor();
  await isSound(page);
  await enter(page, page.locator('[data-version="1"]').getByRole("link", { name: "Report" }));
  await page.getByText("It may play.").waitFor();
  await isSound(page);

  await club.boss.ask("PUT", "settings", { terms: { ...QUICK, size: 8, move_ms: 60_000, game_ms: 3_600_000 } });
  await enter(page, part("Ladder"));
  await enter(page, page.getByRole("button", { name: "Challenge opponent" }));
  await page.getByText("typist v1 plays opponent v1").first().waitFor();
  await enter(page, page.locator(".live-game").first());
  await page.getByText("The board and the clocks follow the game.").waitFor();
  await isSound(page);
  const moves = page.locator(".played-moves tbody tr");
  const before = await moves.count();
  await moves.nth(before + 1).waitFor();

  await enter(page, page.locator(".parts .who"));
  await enter(page, page.getByRole("button", { name: "Log out" }));
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  await page.goto(`${club.url}#/club/agents`);
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  await end();
});
