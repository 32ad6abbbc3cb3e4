// The beginning: settings, the game on the table, the frame around the screens, and which screen is
// shown. Screens are told by the address behind the `#`, so that every one of them has a link.

import "./styles/base.css";
import "./styles/board.css";
import "./styles/game.css";
import "./styles/pages.css";
import { type App, kept, type View } from "./app";
import { Client, Refusal } from "./api/client";
import type { Agents } from "./api/wire";
import { Analyst } from "./game/analyst";
import { Keeper } from "./game/keeper";
import { read, write } from "./game/notation";
import { Opponent } from "./game/opponent";
import { Remote } from "./game/remote";
import { Review } from "./game/review";
import { Session } from "./game/session";
import { Frame } from "./parts/frame";
import { join } from "./parts/share";
import { load, store } from "./settings";
import { stage, toast } from "./ui/toast";
import { AnalyseView } from "./views/analyse";
import { CompareView } from "./views/compare";
import { GamesView } from "./views/games";
import { LearnView } from "./views/learn";
import { PlayView } from "./views/play";
import { PuzzlesView } from "./views/puzzles";
import { SetupView } from "./views/setup";
import { WatchView } from "./views/watch";
import { type Key, LANGUAGES, speak, t } from "./words/words";
import { en } from "./words/en";

const settings = load(shelf(), navigator.languages);
const client = new Client();
const session = new Session(client);
const agents: Agents = { agents: [], levels: [] };

const keeper = new Keeper(client, session, () => (settings.name === "" ? t("player.guest") : settings.name));

const app: App = {
  client,
  settings,
  session,
  opponent: new Opponent(client, session, drawn, failed),
  analyst: new Analyst(client, session, failed),
  review: new Review(client, session, failed),
  keeper,
  remote: new Remote(client, session, keeper, failed),
  agents,
  keep: () => store(shelf(), settings),
  failed,
  go,
  redraw,
  repaint,
};
const frame = new Frame(app);
let view: View | null = null;

/** Discs have come to rest, and an eye has had time to see it. */
async function drawn(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition || each instanceof CSSAnimation ? isDisc(each) : false).map((each) => each.finished));
}

function isDisc(animation: Animation): boolean {
  const { effect } = animation;
  return effect instanceof KeyframeEffect && effect.target?.classList.contains("disc") === true;
}

/** The browser's storage; a page that may not use it forgets. */
function shelf(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}

/** Tells what went wrong: known codes in the page's language, the server's own words with them. */
function failed(error: unknown): void {
  if (!(error instanceof Refusal)) {
    toast(t("error.internal"), "error");
    // A fault of the page itself: it belongs into the console, where it can be found.
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

/** The screen that the address asks for. */
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

/** The theme as the settings say; a game that is watched or analysed goes on. */
function repaint(): void {
  dress();
  frame.repaint();
  view?.repaint?.();
}

/** Language and theme as the settings say, and the screen anew. */
function redraw(): void {
  dress();
  frame.draw();
  void show();
}

function dress(): void {
  const page = document.documentElement;
  speak(settings.language);
  page.lang = LANGUAGES[settings.language].tag;
  if (settings.theme === "auto") delete page.dataset["theme"];
  else page.dataset["theme"] = settings.theme;
  page.classList.toggle("still", !settings.animation);
  page.classList.toggle("bare", !settings.coordinates);
}

function keep(): void {
  settings.game = write(session.game);
  settings.saved = keeper.place;
  settings.players = session.players;
  app.keep();
}

async function begin(): Promise<void> {
  dress();
  stage();
  frame.draw();
  session.players = settings.players;
  session.failed.on(failed);
  const game = kept(settings);
  const opening = game ? session.open(game) : session.begin(settings.rule, settings.size);
  const asked = client.agents().then((told) => Object.assign(agents, told), failed);
  await Promise.all([opening, asked]);
  keeper.resume(game ? settings.saved : null);
  if (keeper.place && app.remote.isWanted) app.remote.follow(keeper.place);
  session.changed.on((change) => {
    // Another game has another clock.
    if (change === "new") settings.left = null;
    keep();
  });
  keeper.changed.on(keep);
  addEventListener("hashchange", () => void show());
  addEventListener("keydown", (event) => press(event));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  await show();
  document.documentElement.classList.add("ready");
}

/** Shortcuts of the page and the screen, unless somebody is writing or a dialog is open. */
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
