// The card of an agent of the server's owner: how long each of its moves took, what it printed, how it
// failed, and the test of its file. What it printed is text, whatever is in it.

import type { App } from "../app";
import type { Agent, GameKind } from "../api/wire";
import type { Failure, Told } from "../game/failure";
import { button, card } from "../ui/controls";
import { fill, h, setText } from "../ui/dom";
import { t } from "../messages/messages";
import { openCheck } from "./check";
import { ownAgent } from "./names";
import { text, timeText } from "./output";

/** The most moves that are listed; the last ones are of interest. */
const MOST = 60;

export class PrintedCard {
  readonly element: HTMLElement;
  private readonly title = h("h2", {});
  private readonly tools = h("div", { class: "buttons" });
  private readonly times = h("p", { class: "quiet small" });
  private readonly fault = h("div", { class: "failure", role: "alert" });
  // Lines that are no more than a time have nothing to focus, and the list is longer than its place.
  private readonly list = h("ol", { class: "printed", tabindex: 0 });
  /** The element of each move that was told. */
  private rows = new Map<string, HTMLElement>();
  private drawn = "";

  constructor(
    private readonly app: App,
    /** The game on the board. */
    private readonly game: () => GameKind,
    /** Asks the agent again that has failed. */
    private readonly again: () => void,
  ) {
    this.element = card(null, { class: "own" }, h("div", { class: "card-head" }, this.title, this.tools), this.times, this.fault, this.list);
  }

  /** Shows what the owner's agents among the players told; hides itself if none plays. */
  show(players: readonly string[], told: readonly Told[], failure: Failure | null): void {
    const own = [...new Set(players)].flatMap((spec) => ownAgent(this.app.agents, spec) ?? []);
    this.element.hidden = own.length === 0;
    const mine = told.filter(({ agent }) => own.some(({ spec }) => spec === agent));
    const lost = failure && own.some(({ spec }) => spec === failure.agent) ? failure : null;
    const now = JSON.stringify([own.map(({ spec }) => spec), mine.length, mine.at(-1), mine[0], lost]);
    if (own.length === 0 || now === this.drawn) return;
    this.drawn = now;
    setText(this.title, t("own.title", { name: own.map(({ spec }) => spec).join(", ") }));
    fill(this.tools, ...own.filter(({ kind }) => kind === "python").map((agent) => this.checkButton(agent, own.length > 1)));
    setText(this.times, mine.length === 0 ? t("own.none") : timesOf(mine));
    this.drawFailure(lost);
    this.drawMoves(mine, own.length > 1);
  }

  private checkButton(agent: Agent, isNamed: boolean): HTMLElement {
    return button(isNamed ? t("own.check.name", { name: agent.spec }) : t("own.check"), () => openCheck(this.app, agent, this.game()), { icon: "check", class: "small" });
  }

  private drawFailure(failure: Failure | null): void {
    this.fault.hidden = failure === null;
    if (!failure) {
      fill(this.fault);
      return;
    }
    const { agent, number, message, output } = failure;
    fill(
      this.fault,
      h("h3", {}, t("own.failed", { name: agent, n: number })),
      text(output === "" ? message : `${output.trimEnd()}\n\n${message}`, t("own.failed", { name: agent, n: number })),
      h("p", { class: "small" }, t("own.failed.help")),
      h("div", { class: "buttons" }, button(t("own.again"), this.again, { icon: "redo", class: "small" })),
    );
  }

  /** Lists the moves, the last one first and open. */
  private drawMoves(told: readonly Told[], isNamed: boolean): void {
    const rows = new Map<string, HTMLElement>();
    for (const each of told.slice(-MOST)) {
      const key = JSON.stringify([each.agent, each.number, each.move, each.seconds]);
      rows.set(key, this.rows.get(key) ?? row(each, isNamed));
    }
    const isNew = (key: string): boolean => !this.rows.has(key);
    const fresh = [...rows.keys()].filter(isNew).at(-1);
    if (fresh !== undefined) for (const element of rows.values()) element.querySelector("details[data-last]")?.removeAttribute("open");
    this.rows = rows;
    const last = [...rows.values()].at(-1)?.querySelector("details");
    if (fresh !== undefined && last) {
      last.open = true;
      last.dataset["last"] = "";
    }
    fill(this.list, ...[...rows.values()].reverse());
  }
}

/** How long the moves took. */
function timesOf(told: readonly Told[]): string {
  const seconds = told.map((each) => each.seconds);
  const total = seconds.reduce((sum, each) => sum + each, 0);
  return t("own.times", { n: told.length, total: timeText(total), most: timeText(Math.max(...seconds)) });
}

function row({ agent, number, move, seconds, output }: Told, isNamed: boolean): HTMLElement {
  const head = [h("b", {}, t("own.move", { n: number, move })), h("span", { class: "time" }, t("time.seconds", { seconds: timeText(seconds) })), isNamed && h("span", { class: "quiet" }, agent)];
  if (output === "") return h("li", {}, h("p", {}, ...head, h("span", { class: "quiet" }, t("own.silent"))));
  return h("li", {}, h("details", {}, h("summary", {}, ...head), text(output, t("own.printed", { n: number }))));
}
