// The screen for setting up a position. The server checks whether it can be played.

import type { App, View } from "../app";
import { Refusal } from "../api/client";
import { BoardView } from "../board/board";
import { type Rule, type Size, SIZES, usual } from "../game/notation";
import { cell } from "../game/session";
import { explain } from "../parts/errors";
import { startGame } from "../parts/newgame";
import { openPaste } from "../parts/share";
import { sizeChoice } from "../parts/sizes";
import { button, card, segmented } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { t } from "../messages/messages";
import { Tree } from "../game/tree";

type Brush = "cycle" | "X" | "O" | "-";
const NEXT: Record<string, string> = { "-": "X", X: "O", O: "-" };

export class SetupView implements View {
  readonly element: HTMLElement;
  readonly title = t("setup.title");
  readonly keys: Record<string, () => void>;
  private readonly board = new BoardView(t("setup.board"));
  private readonly fault = h("p", { class: "fault", role: "alert" });
  private readonly counts = h("p", { class: "quiet" });
  private readonly sizes = h("div", {});
  private readonly sides = h("div", {});
  private rule: Rule;
  private size: Size;
  private cells: string[];
  private side: "X" | "O";
  private brush: Brush;

  constructor(
    private readonly app: App,
    state: unknown,
  ) {
    const { settings } = app;
    const shown = app.recent?.session;
    const text = shown?.position?.position ?? usual(settings.size);
    const [squares, side] = text.split(" ") as [string, "X" | "O"];
    const kept = state as ReturnType<typeof this.state> | undefined;
    this.rule = kept?.rule ?? shown?.game.rule ?? settings.rule;
    this.size = kept?.size ?? shown?.position?.size ?? settings.size;
    this.cells = kept?.cells ?? [...squares];
    this.side = kept?.side ?? side;
    this.brush = kept?.brush ?? "cycle";
    this.board.chosen.on((name) => this.paint(name));
    this.element = h(
      "div",
      { class: "screen game" },
      h("div", { class: "table setup" }, this.board.element, this.counts),
      h(
        "div",
        { class: "side" },
        card(
          t("setup.title"),
          {},
          h("p", { class: "quiet" }, t("setup.help")),
          segmented<Brush>(t("setup.brush"), [["cycle", t("setup.cycle")], ["X", t("side.black")], ["O", t("side.white")], ["-", t("setup.erase")]], this.brush, (brush) => (this.brush = brush)),
          this.sides,
          this.sizes,
          segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], this.rule, (rule) => (this.rule = rule)),
          h(
            "div",
            { class: "buttons" },
            button(t("setup.start"), () => this.reset(usual(this.size)), {}),
            button(t("setup.clear"), () => this.reset(`${"-".repeat(this.size ** 2)} X`), { icon: "trash" }),
            button(t("tool.paste"), () => openPaste(app, { rule: this.rule, size: this.size }), { icon: "paste" }),
          ),
          this.fault,
          h("div", { class: "buttons end" }, button(t("setup.analyse"), () => void this.done("analyse"), { icon: "chart" }), button(t("setup.play"), () => void this.done("play"), { icon: "play", class: "primary" })),
        ),
      ),
    );
    this.keys = { b: () => this.board.enter() };
    this.choices();
    this.draw();
  }

  leave(): void {
    // There is nothing to stop.
  }

  state(): { rule: Rule; size: Size; cells: string[]; side: "X" | "O"; brush: Brush } {
    const { rule, size, cells, side, brush } = this;
    return { rule, size, cells, side, brush };
  }

  /** The controls that the text of a position can change. */
  private choices(): void {
    fill(this.sides, segmented<"X" | "O">(t("setup.side"), [["X", t("side.black")], ["O", t("side.white")]], this.side, (side) => (this.side = side)));
    fill(
      this.sizes,
      sizeChoice(SIZES, this.size, (size) => {
        this.size = size;
        this.reset(usual(size));
      }),
    );
  }

  private reset(text: string): void {
    const [squares, side] = text.split(" ") as [string, "X" | "O"];
    this.cells = [...squares];
    this.side = side;
    fill(this.fault);
    this.choices();
    this.draw();
  }

  private paint(name: string): void {
    const at = cell(name, this.size);
    const now = this.cells[at]!;
    this.cells[at] = this.brush === "cycle" ? NEXT[now]! : this.brush === now ? "-" : this.brush;
    fill(this.fault);
    this.draw();
  }

  private draw(): void {
    const board = this.cells.join("");
    this.board.show({ size: this.size, board, legal: new Map(), turn: null, last: null, flips: [], dots: false, isFree: true });
    const count = (mark: string): number => this.cells.filter((each) => each === mark).length;
    fill(this.counts, t("said.count", { black: count("X"), white: count("O") }));
  }

  private async done(then: "play" | "analyse"): Promise<void> {
    const { app } = this;
    const text = `${this.cells.join("")} ${this.side}`;
    const start = text === usual(this.size) ? null : text;
    try {
      await app.client.position({ rule: this.rule, size: this.size, start, moves: [] });
    } catch (error) {
      if (error instanceof Refusal && error.code !== "offline") fill(this.fault, explain(error));
      else app.failed(error);
      return;
    }
    const { rule, size } = this;
    const { players, clock } = app.settings;
    if (then === "play") startGame(app, { rule, size, start, players, clock });
    else app.analyse({ rule, size, start, tree: new Tree() }, {});
  }
}
