// A lecturer's way through the battle platform: the first link, settings, the class, a final with its
// grades, games to look at and to annul, the log.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Battles, Club, Final, GameRecord, Version } from "../src/api/club";
import { faults } from "./axe";
import { launch, SIZES, square, type Taste, visit, type Visit } from "./browser";
import { DIFFERENT, isTooWide, logIn, PASSES, PASSWORD, Person, playAgain, QUICK, TestClub, until } from "./club";
import { Served } from "./program";

launch();

let club: TestClub;
/** The final that the club has played. */
let played: Final;
let authors: Person[];

beforeAll(async () => {
  club = await TestClub.start();
  await club.boss.ask("PUT", "settings", { terms: QUICK, ladder_open: false });
  authors = [];
  for (const [index, source] of DIFFERENT.entries()) {
    const author = await club.member(`author-${index}`, index === 0 ? "A" : "B");
    expect((await author.submit(source)).state).toBe("passed");
    authors.push(author);
  }
  played = await club.final("First final");
});
afterAll(() => club.end());

/** Somebody who has logged in, at a page of the club. */
async function visitor(size: (typeof SIZES)[number], name: string, route: string, taste: Taste = {}): Promise<Visit> {
  const visited = await visit(size, "club", { url: club.url, ...taste });
  const { page } = visited;
  await page.locator("input[name=username]").fill(name);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator("form button").click();
  await page.locator(".parts").waitFor();
  await page.goto(`${club.url}#/${route}`);
  return visited;
}

/** Nothing is wrong with a page, and it fits its window. */
async function isSound(page: Page): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(await isTooWide(page)).toBe(false);
}

/** What a link downloads. */
async function downloaded(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  return readFileSync(await file.path(), "utf8");
}

/** Answers a dialog that asks for a reason. */
async function giveReason(page: Page, action: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: action }).click();
  const dialog = page.getByRole("dialog", { name: action });
  await dialog.getByLabel("Reason").fill(reason);
  await isSound(page);
  await dialog.getByRole("button", { name: action }).click();
  await dialog.waitFor({ state: "detached" });
}

it("makes the first visitor with the printed link its administrator", async () => {
  const folder = mkdtempSync(join(tmpdir(), "isrever-club-"));
  const server = await Served.start(join(folder, "games"), 0, "--club", join(folder, "club"), "--judges", "0");
  const { page, end } = await visit(SIZES[1], `club/join/${server.invitation!.split("/").at(-1)!}`, { url: server.url });
  await page.getByText("You are invited to administer this club.").waitFor();
  await page.getByLabel("Name").fill("lecturer");
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join the club" }).click();
  await page.locator(".parts").getByRole("link", { name: "Administration" }).click();
  await page.getByText("nothing is checked or played until one is started").waitFor();
  await page.locator(".parts").getByRole("link", { name: "Finals" }).click();
  await page.getByText("At least two active agents are needed.").waitFor();
  await isSound(page);
  await page.goBack();
  await page.getByText("No job was set aside.").waitFor();
  await isSound(page);
  await end();
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

it("stops a final and resumes it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "isrever-club-"));
  const start = (judges: number): Promise<Served> => Served.start(join(folder, "games"), 0, "--club", join(folder, "club"), "--judges", String(judges));
  const first = await start(1);
  const boss = await Person.join(first.url, first.invitation!.split("/").at(-1)!, "prof");
  await boss.ask("PUT", "settings", { terms: QUICK, ladder_open: false });
  for (const [index, source] of DIFFERENT.slice(0, 2).entries()) {
    const { code } = await boss.ask<{ code: string }>("POST", "invitations", { role: "member", section: "A", uses: 1 });
    await (await Person.join(first.url, code, `author-${index}`)).submit(source);
  }
  await first.end();
  // Without judges the final cannot be over before it is stopped.
  const server = await start(0);
  const { page, end } = await visit(SIZES[1], "club/finals", { url: server.url });
  await logIn(page, "prof");
  const confirmed = async (name: string): Promise<void> => {
    await page.getByRole("button", { name }).click();
    await page.getByRole("dialog").getByRole("button", { name }).click();
  };
  await confirmed("Begin the final");
  await page.locator(".kind.running").waitFor();
  await page.getByText("0 of 2 games, 2 agents · No judge is there").waitFor();
  await confirmed("Stop the final");
  await page.locator(".kind.stopped").waitFor();
  await confirmed("Resume the final");
  await page.locator(".kind.running").waitFor();
  await isSound(page);
  await page.locator(".battle-game").first().click();
  await page.getByText("This game is yet to be played.").waitFor();
  await isSound(page);
  await end();
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(SIZES)("on a $name", (size) => {
  const { name: screen } = size;

  it("opens and closes phases, and sets a deadline in local time", async () => {
    const { page, end } = await visitor(size, "prof", "club/admin");
    const asked = async (): Promise<Club> => club.boss.ask<Club>("GET", "../club");
    const sparring = page.getByRole("switch", { name: "Challenges are open" });
    expect(await sparring.isChecked()).toBe(true);
    await page.locator(".switch", { hasText: "Challenges are open" }).click();
    await until(async () => ((await asked()).sparring_open ? null : true));
    await page.locator(".switch", { hasText: "Challenges are open" }).click();
    await until(async () => ((await asked()).sparring_open ? true : null));
    await page.getByText("There is no deadline").waitFor();
    await page.getByLabel("Submissions close").fill("2099-05-17T18:30");
    await page.getByRole("button", { name: "Set the deadline" }).click();
    await page.getByText(/^Submissions close in .*: May 17, 2099, 6:30 PM$/).waitFor();
    const local = await page.evaluate(() => new Date("2099-05-17T18:30").getTime());
    expect(Date.parse((await asked()).deadline!)).toBe(local);
    await isSound(page);
    await page.getByRole("button", { name: "Remove the deadline" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the deadline" }).click();
    await page.getByText("There is no deadline").waitFor();
    expect((await asked()).deadline).toBe(null);
    await end();
  });

  it("shows what was set aside and why, and has it tried again", async () => {
    const { page, end } = await visitor(size, "prof", "club");
    let troubles = [{ kind: "game", subject: 17, reason: "<b>three</b> judges ended" }, { kind: "check", subject: 2, reason: "no memory" }];
    await page.route("**/api/club/state", (route) => route.fulfill({ json: { waiting: 3, taken: 1, troubles, judges: 0, judges_there: 0, game_millis: null, disk_bytes: 5e8 } }));
    await page.route("**/api/club/state/retry", (route) => {
      troubles = [];
      return route.fulfill({ status: 204 });
    });
    await page.goto(`${club.url}#/club/admin`);
    await page.getByText("2 jobs were set aside after several attempts:").waitFor();
    await page.getByText("<b>three</b> judges ended").waitFor();
    expect(await page.getByRole("link", { name: "Game 17" }).getAttribute("href")).toBe("#/club/game/17");
    await page.getByText("nothing is checked or played until one is started").waitFor();
    await page.getByText("500 MB").waitFor();
    await isSound(page);
    await page.getByRole("button", { name: "Try them again" }).click();
    await page.getByText("No job was set aside.").waitFor();
    await end();
  });

  it("sets the terms in units of people", async () => {
    const { page, end } = await visitor(size, "prof", "club/admin/terms");
    await page.getByRole("radio", { name: "8×8" }).check({ force: true });
    await page.getByLabel("Time for a move", { exact: true }).fill("5");
    await page.getByLabel("Unit: Time for a move").selectOption("seconds");
    await page.getByLabel("Time for a game, each side", { exact: true }).fill("3");
    await page.getByLabel("Unit: Time for a game, each side").selectOption("minutes");
    const memory = page.getByLabel("Memory of an agent, in MiB");
    // The limits are told in words, beside the fields and where one is passed.
    for (const words of ["From 10 milliseconds to 10 minutes.", "From 100 milliseconds to 10 hours.", "From 48 MiB to 64 GiB. Python with numpy alone takes some 40 MiB."]) await page.getByText(words, { exact: true }).waitFor();
    await memory.fill("4");
    expect(await memory.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe("From 48 MiB to 64 GiB.");
    await memory.fill("100");
    const move = page.getByLabel("Time for a move", { exact: true });
    await move.fill("601");
    expect(await move.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe("From 10 milliseconds to 10 minutes.");
    await move.fill("5");
    await page.getByRole("button", { name: "Save the terms" }).click();
    await page.getByText("Saved.").waitFor();
    const { terms } = await club.boss.ask<Club>("GET", "../club");
    expect(terms).toEqual({ rule: "reversed", size: 8, move_ms: 5000, game_ms: 180_000, memory_mib: 100 });
    // They are shown again in the unit that suits them.
    await page.reload();
    expect(await page.getByLabel("Time for a game, each side", { exact: true }).inputValue()).toBe("3");
    await isSound(page);
    await club.boss.ask("PUT", "settings", { terms: QUICK });
    await end();
  });

  it("takes a class in by a list, and gives each a link of their own", async () => {
    const { page, end } = await visitor(size, "prof", "club/admin/people");
    await page.getByLabel("List").fill("name,section\n<b>x</b>,A\n");
    await page.getByRole("button", { name: "Make the accounts" }).click();
    // What is wrong with a row is said, and the row appears as text.
    await page.getByRole("alert").filter({ hasText: "Line 2 (<b>x</b>)" }).waitFor();
    // As a spreadsheet writes it: with a byte order mark and semicolons. Right rows are not lost for wrong ones.
    const list = `\ufeffname;section\r\nann-${screen};A\r\nann-${screen};A\r\nBea King ${screen};B\r\n`;
    await page.locator("#class-file").setInputFiles({ name: "class.csv", mimeType: "text/csv", buffer: Buffer.from(list) });
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("textarea[name=class]")!.value.includes("ann"));
    await page.getByRole("button", { name: "Make the accounts" }).click();
    await page.getByRole("alert").filter({ hasText: `Line 3 (ann-${screen}): this name is in the list already` }).waitFor();
    await page.getByText(`2 rows are right: ann-${screen}, Bea King ${screen}`).waitFor();
    await isSound(page);
    await page.getByRole("button", { name: "Take in these 2" }).click();
    await page.getByText("2 accounts were made.").waitFor();
    const link = await page.locator(".links .link").first().textContent();
    expect(link).toMatch(/#\/club\/join\/\w+$/);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download (CSV)" }).click()]);
    expect(readFileSync(await file.path(), "utf8")).toContain(`"ann-${screen}","A","${link}"`);
    await isSound(page);
    await Person.join(club.url, link!.split("/").at(-1)!, `ann-${screen}`);
    // A link for many, with a code for phones.
    await page.getByLabel("Role", { exact: true }).selectOption("Guest");
    await page.getByLabel("How many may use it").fill("30");
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByText("A link for 30 people (Guest):").waitFor();
    await page.getByRole("img", { name: "The link as a QR code" }).waitFor();
    // What was given away can be taken back.
    await page.getByText(/\d+ links can still be used/).click();
    const open = page.locator("li").filter({ hasText: `Bea King ${screen}` });
    await open.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await open.waitFor({ state: "detached" });
    await page.locator("li").filter({ hasText: "30 × Guest" }).first().waitFor();
    await isSound(page);
    await end();
  });

  it("finds accounts, blocks them, and ends passwords", async () => {
    const name = `carl-${screen}`;
    const carl = await club.member(name, "C");
    const { page, end } = await visitor(size, "prof", "club/admin/people");
    await page.getByRole("searchbox").fill(`${name} member`);
    await page.getByText(/^1 of \d+ accounts$/).waitFor();
    const row = page.locator(".accounts tbody tr");
    await page.getByRole("button", { name: `Block: ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Block" }).click();
    await row.getByText("blocked", { exact: true }).waitFor();
    await expect(carl.ask("GET", "ladder")).rejects.toThrow(/401/);
    await page.getByRole("button", { name: `Unblock: ${name}` }).click();
    await row.getByText("ready", { exact: true }).waitFor();
    await page.getByRole("button", { name: `New password: ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New password" }).click();
    const link = await page.getByRole("dialog").getByRole("textbox", { name: "Link" }).inputValue();
    await isSound(page);
    await Person.join(club.url, link.split("/").at(-1)!, name);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    // Names and sections change, and who has done nothing can go.
    await page.getByRole("button", { name: `Change: ${name}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("prof");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").filter({ hasText: "prof" }).waitFor();
    await dialog.getByLabel("Name").fill(`Carl King ${screen}`);
    await dialog.getByLabel("Section").fill("D");
    await isSound(page);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("searchbox").fill(`carl king ${screen} D`);
    await page.getByText(/^1 of \d+ accounts$/).waitFor();
    await page.getByRole("button", { name: `Change: Carl King ${screen}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the account" }).click();
    await page.getByRole("dialog", { name: "Remove the account" }).getByRole("button", { name: "Remove the account" }).click();
    await page.getByText(/^0 of \d+ accounts$/).waitFor();
    await end(/status of 400/);
  });

  it("begins a final, and shows its table with grades", async () => {
    const { page, end } = await visitor(size, "prof", "club/finals");
    await page.getByText(/^3 agents, 6 games: about [\d.]+ (sec|min) with 1 judge, as games have taken lately, and at most 12 min\.$/).waitFor();
    await page.getByLabel("Name of the final").fill(`<i>Final</i> ${screen}`);
    await isSound(page);
    await page.getByRole("button", { name: "Begin the final" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Begin the final" }).click();
    await page.getByRole("heading", { name: `<i>Final</i> ${screen}` }).waitFor();
    const id = Number(/#\/club\/finals\/(\d+)$/.exec(page.url())![1]);
    await page.locator(".kind.over").waitFor();
    expect((await club.boss.ask<{ final: Final }>("GET", `finals/${id}`)).final.played).toBe(6);
    await page.getByText("6 of 6 games, 3 agents").waitFor();
    expect(await page.locator(".standings tbody tr").count()).toBe(3);
    expect(await page.locator(".standings tbody tr").first().textContent()).toMatch(/[+−]?\d+ ± \d+/);
    expect(await page.locator(".standings tbody th a").first().getAttribute("href")).toMatch(/^#\/club\/battles\/\d+$/);
    await page.getByLabel("Rule").fill("nonsense");
    await page.getByRole("alert").filter({ hasText: "The rule cannot be read." }).waitFor();
    await page.getByLabel("Rule").fill("34:very good,100:good");
    await page.locator(".grade-list", { hasText: "good" }).waitFor();
    const table = await downloaded(page, "Table with grades (CSV)");
    const grades = table.trim().split(/\r?\n/).slice(1).map((row) => row.split(",").at(-1));
    expect(grades).toHaveLength(3);
    // The preview and the file agree.
    const shown = await page.locator(".grade-list dt").allTextContents();
    expect([...new Set(grades)]).toEqual(shown);
    expect(await downloaded(page, "All games as proof")).toContain("SQLite format 3");
    await isSound(page);
    await end();
  });

  it("lists battles in words, by author, kind and final", async () => {
    const { page, end } = await visitor(size, "prof", "club/battles");
    await page.locator(".battles > li").first().waitFor();
    expect(await page.locator(".battle-game .result").first().textContent()).toMatch(/^author-\d v1 won by \d+ discs?$|^drawn$/);
    await page.getByLabel("Whose").selectOption({ label: "author-0" });
    await page.waitForFunction(() => [...document.querySelectorAll(".battle-head b")].every((each) => each.textContent!.includes("author-0")));
    expect(page.url()).toMatch(/#\/club\/battles\/\d+$/);
    await page.getByLabel("Kind").selectOption({ label: "Ladder" });
    await page.getByText("There are no such battles yet.").waitFor();
    await page.getByLabel("Kind").selectOption({ label: "First final" });
    await page.locator(".battles > li").nth(1).waitFor();
    expect(await page.locator(".battles > li").count()).toBe(2);
    await isSound(page);
    await page.locator(".battle-game").first().click();
    await page.waitForURL(/#\/club\/game\/\d+$/);
    await end();
  });

  it("replays a game by keys, slider and list, with clocks, times and the losing move", async () => {
    const record = await club.lost(played);
    const game = record.id;
    const { page, end } = await visitor(size, "prof", `club/game/${game}`);
    const last = record.moves.length;
    await page.getByRole("heading", { name: `Move ${last}:` }).waitFor();
    expect(await page.locator(".square:not([data-disc=none])").count()).toBe(4 + record.moves.filter(({ move }) => move !== "pass").length);
    // The list shows the move on the board, and nothing hidden in it makes the page longer.
    await page.waitForFunction(() => {
      const [list, row] = [document.querySelector(".played-moves")!, document.querySelector(".played-moves tr.current")!].map((each) => each.getBoundingClientRect());
      return row!.bottom <= list!.bottom + 1;
    });
    expect(await page.evaluate(() => document.documentElement.scrollHeight - document.querySelector("main")!.getBoundingClientRect().bottom - scrollY)).toBeLessThan(100);
    await page.locator(".game-head h2").click();
    await page.keyboard.press("Home");
    await page.getByText("The start. Go through the game").waitFor();
    expect(await page.locator(".square:not([data-disc=none])").count()).toBe(4);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: `Move 1: Black ${record.moves[0]!.move}` }).waitFor();
    expect(await square(page, record.moves[0]!.move).getAttribute("class")).toContain("last");
    expect(await page.locator(".seat .clock").first().isVisible()).toBe(true);
    await page.getByText(/^took \d/).waitFor();
    await page.getByRole("slider", { name: "Go through the game" }).fill("3");
    await page.getByRole("heading", { name: "Move 3: Black" }).waitFor();
    const losing = record.losing_move!;
    const { better } = record.moves[losing]!;
    await page.locator("tr.losing button").click();
    await page.getByText("This move lost the game.").waitFor();
    expect(await page.locator("tr.losing").getAttribute("data-ply")).toBe(String(losing + 1));
    expect(await square(page, record.moves[losing]!.move).getAttribute("class")).toContain("lit");
    expect(await square(page, better!).getAttribute("class")).toContain("pointed");
    // What both printed is text to an administrator.
    expect(await page.locator("pre.output").count()).toBe(2);
    expect(await page.locator("pre.output").first().textContent()).toContain("<b onclick=alert(1)>&amp;</b>");
    expect(await page.locator("pre.output b").count()).toBe(0);
    expect(await downloaded(page, "GGF")).toContain("(;GM[Othello]");
    expect((JSON.parse(await downloaded(page, "JSON")) as GameRecord).boards).toEqual(record.boards);
    await isSound(page);
    await page.getByRole("button", { name: "Analyse the game" }).click();
    await page.waitForURL(/#\/analyse\//);
    await end();
  });

  it("annuls games with a reason for everybody, and has them played again", async () => {
    const [game, other] = (await club.games(played)).slice(-2);
    const { page, end } = await visitor(size, "prof", `club/game/${game}`);
    await giveReason(page, "Annul the game", "<u>power</u> cut");
    await page.getByText("This game was annulled and does not count: <u>power</u> cut").waitFor();
    expect(await page.locator(".notice u").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Annul the game" }).count()).toBe(0);
    await isSound(page);
    // It can still be played again, once.
    await giveReason(page, "Play it again", "after all");
    await page.getByRole("button", { name: "Play it again" }).waitFor({ state: "detached" });
    await page.goto(`${club.url}#/club/game/${other}`);
    await giveReason(page, "Play it again", "once more");
    await page.getByText("does not count: once more").waitFor();
    await page.goto(`${club.url}#/club/finals/${played.id}`);
    await club.over(played);
    await page.goto(`${club.url}#/club/admin/log`);
    const entry = page.locator(".log-table tbody tr").filter({ hasText: `game ${game}: <u>power</u> cut` });
    await entry.getByText("annulled a game").waitFor();
    await page.locator(".log-table tbody tr").filter({ hasText: `game ${other}: once more` }).getByText("had a game played again").waitFor();
    expect(await page.locator(".log-table u").count()).toBe(0);
    await isSound(page);
    await entry.getByRole("link").click();
    await page.locator(".notice", { hasText: "<u>power</u> cut" }).waitFor();
    await end();
  });

  it("shows every screen in the dark", async () => {
    const { id, account } = (await authors[0]!.ask<{ versions: Version[] }>("GET", "versions")).versions[0]!;
    const { id: game } = await club.lost(played);
    const { page, end } = await visitor(size, "prof", "club", { colorScheme: "dark" });
    const screens = [
      ["", ".ladder tbody tr"],
      ["agents", ".drop"],
      [`agent/${id}`, ".cases [data-passed=true]"],
      [`weaknesses/${id}`, ".bars tbody tr"],
      ["opponents", ".segments"],
      [`battles/${account}`, ".battles > li"],
      [`game/${game}`, "tr.losing"],
      ["finals", "form button"],
      [`finals/${played.id}`, ".standings tbody tr"],
      ["admin", ".inner-parts"],
      ["admin/people", ".accounts tbody tr"],
      ["admin/terms", "form button"],
      ["admin/log", ".log-table tbody tr"],
      ["me", "form button"],
    ] as const;
    for (const [route, last] of screens) {
      await page.goto(`${club.url}#/club/${route}`);
      await page.locator(last).first().waitFor();
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), route).toBe("rgb(19, 23, 22)");
      expect(await faults(page), route).toEqual([]);
      expect(await isTooWide(page), route).toBe(false);
    }
    await end();
  });

  it("says in Chinese what it says in English", async () => {
    const [game] = await club.games(played);
    const { page, end } = await visitor(size, "prof", "club/admin", { locale: "zh-CN" });
    for (const [route, words] of [["admin", "运行状况"], ["admin/people", "班级名单"], ["admin/terms", "新对局的规则"], ["admin/log", "登录"], [`finals/${played.id}`, "名次表"], ["finals", "开始决赛"], [`game/${game}`, "着法"]] as const) {
      await page.goto(`${club.url}#/club/${route}`);
      await page.getByText(words, { exact: true }).first().waitFor();
      await isSound(page);
    }
    await page.goto(`${club.url}#/club/admin/terms`);
    await page.getByText("10毫秒至10分钟。", { exact: true }).waitFor();
    await page.goto(`${club.url}#/club/admin/people`);
    await page.getByLabel("名单", { exact: true }).fill("name\n<b>x</b>\n");
    await page.getByRole("button", { name: "建立账号" }).click();
    await page.getByRole("alert").filter({ hasText: "第 2 行（<b>x</b>）：名字为" }).waitFor();
    await end();
  });
});

it("follows a game while it is played, and replays it when it is over", async () => {
  const record = await club.lost(played);
  let count: number | null = 2;
  const { page, end } = await visitor(SIZES[1], "prof", "club");
  await playAgain(page, record, () => count);
  await page.goto(`${club.url}#/club/game/${record.id}`);
  await page.getByText("The board and the clocks follow the game.").waitFor();
  expect(await page.locator(".played-moves tbody tr").count()).toBe(2);
  expect(await page.locator(".seat .clock.runs").count()).toBe(1);
  await isSound(page);
  count = 5;
  await page.locator(".played-moves tbody tr").nth(4).waitFor();
  expect(await page.locator(".square:not([data-disc=none])").count()).toBe(9);
  expect(await square(page, record.moves[4]!.move).getAttribute("class")).toContain("last");
  count = null;
  await page.getByRole("heading", { name: `Move ${record.moves.length}:` }).waitFor();
  await page.getByRole("slider", { name: "Go through the game" }).waitFor();
  await end();
});

describe("others", () => {
  it("see games and finals, but not what others printed, nor what is for administrators", async () => {
    const { battles } = await authors[0]!.ask<Battles>("GET", `battles?of_final=${played.id}`);
    const foreign = battles.find(({ players }) => players.every(({ name }) => name !== "author-0"))!;
    const { page, end } = await visitor(SIZES[1], "author-0", `club/game/${foreign.games[0]!.id}`);
    await page.locator(".played-moves tbody tr").first().waitFor();
    expect(await page.locator("pre.output").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Annul the game" }).count()).toBe(0);
    await page.goto(`${club.url}#/club/finals/${played.id}`);
    await page.locator(".standings tbody tr").nth(2).waitFor();
    expect(await page.getByLabel("Rule").count()).toBe(0);
    await page.goto(`${club.url}#/club/admin/people`);
    await page.getByText("You may not do that.").waitFor();
    expect(await page.locator(".parts").getByRole("link", { name: "Administration" }).count()).toBe(0);
    await end();
  });

  it("cannot have a blocked version play", async () => {
    const author = await club.member("blocked-author");
    const version = await author.submit(`${PASSES}\n# to be blocked\n`);
    await author.ask("POST", "battles", { version: version.id, opponent: { agent: "random" } });
    const { battles } = await author.ask<Battles>("GET", "battles?kind=challenge");
    const { page, end } = await visitor(SIZES[1], "prof", `club/game/${battles[0]!.games[0]!.id}`);
    await giveReason(page, "Block blocked-author v1", "copied");
    await until(async () => ((await author.ask<{ state: string }>("GET", `versions/${version.id}`)).state === "blocked" ? true : null));
    await page.getByRole("button", { name: "Unblock blocked-author v1" }).waitFor();
    await page.goto(`${club.url}#/club/admin/log`);
    await page.locator(".log-table tbody tr").filter({ hasText: "blocked-author v1: copied" }).getByText("blocked a version").waitFor();
    await page.locator(".parts .who").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page, "blocked-author");
    await page.getByText("No agent plays for you.").waitFor();
    await page.goto(`${club.url}#/club/agents`);
    await page.locator('[data-version="1"]').getByText("An administrator has blocked it: copied").waitFor();
    await page.locator(".drop input").setInputFiles({ name: "again.py", mimeType: "text/x-python", buffer: Buffer.from(`${PASSES}\n# to be blocked\n`) });
    await page.getByRole("alert").filter({ hasText: "version 1, which is blocked: copied" }).waitFor();
    await page.goto(`${club.url}#/club/agent/${version.id}`);
    await page.locator(".report").getByText("An administrator has blocked it: copied").waitFor();
    expect(await page.getByText("It may play.").count()).toBe(0);
    await isSound(page);
    await page.locator(".parts .who").click();
    await page.getByRole("button", { name: "Log out" }).click();
    await logIn(page, "prof");
    await page.getByRole("heading", { name: "Ladder" }).waitFor();
    await page.goto(`${club.url}#/club/agent/${version.id}`);
    await page.getByRole("button", { name: "Unblock Version 1" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unblock Version 1" }).click();
    await page.getByText("It may play.").waitFor();
    await isSound(page);
    await end(/status of 403/);
  });

  it("submit nothing after the deadline, and are told why", async () => {
    const author = await club.member("latecomer");
    await author.submit(`${PASSES}\n# late 1\n`);
    await author.submit(`${PASSES}\n# late 2\n`);
    const { page, end } = await visitor(SIZES[1], "latecomer", "club/agents");
    const older = page.locator('[data-version="1"]').getByRole("button", { name: "Let it play" });
    expect(await older.isEnabled()).toBe(true);
    try {
      await club.boss.ask("PUT", "settings", { deadline_ms: 1 });
      await page.reload();
      await page.getByText("Nothing more can be submitted: the deadline has passed.").waitFor();
      expect(await page.locator(".drop input").count()).toBe(0);
      expect(await page.getByText("Choose a file").count()).toBe(0);
      expect(await older.isDisabled()).toBe(true);
      await isSound(page);
    } finally {
      await club.boss.ask("PUT", "settings", { no_deadline: true });
    }
    await end();
  });
});

it("tries a page again by itself that was opened while the server was away", async () => {
  const { page, end } = await visitor(SIZES[1], "author-0", "club/battles");
  await page.locator(".battles > li").first().waitFor();
  let isAway = true;
  await page.route("**/api/club/**", (route) => (isAway ? route.abort() : route.continue()));
  await page.goto(`${club.url}#/club/finals`);
  await page.getByText("This page cannot be shown now. It tries again by itself.").waitFor();
  isAway = false;
  await page.getByRole("link", { name: "First final" }).waitFor();
  await end(/Failed to load resource/);
});

it("shows the whole board of a game on a laptop", async () => {
  const [game] = await club.games(played);
  const { page, end } = await visitor({ ...SIZES[1], width: 1280, height: 800 }, "author-0", `club/game/${game}`);
  const fits = (): Promise<boolean> => page.evaluate(() => document.querySelector(".board-frame")!.getBoundingClientRect().bottom <= innerHeight);
  await page.locator(".square").first().waitFor();
  expect(await fits()).toBe(true);
  const { id } = (await authors[0]!.ask<{ versions: { id: number }[] }>("GET", "versions")).versions[0]!;
  await authors[0]!.ask("PUT", `versions/${id}`, { open: true });
  await page.goto(`${club.url}#/club/opponents`);
  await page.getByRole("button", { name: "Play author-0 v1" }).click();
  await page.locator(".casual .square").first().waitFor();
  expect(await fits()).toBe(true);
  // Whoever plays by the keyboard begins on the board.
  await page.waitForFunction(() => document.activeElement?.classList.contains("square"));
  await end();
});
