// The battle platform's screens: log-in, the ladder, one's own agents, battles and their games, finals,
// administration. Which of them is in the address: `club/agents`, `club/game/17`.

import "../messages/club";
import "../styles/club.css";
import type { App, View } from "../app";
import { Refusal } from "../api/client";
import type { Club, ClubClient, Ladder } from "../api/club";
import { card } from "../ui/controls";
import { fill, h, setText } from "../ui/dom";
import { type Key, t } from "../messages/messages";
import { administrationPage } from "./club/administration";
import { agentPage } from "./club/agent";
import { agentsPage } from "./club/agents";
import { battlesPage } from "./club/battles";
import { casualPage } from "./club/casual";
import { enterPage, joinPage, ownPage } from "./club/enter";
import { finalsPage } from "./club/finals";
import { gamePage } from "./club/game";
import { ladderPage } from "./club/ladder";
import { opponentsPage } from "./club/opponents";
import { weaknessesPage } from "./club/weaknesses";

/** How often what goes on is asked for again, in milliseconds. */
const AGAIN_MS = 4000;

/** After how many of these one's own rank is asked for. */
const RANK_TURNS = 2;

/** What the parts of the platform share. */
export interface House {
  readonly app: App;
  readonly api: ClubClient;
  readonly club: Club;
  /** Shows the screen again from the beginning, after a log-in for example. */
  again(): void;
  /** Does something now and again, for as long as somebody looks; `ms` if it is to be more often than usual. */
  follow(act: () => Promise<void>, ms?: number): void;
  /** The actions of keys on this page. */
  keys(actions: Readonly<Record<string, () => void>>): void;
  /** Does something when the page is left. */
  left(act: () => void): void;
  /** Does something when the colours have changed. */
  repainted(act: () => void): void;
  /** Shows one's own place on a ladder that has just been read. */
  rank(ladder: Ladder): void;
}

const PARTS: readonly (readonly [string, Key])[] = [
  ["", "club.ladder"],
  ["agents", "club.agents"],
  ["opponents", "club.opponents"],
  ["battles", "club.battles"],
  ["finals", "club.finals"],
];

const ADMINISTRATION = ["admin", "club.admin"] as const;

/** The part that a page belongs to, if it is another one. */
const HOMES: Readonly<Record<string, string>> = { agent: "agents", weaknesses: "agents", game: "battles", casual: "opponents" };

export class ClubView implements View {
  readonly element: HTMLElement;
  readonly title: string;
  keys: Readonly<Record<string, () => void>> = {};
  private readonly body = h("div", { class: "stack" });
  private readonly own = h("span", { class: "rank" });
  private readonly endings: (() => void)[] = [];
  private readonly paintings: (() => void)[] = [];
  private readonly timers = new Set<ReturnType<typeof setTimeout>>();
  /** How often the page was asked for, so that a slow one does not replace a later one. */
  private asked = 0;
  private isLeft = false;

  constructor(
    private readonly app: App,
    private readonly api: ClubClient,
    private readonly path: string,
  ) {
    const [part = ""] = path.split("/");
    const words = [...PARTS, ADMINISTRATION].find(([route]) => route === (HOMES[part] ?? part))?.[1];
    this.title = words === undefined ? t("nav.club") : `${t(words)} · ${t("nav.club")}`;
    this.element = h("div", { class: "screen page wide club" }, h("h1", {}, t("nav.club")), this.body);
    this.show();
  }

  leave(): void {
    this.isLeft = true;
    this.stop();
  }

  repaint(): void {
    this.paintings.forEach((paint) => paint());
  }

  /** Ends what the page before did. */
  private stop(): void {
    this.timers.forEach(clearTimeout);
    this.timers.clear();
    this.endings.splice(0).forEach((end) => end());
    this.paintings.length = 0;
    this.keys = {};
  }

  /** Makes the page; `isQuiet` if it was tried before, and that it failed was told. */
  private show(isQuiet = false): void {
    this.stop();
    const turn = (this.asked += 1);
    const isLate = (): boolean => this.isLeft || turn !== this.asked;
    void this.load(isLate).catch((error: unknown) => {
      if (isLate()) return;
      fill(this.body, h("p", { role: "status" }, t("club.away")));
      if (!isQuiet) this.app.failed(error);
      // A server that was away comes back.
      this.timers.add(setTimeout(() => this.show(true), AGAIN_MS));
    });
  }

  private async load(isLate: () => boolean): Promise<void> {
    const { levels, club: isThere } = this.app.agents;
    // Without its list of agents nobody knows what the server has.
    const club = levels.length > 0 && !isThere ? null : await this.api.show();
    if (isLate()) return;
    if (!club) {
      fill(this.body, h("p", {}, t("club.none")), h("pre", { tabindex: 0 }, "isrever serve --club DIR"));
      return;
    }
    const house = this.house(club, isLate);
    const [part = "", id = ""] = this.path.split("/");
    if (part === "join") fill(this.body, await joinPage(house, id));
    else if (!club.visitor) fill(this.body, enterPage(house));
    else {
      const made = await page(house, part, id).catch(missing);
      if (isLate()) return;
      fill(this.body, this.parts(club, part), made);
      if (part !== "") this.followRank(house);
    }
  }

  /** What a page gets; one that is made too late begins nothing. */
  private house(club: Club, isLate: () => boolean): House {
    return {
      app: this.app,
      api: this.api,
      club,
      again: () => this.show(),
      follow: (act, ms) => isLate() || this.follow(act, ms),
      keys: (actions) => isLate() || (this.keys = actions),
      left: (act) => (isLate() ? act() : this.endings.push(act)),
      repainted: (act) => isLate() || this.paintings.push(act),
      rank: (ladder) => this.rank(ladder),
    };
  }

  /** The parts of the platform, one's own rank, and who is logged in. */
  private parts({ visitor }: Club, part: string): HTMLElement {
    const isBoss = visitor?.account.role === "administrator";
    const all = isBoss ? [...PARTS, ADMINISTRATION] : PARTS;
    const home = HOMES[part] ?? part;
    const current = (route: string): string | null => (route !== home ? null : route === part ? "page" : "true");
    const link = ([route, words]: readonly [string, Key]): HTMLElement => h("a", { href: route === "" ? "#/club" : `#/club/${route}`, "aria-current": current(route) }, t(words));
    const who = h("a", { class: "who", href: "#/club/me", "aria-current": current("me") }, h("span", { class: "name" }, visitor?.account.name ?? ""), this.own);
    return h("nav", { class: "parts", "aria-label": t("club.parts") }, h("div", { class: "tabs" }, ...all.map(link)), who);
  }

  private rank({ own, count }: Ladder): void {
    setText(this.own, own === null ? "" : t("club.rank.own", { rank: own.rank, count }));
  }

  /** Asks for one's own rank; the ladder's page knows it anyway. */
  private followRank({ api, club }: House): void {
    const load = async (): Promise<void> => this.rank(await api.ladder(club.visitor?.account.section ?? null));
    void load().catch(() => undefined);
    this.follow(load, RANK_TURNS * AGAIN_MS);
  }

  private follow(act: () => Promise<void>, ms = AGAIN_MS): void {
    const timer = setTimeout(() => {
      const next = (): void => {
        // Another page may have begun meanwhile, and with it all timers ended.
        if (this.timers.delete(timer)) this.follow(act, ms);
      };
      const failed = (error: unknown): void => {
        // A session that has ended leads to the log-in; a server that is away is asked again.
        if ((error as { code?: string }).code === "log-in" && this.timers.has(timer)) this.show();
        else next();
      };
      if (document.visibilityState === "hidden") next();
      else void act().then(next, failed);
    }, ms);
    this.timers.add(timer);
  }
}

/** Stands for a page that is not there, or not for this visitor. */
function missing(error: unknown): HTMLElement {
  if (!(error instanceof Refusal) || error.code !== "not-found") throw error;
  return card(null, {}, h("p", { role: "alert" }, t("error.not-found")));
}

async function page(house: House, part: string, id: string): Promise<HTMLElement> {
  switch (part) {
    case "agents":
      return agentsPage(house);
    case "agent":
      return agentPage(house, Number(id));
    case "weaknesses":
      return weaknessesPage(house, Number(id));
    case "opponents":
      return opponentsPage(house);
    case "casual":
      return casualPage(house, Number(id));
    case "battles":
      return battlesPage(house, id === "" ? null : Number(id));
    case "game":
      return gamePage(house, Number(id));
    case "finals":
      return finalsPage(house, id === "" ? null : Number(id));
    case "admin":
      return administrationPage(house, id);
    case "me":
      return ownPage(house);
    default:
      return ladderPage(house);
  }
}
