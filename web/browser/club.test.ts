// A student's way through the battle platform: in by a link, agents and their reports, the ladder, games.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Battles, Token, Version, Weaknesses } from "../src/api/club";
import { faults } from "./axe";
import { anotherTab, choose, launch, legal, SIZES, visit, type Visit } from "./browser";
import { FAILS, isTooWide, logIn, PASSES, PASSWORD, TestClub, until } from "./club";

launch();

let club: TestClub;
beforeAll(async () => {
  club = await TestClub.start();
  // Small boards are checked, played and reviewed sooner.
  await club.boss.ask("PUT", "settings", { terms: { rule: "reversed", size: 6, move_ms: 5000, game_ms: 180_000, memory_mib: 100 } });
});
afterAll(() => club.end());

/** What the browser itself says when the server refuses something. */
const refused = (status: number): RegExp => new RegExp(`^Failed to load resource: the server responded with a status of ${status}`);

/** A part of the club's bar. */
const part = (page: Page, name: string) => page.locator(".parts").getByRole("link", { name, exact: true });

/** Somebody who has logged in, at a page of the club. */
async function visitor(size: (typeof SIZES)[number], name: string, route = "club", locale = "en-US"): Promise<Visit> {
  const visited = await visit(size, "club", { url: club.url, locale });
  const { page } = visited;
  await page.locator("input[name=username]").fill(name);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator("form button").click();
  await page.locator(".parts").waitFor();
  if (route !== "club") await page.goto(`${club.url}#/${route}`);
  return visited;
}

/** A file as a person chooses it. */
const file = (source: string, name = "my_ai.py") => ({ name, mimeType: "text/x-python", buffer: Buffer.from(source) });

it("is not named where the server has none, and says how to start it", async () => {
  const { page, end } = await visit(SIZES[1], "club");
  await page.getByText("This server has no battle platform.").waitFor();
  expect(await page.getByRole("navigation", { name: "Screens" }).getByRole("link").allTextContents()).not.toContain("Club");
  await end();
});

describe.each(SIZES)("on a $name", (size) => {
  const { name: screen } = size;
  const own = (name: string): string => `${name}-${screen}`;

  it("lets people in by a link, out, and in again by their password", async () => {
    const code = await club.invite();
    const { page, end } = await visit(size, `club/join/${code}`, { url: club.url });
    await page.getByText("You are invited: submit agents").waitFor();
    await page.getByText("Your section: A.").waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByLabel("Name").fill("<b>x</b>");
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Join the club" }).click();
    // What is refused is said in words, and what was typed appears as text.
    expect(await page.getByRole("alert").textContent()).toContain("<b>x</b>");
    await page.getByLabel("Name").fill(own("joiner"));
    await page.getByRole("button", { name: "Join the club" }).click();
    await page.getByRole("heading", { name: "Ladder" }).waitFor();
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Club" }).waitFor();
    await page.keyboard.press("5");
    await page.keyboard.press("9");
    await page.getByRole("heading", { name: "Ladder" }).waitFor();
    await page.locator(".parts .who").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page, own("joiner"), "another password");
    await page.getByText("nobody has this name and this password").waitFor();
    await logIn(page, own("joiner"));
    await page.getByText("No agent plays for you.").waitFor();
    // A session that ends elsewhere leads to the log-in here, and from there back.
    const tab = await anotherTab(page, `${club.url}#/club/me`);
    await tab.getByRole("button", { name: "Log out" }).click();
    await tab.close();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    await logIn(page, own("joiner"));
    await page.getByText("No agent plays for you.").waitFor();
    // The link is used up.
    await page.goto(`${club.url}#/club/join/${code}`);
    await page.getByText("This link is used up or too old.").waitFor();
    await end(/status of (400|401|404)/);
  });

  it("takes a dropped file, checks it, and puts it on the ladder", async () => {
    await club.member(own("dropper"));
    const { page, end } = await visitor(size, own("dropper"), "club/agents");
    await page.getByText("You have submitted nothing yet.").waitFor();
    const dropped = await page.evaluateHandle((source) => {
      const data = new DataTransfer();
      data.items.add(new File([source], "<i>my</i>_ai.py"));
      return data;
    }, `${PASSES}\n# ${own("dropper")}\n`);
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
    // A name that cannot be one is refused, and shown as text.
    await page.getByRole("alert").filter({ hasText: "<i>my</i>_ai.py" }).waitFor();
    await page.locator(".drop input").setInputFiles(file(`${PASSES}\n# ${own("dropper")}\n`));
    await page.getByText("my_ai.py is version 1.").waitFor();
    // What is said of it follows its check.
    await page.getByText("Version 1 has passed its check.").first().waitFor();
    expect(await page.getByText("my_ai.py is version 1.").count()).toBe(0);
    const version = page.locator('[data-version="1"]');
    await version.getByText("plays for you").waitFor();
    expect(await version.getAttribute("data-state")).toBe("passed");
    expect(await faults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.locator(".drop input").setInputFiles(file(`${PASSES}\n# ${own("dropper")}\n`));
    await page.getByText("this is your version 1 already").waitFor();
    // One's own rank is in sight on every page.
    await page.locator(".parts .rank", { hasText: /^#\d+ of \d+$/ }).waitFor();
    await part(page, "Ladder").click();
    await page.getByText(/^You are number \d+ of \d+ with/).waitFor();
    expect(await page.locator(".ladder .mine").textContent()).toContain(own("dropper"));
    await end(/status of (400|409)/);
  });

  it("shows each failed board of an agent as a picture, and what it printed as text", async () => {
    const author = await club.member(own("failer"));
    const { id } = await author.submit(`${FAILS}\n# ${own("failer")}\n`);
    const { page, end } = await visitor(size, own("failer"), "club/agents");
    const version = page.locator('[data-version="1"]');
    await version.getByText("failed").waitFor();
    expect(await version.getByText("Let it play").count()).toBe(0);
    await version.getByRole("link", { name: "Report" }).click();
    await page.getByText("It may not play: every case must pass.").waitFor();
    expect(page.url()).toContain(`#/club/agent/${id}`);
    const failed = page.locator('.cases [data-passed="false"]');
    const count = await failed.count();
    expect(count).toBeGreaterThan(3);
    expect(await failed.locator("svg.marked").count()).toBe(count);
    expect(await failed.locator(".cross-mark").count()).toBeGreaterThanOrEqual(count);
    expect(await failed.first().locator("pre").textContent()).toContain("<b onclick=alert(1)>&amp;</b>");
    expect(await failed.locator("pre b").count()).toBe(0);
    await page.getByText("A fixed exercise in Python takes").waitFor();
    await page.getByText(/^Its slowest move took [\d.]+ s\. It took at most [\d.]+ MiB of memory of its own\.$/).waitFor();
    await page.getByText("What it printed last").first().click();
    await page.locator(".report details pre").waitFor();
    expect(await faults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await end();
    // An administrator is told whose it is, and in Chinese how many seconds a case took.
    const boss = await visitor(size, "prof", `club/agent/${id}`, "zh-CN");
    await boss.page.getByRole("heading", { name: `${own("failer")} 的第 1 版：my_ai.py` }).waitFor();
    expect(await boss.page.locator(".cases .case-head .small").first().textContent()).toMatch(/^[\d.]+ 秒$/);
    await boss.end();
  });

  it("keeps versions, lets an older one play again, and has it spar", async () => {
    const author = await club.member(own("keeper"));
    await author.submit(`${PASSES}\n# ${own("keeper")} 1\n`, "first.py");
    const { id } = await author.submit(`${PASSES}\n# ${own("keeper")} 2\n`, "second.py", 0.0001);
    const { page, end } = await visitor(size, own("keeper"), "club/agents");
    const first = page.locator('[data-version="1"]');
    await page.locator('[data-version="2"]').getByText("plays for you").waitFor();
    await choose(size, first.getByRole("button", { name: "Let it play" }));
    await first.getByText("plays for you").waitFor();
    expect((await author.ask<{ versions: Version[] }>("GET", "versions")).versions.map(({ active }) => active)).toEqual([false, true]);
    // The source is the author's alone.
    const [source] = await Promise.all([page.waitForEvent("download"), first.getByRole("link", { name: "Source" }).click()]);
    expect(source.suggestedFilename()).toBe("first.py");
    await page.getByLabel("My version").selectOption({ label: "Version 1 · first.py" });
    await page.getByLabel("Opponent").selectOption({ label: "Version 2" });
    await page.getByRole("button", { name: "Challenge" }).click();
    await page.getByText(`${own("keeper")} v1 plays ${own("keeper")} v2`).waitFor();
    await page.getByLabel("Opponent").selectOption({ label: "Random" });
    await page.getByRole("button", { name: "Challenge" }).click();
    await page.getByText(`${own("keeper")} v1 plays Random`).waitFor();
    await page.goto(`${club.url}#/club/agent/${id}`);
    await page.getByText(/^The judges’ machine is \d+ times slower than yours: what takes 2 s with you takes \d+ s there\./).waitFor();
    const { battles } = await author.ask<Battles>("GET", "battles?kind=challenge");
    expect(battles.map(({ players }) => players[1].name)).toEqual(["random", own("keeper")]);
    await end();
  });

  it("shows the ladder by sections, and keeps the focus while it changes", async () => {
    const one = await club.member(own("one"), "A");
    const other = await club.member(own("other"), "B");
    await one.submit(`${PASSES}\n# ${own("one")}\n`);
    await other.submit(`${PASSES}\n# ${own("other")}\n`);
    const { page, end } = await visitor(size, own("one"));
    const row = page.locator(".ladder tbody tr").filter({ has: page.getByRole("link", { name: own("other"), exact: true }) });
    await row.waitFor();
    await row.getByRole("button").focus();
    for (let turn = 0; turn < 3; turn += 1) await page.waitForResponse((response) => response.url().includes("/api/club/ladder"));
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(`Challenge ${own("other")}`);
    await page.getByLabel("Section").selectOption("A");
    await row.waitFor({ state: "detached" });
    expect(await page.locator(".ladder tbody tr").filter({ has: page.getByRole("link", { name: own("one"), exact: true }) }).count()).toBe(1);
    expect(await faults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await end();
  });

  it("gives out tokens once, and changes the password", async () => {
    await club.member(own("owner"));
    const { page, end } = await visitor(size, own("owner"), "club/me");
    await page.getByText("You have no tokens.").waitFor();
    await page.getByLabel("What for").fill("<u>laptop</u>");
    await page.getByRole("button", { name: "Make a token" }).click();
    const token = await page.locator("code.token").textContent();
    const asked = await fetch(new URL("/api/club/tokens", club.url), { headers: { Authorization: `Bearer ${token}` } });
    expect(((await asked.json()) as { tokens: Token[] }).tokens.map(({ label }) => label)).toEqual(["<u>laptop</u>"]);
    expect(await page.locator(".tokens strong").textContent()).toBe("<u>laptop</u>");
    expect(await faults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.getByRole("button", { name: "Remove the token <u>laptop</u>" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("You have no tokens.").waitFor();
    await page.getByLabel("Password until now").fill("something else");
    await page.getByLabel("New password").fill("a new password");
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("alert").filter({ hasText: /password/ }).waitFor();
    await page.getByLabel("Password until now").fill(PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await logIn(page, own("owner"), "a new password");
    await part(page, "Ladder").waitFor();
    await end(refused(400));
  });

  it("lets people play against an agent that its author opened", async () => {
    const author = await club.member(own("opener"));
    await author.submit(`${PASSES}\n# ${own("opener")}\n`);
    const { page, end } = await visitor(size, own("opener"), "club/agents");
    await page.locator('[data-version="1"] .switch').click();
    await until(async () => ((await author.ask<{ versions: Version[] }>("GET", "versions")).versions[0]?.open ? true : null));
    await end();
    await club.member(own("guest"));
    const { page: tab, end: endGame } = await visitor(size, own("guest"), "club/opponents");
    await tab.getByRole("radio", { name: "6×6" }).check();
    await tab.getByRole("button", { name: `Play ${own("opener")} v1` }).click();
    await play(tab);
    expect(await faults(tab)).toEqual([]);
    expect(await isTooWide(tab)).toBe(false);
    await tab.getByRole("button", { name: "Resign" }).click();
    await tab.getByRole("dialog").getByRole("button", { name: "Resign", exact: true }).click();
    await tab.locator(".casual-line", { hasText: "You have resigned" }).waitFor();
    await tab.getByRole("link", { name: "See the review" }).click();
    await tab.waitForURL(/#\/club\/game\/\d+$/);
    await endGame();
  });

  it("says in Chinese what it says in English", async () => {
    await club.member(own("reader"));
    const { page, end } = await visitor(size, own("reader"), "club/agents", "zh-CN");
    await page.getByRole("heading", { name: "提交程序" }).waitFor();
    await page.locator(".drop input").setInputFiles(file("", "empty.py"));
    await page.getByRole("alert").filter({ hasText: "这不是 Python 文件" }).waitFor();
    expect(await faults(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await end(refused(400));
  });

  /** Makes two moves by the keyboard or a finger, and waits for the agent's answers. */
  async function play(page: Page): Promise<void> {
    for (let moves = 0; moves < 2; moves += 1) {
      await legal(page).first().waitFor();
      const before = await page.locator(".casual-moves li").count();
      if (screen === "phone") await legal(page).first().tap();
      else {
        await legal(page).first().focus();
        await page.keyboard.press("Enter");
      }
      await page.waitForFunction((count) => document.querySelectorAll(".casual-moves li").length >= count + 2, before);
    }
  }
});

it("shows where an agent loses, and its worst moves as boards and as a file", async () => {
  // Judges review games when no others are to be played.
  await club.boss.ask("PUT", "settings", { ladder_open: false });
  const author = await club.member("loser");
  const { id } = await author.submit(`${PASSES}\n# loser\n`);
  await author.ask("POST", "battles", { version: id, opponent: { agent: "engine:level=5" } });
  const found = await until(async () => {
    const weaknesses = await author.ask<Weaknesses>("GET", `versions/${id}/weaknesses`);
    return weaknesses.reviewed < 2 ? null : weaknesses;
  });
  expect(found.worst.length).toBeGreaterThan(0);
  const { page, end } = await visitor(SIZES[1], "loser", "club/agents");
  await page.locator('[data-version="1"]').getByRole("link", { name: "Where it loses" }).click();
  await page.getByText("2 of 2 games have been reviewed by the engine.").waitFor();
  expect(await page.locator(".bars tbody tr").count()).toBe(found.phases.length + found.squares.length + found.choices.length);
  expect(await page.locator(".worst svg.marked").count()).toBe(found.worst.length);
  expect(await page.locator(".worst .cross-mark").count()).toBe(found.worst.length);
  expect(await page.locator(".worst .ring").count()).toBe(found.worst.length);
  const [practice] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Practice file" }).click()]);
  expect(practice.suggestedFilename()).toMatch(/\.py$/);
  expect(await faults(page)).toEqual([]);
  await page.setViewportSize({ width: SIZES[0].width, height: SIZES[0].height });
  expect(await isTooWide(page)).toBe(false);
  await end();
});
