// Starts the page: settings, the games of this browser, the frame around the screens. The address
// behind the `#` says which screen to show and what is open there: `play/ID` a game of this browser,
// `analyse/GAME` a copy to analyse, `explore/GAME` a line of the book. So each has a link, and back, forward and reload find it again.

import "./styles/base.css";
import "./styles/board.css";
import "./styles/game.css";
import "./styles/pages.css";
import type { App, View } from "./app";
import { ownChannel } from "./api/channel";
import { Client, Refusal } from "./api/client";
import { ClubClient } from "./api/club";
import type { Agents } from "./api/wire";
import { Analysis, readRoute, routeTo } from "./game/analysis";
import { FriendGame } from "./game/friend";
import { Games } from "./game/games";
import { Health } from "./game/health";
import { inherited, joined } from "./game/origins";
import { pause } from "./game/pause";
import { Seats, summary } from "./game/seats";
import { isAgent } from "./game/session";
import { Table } from "./game/table";
import { Tree } from "./game/tree";
import { explain } from "./parts/errors";
import { Frame } from "./parts/frame";
import { HealthLine } from "./parts/health";
import { ownAgent } from "./parts/names";
import { seats } from "./parts/newgame";
import { load, NAME, store } from "./settings";
import { nameLetters } from "./ui/controls";
import { setSound } from "./ui/sound";
import { addRegions, toast } from "./ui/toast";
import { AnalyseView } from "./views/analyse";
import { CompareView } from "./views/compare";
import { FriendView } from "./views/friend";
import { GamesView } from "./views/games";
import { LearnView } from "./views/learn";
import { PlayView } from "./views/play";
import { PuzzlesView } from "./views/puzzles";
import { SetupView } from "./views/setup";
import { WatchView } from "./views/watch";
import { LANGUAGES, setLanguage, t } from "./messages/messages";

/** A storage that forgets everything. */
const nowhere = { getItem: () => null, setItem: () => undefined };
const browser = storage();
const games = new Games(browser);
const seatsHere = new Seats(browser);
// The game of an older version, before its settings are written again without it.
const old = inherited(browser?.getItem(NAME) ?? null);
const settings = load(browser ?? nowhere, navigator.languages);
const client = new Client(undefined, undefined, ownChannel());
const club = new ClubClient(client);
const health = new Health(client);
const healthLine = new HealthLine(health);
const agents: Agents = { agents: [], levels: [], club: false };
/** Resolves when the server has sent the agents, or could not. */
let told: Promise<unknown> = Promise.resolve();
let recent: Table | Analysis | null = null;
/** The game with a friend that is on the screen. */
let friend: FriendGame | null = null;
let view: View | null = null;
/** The name of the screen that is shown. */
let shown = "";
/** How often a screen was asked for, so that a slow one does not replace a later one. */
let asked = 0;

const app: App = {
  client,
  settings,
  games,
  seats: seatsHere,
  agents,
  get recent() {
    return recent;
  },
  keep: () => store(browser ?? nowhere, settings),
  failed,
  go,
  analyse(game, names, more = {}) {
    const route = routeTo(game, { names, id: more.id ?? null });
    go(more.isReviewed ? `${route}${route.includes("?") ? "&" : "?"}review` : route);
  },
  redraw,
  refresh,
  repaint,
};
const frame = new Frame(app);

/** What every table gets of the page. */
const around = {
  client,
  games,
  failed,
  drawn,
  agentsKnown: () => told,
  isOwn: (spec: string) => ownAgent(agents, spec) !== undefined,
  name: () => settings.name,
  words: { guest: () => t("player.guest") },
  now: () => performance.now(),
};

/** Resolves when the discs have stopped turning. */
async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition || each instanceof CSSAnimation ? isDisc(each) : false).map((each) => each.finished));
}

function isDisc(animation: Animation): boolean {
  const { effect } = animation;
  return effect instanceof KeyframeEffect && effect.target?.classList.contains("disc") === true;
}

/** The browser's storage, if the page may use it. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Shows an error in the page's language. */
function failed(error: unknown): void {
  if (error instanceof Refusal) {
    toast(explain(error, false), "error");
    return;
  }
  toast(t("error.internal"), "error");
  // A fault of the page itself: the console shows where.
  console.error(error);
}

function go(route: string): void {
  const address = `#/${route}`;
  if (location.hash === address) void show();
  else location.hash = address;
}

/** Writes the address of what is open without leaving it. */
function rename(route: string): void {
  history.replaceState(null, "", `#/${route}`);
}

/** Shows the screen of the address, or draws it again as it is. */
async function show(isRedrawn = false): Promise<void> {
  const turn = (asked += 1);
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const isSame = isRedrawn && name === shown;
  const state = isSame ? view?.state?.() : undefined;
  view?.leave(isSame);
  const next = await make(name, rest.join("/"), state);
  if (turn !== asked || !next) {
    // A later one is on its way, and may go on with this one's state.
    next?.leave(true);
    return;
  }
  view = next;
  shown = name;
  frame.show(view, ["", "join", "friend"].includes(name) ? "play" : name);
}

/** The screen of a route; null if it leads to another one. */
async function make(name: string, text: string, state: unknown): Promise<View | null> {
  const [path = ""] = text.split("?");
  if (recent instanceof Table && (name !== "play" || (path !== "" && path !== recent.id))) recent.close();
  if (friend && (name !== "friend" || path.split("/")[0] !== friend.id)) {
    friend.close();
    friend = null;
  }
  switch (name) {
    case "friend":
      return friendView(path);
    case "analyse":
      return analyseView(text);
    case "setup":
      return new SetupView(app, state);
    case "watch":
      await told;
      return new WatchView(app, state);
    case "compare":
      return new CompareView(app, /^\d+$/.test(path) ? Number(path) : null);
    case "learn":
      return new LearnView(app, state);
    case "puzzles":
      return new PuzzlesView(app, path, state);
    case "games":
      return new GamesView(app, state);
    case "explore":
      return exploreView(path);
    case "club":
      return clubView(path);
    case "join":
      return joinedView(path);
    default:
      return playView(path);
  }
}

/** The game with this id; without one, the game that was played last. */
async function playView(id: string): Promise<View | null> {
  const record = id === "" ? await lastGame() : games.get(id);
  if (!record) {
    toast(t("error.game"), "error");
    rename("games");
    return new GamesView(app);
  }
  if (id === "") rename(`play/${record.id}`);
  let table = recent instanceof Table && recent.id === record.id && recent.isOpen ? recent : null;
  if (!table) {
    table = new Table(around, record);
    recent = table;
    await table.open();
  }
  await told;
  return new PlayView(app, table);
}

/** The game that was played last and can go on; a new one if there is none. */
async function lastGame(): Promise<ReturnType<Games["begin"]>> {
  const { rule, size, players, clock } = settings;
  const last = (recent instanceof Table ? games.get(recent.id) : null) ?? games.list().find(({ end }) => end === null);
  if (last) return last;
  // The engine is always there; whether others are, the server must say.
  if (Object.values(players).some((spec) => isAgent(spec) && !spec.startsWith("engine"))) await told;
  return games.begin({ rule, size, players: seats(app, settings, players), clock });
}

/**
 * A game with a friend. Behind its id may stand the code of an invitation, or a side and its token
 * for the same person at another device.
 */
async function friendView(path: string): Promise<View | null> {
  const [id = "", word = "", token = ""] = path.split("/");
  try {
    const seat = seatsHere.get(id);
    const code = word !== "" && token === "" && !seat ? word : null;
    if (!friend || friend.seat?.token !== seat?.token) {
      friend?.close();
      const state = await client.game(id);
      if (!state.friends) throw new Refusal("not-found", "no such game");
      if (!seat && token !== "" && (word === "black" || word === "white")) seatsHere.put({ id, side: word, token, code: null, last: summary(state) });
      friend = new FriendGame({ client, seats: seatsHere, now: () => performance.now(), pause, failed }, state, seatsHere.get(id));
      await friend.open();
    }
    // Tokens and used codes stay out of the address, where others could read them.
    if (word !== "" && code === null) rename(`friend/${id}`);
    return new FriendView(app, friend, code);
  } catch (error) {
    failed(error);
    rename("games");
    return new GamesView(app);
  }
}

/** The battle platform, which is fetched when somebody goes there. */
function clubView(path: string): Promise<View | null> {
  return fetched(async () => {
    const [{ ClubView }] = await Promise.all([import("./views/club"), told]);
    return new ClubView(app, club, path);
  });
}

/** The explorer, which is fetched when somebody goes there. */
function exploreView(path: string): Promise<View | null> {
  return fetched(async () => (await import("./views/explore")).explore(app, path));
}

/** A screen whose script is fetched; null if the server does not answer. */
async function fetched(make: () => Promise<View>): Promise<View | null> {
  try {
    return await make();
  } catch {
    failed(new Refusal("offline", "the server does not answer"));
    return null;
  }
}

/** Joins a game that the same person has begun at another device. */
async function joinedView(path: string): Promise<View | null> {
  const [id = "", token = ""] = path.split("/");
  // The token stays out of the address, where others could read it.
  rename("play");
  try {
    const record = games.bySaved(id) ?? joined(await client.game(id), token, Date.now());
    if (!games.get(record.id)) games.put(record);
    return await playView(record.id).then((made) => {
      rename(`play/${record.id}`);
      return made;
    });
  } catch (error) {
    failed(error);
    return playView("");
  }
}

/** A copy of the game in the address; without one, of the board that was shown last. */
async function analyseView(text: string): Promise<View> {
  const read = text === "" ? null : readRoute(text);
  if (text !== "" && !read) toast(t("error.link"), "error");
  let isReviewed = false;
  if (recent instanceof Analysis && (!read || recent.route === `analyse/${text}`)) {
    // It is open already.
  } else {
    const table = recent instanceof Table ? recent : null;
    const origin = read?.origin ?? { names: table?.names ?? {}, id: table?.id ?? null };
    const game = read?.game ?? table?.copy() ?? { rule: settings.rule, size: settings.size, start: null, tree: new Tree() };
    const effort = () => ({ seconds: settings.analysisSeconds, depth: settings.analysisDepth, threads: settings.analysisThreads });
    const analysis = new Analysis(client, origin, failed, effort);
    recent = analysis;
    await analysis.session.open(game);
    isReviewed = read?.isReviewed ?? false;
  }
  return new AnalyseView(app, recent as Analysis, isReviewed);
}

/** Applies the theme of the settings without interrupting the screen. */
function repaint(): void {
  applyAppearance();
  frame.repaint();
  view?.repaint?.();
}

/** Applies settings that need no other words. */
function refresh(): void {
  applyAppearance();
  view?.refresh?.();
}

/** Applies language and theme of the settings, and draws the screen again as it is. */
function redraw(): void {
  applyAppearance();
  frame.draw();
  healthLine.draw();
  void show(true);
}

/** Takes over the settings that another tab has saved, which this one would undo otherwise. */
function adopt(): void {
  const { language } = settings;
  Object.assign(settings, load(browser ?? nowhere, navigator.languages));
  if (settings.language === language) {
    refresh();
    repaint();
  } else redraw();
}

function applyAppearance(): void {
  const page = document.documentElement;
  setLanguage(settings.language);
  page.lang = LANGUAGES[settings.language].tag;
  if (settings.theme === "auto") delete page.dataset["theme"];
  else page.dataset["theme"] = settings.theme;
  nameLetters(settings.letters);
  setSound(settings.sounds);
  page.classList.toggle("still", !settings.animation);
  page.classList.toggle("bare", !settings.coordinates);
}

async function begin(): Promise<void> {
  applyAppearance();
  document.body.append(healthLine.element);
  addRegions();
  frame.draw();
  if (old) {
    games.put(old);
    app.keep();
  }
  told = client.agents().then((answer) => {
    Object.assign(agents, answer);
    if (answer.club) frame.addClub();
  }, failed);
  void health.ask();
  addEventListener("hashchange", () => void show());
  addEventListener("storage", (event) => {
    games.notice(event.key);
    seatsHere.changed.tell();
    if (event.key === NAME) adopt();
  });
  addEventListener("pagehide", () => {
    if (recent instanceof Table) recent.putAway();
  });
  addEventListener("keydown", (event) => press(event));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  await show();
  document.documentElement.classList.add("ready");
}

/** Handles shortcuts, except in text fields and dialogs. */
function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (target.closest("input:not([type=checkbox], [type=radio]), textarea, select, dialog")) return;
  if (target.closest("[type=radio]") && event.key.startsWith("Arrow")) return;
  if (event.key === " " && target.closest("button, a, summary, input")) return;
  // Who dictates, or touches keys by chance, can switch off those that need no other key.
  if (!settings.letters && event.key.length === 1 && event.key !== " ") return;
  const route = frame.routeOf(event.key);
  const act = event.key === "?" ? () => frame.help(view) : route ? () => go(route) : view?.keys?.[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

void begin();
