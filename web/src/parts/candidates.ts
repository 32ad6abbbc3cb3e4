// What an agent that searches by playouts thought before its move: on each square the part of its
// playouts that began there, and below it how likely its network found the move at first sight.

import type { App } from "../app";
import type { Candidate } from "../api/wire";
import type { Thought } from "../board/board";
import { toggle } from "../ui/controls";
import { h } from "../ui/dom";
import { t } from "../messages/messages";

/** A move below this part of the playouts is not drawn, unless it was chosen or seemed likely. */
const LEAST = 0.005;

/** The squares that were weighed, for the board; `chosen` is the move that was made. */
export function thoughts(candidates: readonly Candidate[], chosen: string | null): Map<string, Thought> {
  const total = candidates.reduce((sum, { visits }) => sum + visits, 0);
  const drawn = candidates.map(({ square, prior, visits, value }): [string, Thought, number] => {
    const share = total === 0 ? 0 : visits / total;
    const isChosen = square === chosen;
    const words = [t("thought.visits", { percent: percent(share) })];
    if (prior !== null) words.push(t("thought.prior", { percent: percent(prior) }));
    if (value !== null) words.push(t("thought.value", { value: value.toFixed(2).replace("-", "−") }));
    return [square, { share, text: percent(share), note: prior === null ? "" : percent(prior), isChosen, label: words.join(", ") }, prior ?? 0];
  });
  return new Map(drawn.filter(([, { share, isChosen }, prior]) => isChosen || share >= LEAST || prior >= 10 * LEAST).map(([square, thought]) => [square, thought]));
}

/** Whether an agent tells what it thinks. */
export function tellsThoughts(spec: string): boolean {
  return /^(zero|mcts)(:|$)/.test(spec);
}

/** The switch and the legend; hidden unless an agent plays that tells its thoughts. */
export class CandidateSwitch {
  readonly element: HTMLElement;
  private readonly legend: HTMLElement;
  private readonly prior: HTMLElement;

  constructor(
    private readonly app: App,
    changed: () => void,
  ) {
    const { settings } = app;
    const box = toggle(t("thought.show"), settings.thoughts, (isOn) => {
      settings.thoughts = isOn;
      app.keep();
      changed();
    });
    this.prior = h("span", {}, h("small", { "aria-hidden": "true" }, "30"), t("thought.legend.prior"));
    this.legend = h("p", { class: "thought-legend quiet small" }, h("span", {}, h("b", { "aria-hidden": "true" }, "45"), t("thought.legend.visits")), this.prior);
    this.element = h("div", { class: "thought-switch" }, box, this.legend);
  }

  /** Shows or hides itself for the players of a game. */
  update(players: readonly string[]): void {
    this.element.hidden = !players.some(tellsThoughts);
    this.legend.hidden = !this.app.settings.thoughts;
    this.prior.hidden = !players.some((spec) => /^zero(:|$)/.test(spec));
  }

  /** What to draw for a move, if it is wanted. */
  overlay(candidates: readonly Candidate[] | undefined, chosen: string | null): { thoughts?: Map<string, Thought> } {
    return this.app.settings.thoughts && candidates ? { thoughts: thoughts(candidates, chosen) } : {};
  }
}

/** A share in percent, without a sign for want of room; less than one half is not nothing. */
function percent(share: number): string {
  const whole = Math.round(100 * share);
  return whole === 0 && share > 0 ? "<1" : String(whole);
}
