// Starts the page: settings, the current game, the frame around the screens. The address behind the
// `#` says which screen to show, so that each of them has a link.

import "./styles/base.css";
import "./styles/board.css";
import "./styles/game.css";
import "./styles/pages.css";
import { type App, savedGame, type View } from "./app";
import { Client, Refusal } from "./api/client";
import type { Agents } from "./api/wire";
import { Analyzer } from "./game/analyzer";
import { Health } from "./game/health";
import { Saver } from "./game/saver";
import { read, write } from "./game/notation";
import { Opponent } from "./game/opponent";
import { Remote } from "./game/remote";
import { Review } from "./game/review";
import { Session } from "./game/session";
import { Frame } from "./parts/frame";
import { HealthLine } from "./parts/health";
import { join } from "./parts/share";
import { load, store } from "./settings";
import { addRegions, toast } from "./ui/toast";
import { AnalyseView } from "./views/analyse";
import { CompareView } from "./views/compare";
import { GamesView } from "./views/games";
import { LearnView } from "./views/learn";
import { PlayView } from "./views/play";
import { PuzzlesView } from "./views/puzzles";
import { SetupView } from "./views/setup";
import { WatchView } from "./views/watch";
import { type Key, LANGUAGES, setLanguage, t } from "./messages/messages";
import { en } from "./messages/en";

const settings = load(storage(), navigator.languages);
const client = new Client();
const health = new Health(client);
const healthLine = new HealthLine(health);
const session = new Session(client);
const agents: Agents = { agents: [], levels: [] };

const saver = new Saver(client, session, () => (settings.name === "" ? t("player.guest") : settings.name));

const app: App = {
  client,
  settings,
  session,
  opponent: new Opponent(client, session, drawn, failed),
  analyzer: new Analyzer(client, session, failed),
  review: new Review(client, session, failed),
  saver,
  remote: new Remote(client, session, saver, failed),
  agents,
  keep: () => store(storage(), settings),
  failed,
  go,
  redraw,
  repaint,
};
const frame = new Frame(app);
let view: View | null = null;

/** Resolves when the discs have stopped turning. */
async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition || each instanceof CSSAnimation ? isDisc(each) : false).map((each) => each.finished));
}

function isDisc(animation: Animation): boolean {
  const { effect } = animation;
  return effect instanceof KeyframeEffect && effect.target?.classList.contains("disc") === true;
}

/** The browser's storage, or an empty one if the page may not use it. */
function storage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}

/** Shows an error: in the page's language if its code is known, else in the server's words. */
function failed(error: unknown): void {
  if (!(error instanceof Refusal)) {
    toast(t("error.internal"), "error");
    // A fault of the page itself: the console shows where.
    console.error(error);
    return;
  }
  const key = `error.${error.code}` as Key;
  const words = Object.hasOwn(en, key) ? t(key) : error.message;
  toast(words, "error");
}

function go(route: string): void {
  const address = `#/${route}`;
  if (location.hash === address) void show();
  else location.hash = address;
}

/** Shows the screen of the address. */
async function show(): Promise<void> {
  const [name = "", ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const text = decodeURIComponent(rest.join("/"));
  view?.leave();
  view = null;
  if (name === "analyse" && text !== "" && text !== "review" && text !== write(session.game)) {
    const game = read(text);
    if (game) await session.open(game);
    else toast(t("error.link"), "error");
  }
  if (name === "join") {
    const [id = "", token = "", side = ""] = rest;
    // The token stays out of the address, where others could read it.
    history.replaceState(null, "", "#/play");
    await join(app, id, token, side === "black" ? "black" : "white").catch(failed);
  }
  view = make(name, text);
  frame.show(view, name === "" || name === "join" ? "play" : name);
}

function make(name: string, text: string): View {
  switch (name) {
    case "analyse":
      return new AnalyseView(app, text === "review");
    case "setup":
      return new SetupView(app);
    case "watch":
      return new WatchView(app);
    case "compare":
      return new CompareView(app, /^\d+$/.test(text) ? Number(text) : null);
    case "learn":
      return new LearnView(app);
    case "puzzles":
      return new PuzzlesView(app);
    case "games":
      return new GamesView(app);
    default:
      return new PlayView(app);
  }
}

/** Applies the theme of the settings without interrupting the screen. */
function repaint(): void {
  applyAppearance();
  frame.repaint();
  view?.repaint?.();
}

/** Applies language and theme of the settings, and draws the screen again. */
function redraw(): void {
  applyAppearance();
  frame.draw();
  healthLine.draw();
  void show();
}

function applyAppearance(): void {
  const page = document.documentElement;
  setLanguage(settings.language);
  page.lang = LANGUAGES[settings.language].tag;
  if (settings.theme === "auto") delete page.dataset["theme"];
  else page.dataset["theme"] = settings.theme;
  page.classList.toggle("still", !settings.animation);
  page.classList.toggle("bare", !settings.coordinates);
}

function keep(): void {
  settings.game = write(session.game);
  settings.saved = saver.place;
  settings.players = session.players;
  app.keep();
}

async function begin(): Promise<void> {
  applyAppearance();
  document.body.append(healthLine.element);
  addRegions();
  frame.draw();
  session.players = settings.players;
  session.failed.on(failed);
  saver.failed.on(failed);
  const game = savedGame(settings);
  const opening = game ? session.open(game) : session.begin(settings.rule, settings.size);
  const asked = client.agents().then((told) => Object.assign(agents, told), failed);
  void health.ask();
  await Promise.all([opening, asked]);
  saver.resume(game ? settings.saved : null);
  if (saver.place && app.remote.isWanted) app.remote.follow(saver.place);
  session.changed.on((change) => {
    // A new game starts with a new clock.
    if (change === "new") settings.left = null;
    keep();
  });
  saver.changed.on(keep);
  addEventListener("hashchange", () => void show());
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
  const route = frame.routeOf(event.key);
  const act = event.key === "?" ? () => frame.help(view) : route ? () => go(route) : view?.keys?.[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

void begin();
