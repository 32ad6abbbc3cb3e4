// The bar above the board: the rule, the players, their discs and clocks, whose turn it is, and the
// winner. Nobody is called ahead before the end: discs on the board say little about who will win.

import { clockText } from "../game/clock";
import type { Clock, Side } from "../game/clock";
import { h, setText } from "../ui/dom";
import { t } from "../messages/messages";
import type { Position } from "../api/wire";
import { openingName } from "./opening";

const SIDES: readonly Side[] = ["black", "white"];

/** The longest status beside the name of the opening: with more, two lines may not hold it. */
const SHORT = 24;

interface Seat {
  readonly element: HTMLElement;
  readonly count: HTMLElement;
  readonly name: HTMLElement;
  readonly clock: HTMLElement;
  readonly tag: HTMLElement;
}

/** What the bar shows. */
export interface Standing {
  readonly position: Pick<Position, "discs" | "leader" | "turn" | "rule" | "over" | "opening">;
  readonly names: Record<Side, string>;
  /** A line under the rule: whose turn, a pass, the result. */
  readonly status: string;
  readonly isThinking?: boolean;
  /** The winner of a game that has ended, however it did; null for a draw. */
  readonly winner?: Side | null;
}

export class ScoreBar {
  readonly element: HTMLElement;
  private readonly seats: Record<Side, Seat>;
  private readonly rule = h("strong", { class: "rule" });
  private readonly words = h("span");
  private readonly opening = h("span", { class: "opening" });
  private readonly status = h("span", { class: "status" }, this.words, this.opening);
  private readonly bar = h("div", { class: "share", "aria-hidden": "true" }, h("span", { class: "part black" }), h("span", { class: "part white" }));

  constructor() {
    this.seats = { black: seat("black"), white: seat("white") };
    const middle = h("div", { class: "verdict" }, this.rule, this.status);
    this.element = h(
      "section",
      { class: "score", "aria-label": t("score.label") },
      this.seats.black.element,
      middle,
      this.seats.white.element,
      this.bar,
    );
  }

  show({ position, names, status, isThinking, winner }: Standing): void {
    const { discs, leader, turn, rule, over } = position;
    setText(this.rule, t(rule === "reversed" ? "rule.reversed" : "rule.normal"));
    setText(this.words, status);
    const opening = openingName(position.opening);
    setText(this.opening, opening);
    this.opening.title = t("score.opening", { name: opening });
    this.opening.hidden = opening === "" || status.length > SHORT;
    for (const side of SIDES) {
      const { element, count, name, tag } = this.seats[side];
      setText(count, String(discs[side]));
      setText(name, names[side]);
      const isOver = winner !== undefined;
      const hasWon = (isOver ? winner : over ? leader : null) === side;
      element.classList.toggle("turn", turn === side && !isOver);
      element.classList.toggle("thinking", turn === side && (isThinking ?? false));
      setText(tag, hasWon ? t("score.won") : "");
    }
    const total = discs.black + discs.white + discs.empty;
    this.bar.style.setProperty("--black", String(discs.black / total));
    this.bar.style.setProperty("--white", String(discs.white / total));
  }

  /** Shows the clocks, or hides them. */
  tick(clock: Clock | null, now: number): void {
    for (const side of SIDES) {
      const { clock: face } = this.seats[side];
      face.hidden = clock === null;
      if (!clock) continue;
      const left = clock.remaining(side, now);
      setText(face, clockText(left));
      face.classList.toggle("low", left < 20_000);
      face.classList.toggle("runs", clock.side === side);
    }
  }
}

function seat(side: Side): Seat {
  const count = h("span", { class: "count" });
  const name = h("span", { class: "name" });
  const clock = h("time", { class: "clock", hidden: true, role: "timer", "aria-live": "off" });
  const tag = h("span", { class: "tag" });
  const element = h(
    "div",
    { class: `seat ${side}` },
    h("span", { class: `stone ${side}`, "aria-hidden": "true" }),
    h("div", { class: "who" }, h("span", { class: "side" }, t(`side.${side}`)), name),
    h("div", { class: "number" }, count, tag),
    clock,
  );
  return { element, count, name, clock, tag };
}
