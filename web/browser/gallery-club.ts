// The gallery's screens of the battle platform: `cargo xtask web gallery`.
import { afterAll, beforeAll } from "vitest";
import type { Page } from "playwright-core";
import type { Final, GameRecord, Version } from "../src/api/club";
import { t } from "../src/messages/messages";
import { launch, legal, visit } from "./browser";
import { DIFFERENT, FAILS, type Person, playAgain, QUICK, TestClub, until } from "./club";
import { photographEach, type Screen, STUDIO } from "./photograph";

launch();

/** The longest name that somebody can have. */
const LONG = "author-with-a-name-of-32-letters";

/** More games of the ladder than it takes to tell the agents apart. */
const LADDER_GAMES = 8;

let club: TestClub;
/** Has a version that plays and one that failed. */
let author: Person;
let passed: Version;
let failed: Version;
let final: Final;
let game: GameRecord;

beforeAll(async () => {
  club = await TestClub.start();
  await club.boss.ask("PUT", "settings", { terms: QUICK, deadline_ms: Date.parse("2099-05-17T18:30Z") });
  author = await club.member(LONG);
  passed = await author.submit(DIFFERENT[0]!);
  failed = await author.submit(FAILS, "a_second_attempt_with_a_long_name.py", 0.0001);
  for (const [index, source] of DIFFERENT.slice(1).entries()) await (await club.member(`author-${index}`, "B")).submit(source);
  await until(async () => ((await ladderGames()) < LADDER_GAMES ? null : true));
  await club.boss.ask("PUT", "settings", { ladder_open: false });
  await author.ask("PUT", `versions/${passed.id}`, { open: true });
  await author.ask("POST", "tokens", { label: "laptop" });
  final = await club.final("Final of the spring term");
  game = await club.lost(final);
});
afterAll(() => club.end());

async function ladderGames(): Promise<number> {
  const { rungs } = await club.boss.ask<{ rungs: { version_games: number }[] }>("GET", "ladder");
  return rungs.reduce((sum, { version_games }) => sum + version_games, 0) / 2;
}

/** What somebody sees who has logged in, waited for until `last` is there; `open` comes before the address. */
function screen(name: string, who: () => Person | null, route: () => string | Promise<string>, last: string, open: (page: Page) => Promise<void> = () => Promise.resolve()): Screen {
  return {
    name: `club-${name}`,
    async show(taste) {
      const visited = await visit(STUDIO, "learn", { ...taste, url: club.url });
      const { page } = visited;
      await who()?.enter(page);
      await open(page);
      await page.goto(`${club.url}#/club/${await route()}`);
      await page.locator(last).first().waitFor();
      return visited;
    },
  };
}

const live = (page: Page): Promise<void> => playAgain(page, game, () => 12);
const boss = (): Person => club.boss;
const member = (): Person => author;
const nobody = (): null => null;

/** A class list with a wrong row, a link for many, and the links that can still be used. */
const people: Screen = {
  name: "club-people",
  async show(taste) {
    const visited = await screen("people", boss, () => "admin/people", ".accounts tbody tr").show(taste);
    const { page } = visited;
    await page.locator("textarea[name=class]").fill("name,section\nann,A\nann,A\n");
    await page.getByRole("button", { name: t("club.class.enrol") }).click();
    await page.getByRole("alert").filter({ hasText: "ann" }).waitFor();
    await page.getByRole("button", { name: t("club.invite.make") }).click();
    await page.locator(".qr svg").waitFor();
    return visited;
  },
};

/** A game of a person against an agent, after its first answer. */
const casual: Screen = {
  name: "club-casual",
  async show(taste) {
    const person = await club.member(`person-${taste.locale}-${taste.colorScheme}`);
    const { game: id } = await person.ask<{ game: number }>("POST", "casual", { version: passed.id, size: 6, color: "black" });
    const visited = await screen("casual", () => person, () => `casual/${id}`, ".casual .square.legal").show(taste);
    const { page } = visited;
    await legal(page).first().click();
    await page.locator(".casual-moves li").nth(1).waitFor();
    await legal(page).first().waitFor();
    return visited;
  },
};

photographEach([
  screen("log-in", nobody, () => "", ".entrance form"),
  screen("invitation", nobody, async () => `join/${await club.invite()}`, ".entrance form"),
  screen("ladder", member, () => "", ".live-boards li", live),
  screen("own", member, () => "me", ".tokens li"),
  screen("agents", member, () => "agents", "[data-version='1']"),
  screen("report", member, () => `agent/${failed.id}`, ".cases [data-passed=false]"),
  screen("report-passed", member, () => `agent/${passed.id}`, ".cases [data-passed=true]"),
  screen("weaknesses", member, () => `weaknesses/${passed.id}`, ".worst svg"),
  screen("opponents", member, () => "opponents", ".opponents li"),
  casual,
  screen("battles", member, () => "battles", ".battles > li"),
  screen("game", boss, () => `game/${game.id}`, "tr.losing"),
  screen("live", member, () => `game/${game.id}`, ".seat .clock.runs", live),
  screen("finals", boss, () => "finals", "form button"),
  screen("final", boss, () => `finals/${final.id}`, ".standings tbody tr"),
  screen("overview", boss, () => "admin", ".inner-parts"),
  people,
  screen("terms", boss, () => "admin/terms", "form button"),
  screen("log", boss, () => "admin/log", ".log-table tbody tr"),
]);
