// The screen for analysis: a person moves for both sides, the squares show their values, the whole
// game can be searched for mistakes, and an ending can be proved. Agents do not move here.

import type { App, View } from "../app";
import type { Solution, SolveProgress } from "../api/wire";
import type { Analysis } from "../game/analysis";
import type { Side } from "../game/clock";
import type { Node } from "../game/tree";
import { Graph } from "../parts/graph";
import { MoveList, SIGNS } from "../parts/moves";
import { playerName } from "../parts/names";
import { openNewGame, startGame } from "../parts/newgame";
import { openPaste, openShare } from "../parts/share";
import { GamePanel, statusOf } from "../parts/panel";
import { button, card, enable, toggle, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce } from "../ui/toast";
import { counted, signed, t } from "../messages/messages";

/** The time for each move in the thorough analysis of a game. */
const REVIEW_SECONDS = 0.3;
/** How many lines of play are shown. */
const LINES = 3;

export class AnalyseView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.analyse");
  readonly keys: Record<string, () => void>;
  private readonly panel: GamePanel;
  private readonly moves: MoveList;
  private readonly graph = new Graph();
  private readonly verdict = h("p", { class: "verdict-line" });
  private readonly lines = h("ol", { class: "lines", "aria-label": t("analyse.lines") });
  private readonly meter = h("p", { class: "meter quiet" });
  private readonly summary = h("div", { class: "summary" });
  private readonly comment = h("p", { class: "comment" });
  private readonly reviewButton: HTMLButtonElement;
  private readonly solveButton: HTMLButtonElement;
  private readonly engine: ReturnType<typeof toggle>;
  private readonly stops: (() => void)[];
  private proof: { node: Node; search: AbortController | null; progress: SolveProgress | null; solution: Solution | null } | null = null;

  constructor(
    private readonly app: App,
    private readonly analysis: Analysis,
    isReviewWanted: boolean,
  ) {
    const { settings } = app;
    const { session, analyzer, review } = analysis;
    this.panel = new GamePanel(session, settings, () => this.names);
    this.moves = new MoveList(session, review);
    this.engine = toggle(t("analyse.engine"), settings.values, (isOn) => this.setEngine(isOn), "a");
    this.solveButton = button(t("analyse.solve"), () => void this.solve(), { icon: "check", class: "small", key: "p" });
    this.reviewButton = button(t("analyse.review"), () => this.runReview(), { icon: "chart", class: "small primary", key: "g" });
    this.panel.add(
      tool("plus", t("tool.new"), () => openNewGame(app), "n"),
      tool("paste", t("tool.paste"), () => openPaste(app, session.game), "v"),
      tool("edit", t("tool.setup"), () => app.go("setup")),
      tool("share", t("tool.share"), () => this.share(), "c"),
      tool("play", t("tool.playon"), () => this.playOn()),
    );
    const { id } = analysis.origin;
    const origin = id && app.games.get(id) ? h("p", { class: "origin" }, h("a", { href: `#/play/${id}` }, `← ${t("tool.game")}`)) : null;
    const values = card(null, { class: "engine", "aria-label": t("analyse.engine") }, h("div", { class: "card-head" }, this.engine, this.solveButton), this.verdict, this.lines, this.meter);
    const game = card(null, { class: "evaluation", "aria-label": t("graph.title") }, h("div", { class: "card-head" }, h("h2", {}, t("graph.title")), this.reviewButton), this.graph.element, this.summary);
    this.element = h(
      "div",
      { class: "screen game" },
      this.panel.element,
      h("div", { class: "side" }, origin, values, game, card(t("moves.title"), { class: "grow" }, this.comment, this.moves.element)),
    );
    this.keys = {
      a: () => this.setEngine(!settings.values),
      g: () => this.runReview(),
      p: () => void this.solve(),
      n: () => openNewGame(app),
      v: () => openPaste(app, session.game),
      c: () => this.share(),
      u: () => void session.back(),
      r: () => void session.forward(),
      b: () => this.panel.board.enter(),
      Home: () => void session.first(),
      End: () => void session.last(),
      ArrowLeft: () => void session.back(),
      ArrowRight: () => void session.forward(),
    };
    this.stops = [
      this.panel.board.chosen.on((square) => void session.play(square)),
      session.changed.on(() => {
        this.address();
        this.dropProof();
        this.update();
        this.tell();
      }),
      analyzer.changed.on(() => this.drawEngine()),
      review.changed.on(() => this.drawGame()),
      this.graph.chosen.on((ply) => void session.jump(session.tree.line()[ply]!)),
    ];
    analyzer.follow(settings.values);
    this.address();
    this.update();
    if (isReviewWanted) this.runReview();
  }

  leave(isRedrawn: boolean): void {
    for (const stop of this.stops) stop();
    this.proof?.search?.abort();
    this.analysis.analyzer.follow(false);
    if (!isRedrawn) this.analysis.review.stop();
    this.graph.end();
  }

  refresh(): void {
    this.update();
  }

  repaint(): void {
    this.graph.repaint();
  }

  /** Makes the address a link to the current position. */
  private address(): void {
    history.replaceState(null, "", `#/${this.analysis.route}`);
  }

  /** The players, as far as they are known. */
  private get names(): Record<Side, string> {
    const { black = "", white = "" } = this.analysis.origin.names;
    return { black: playerName(black, ""), white: playerName(white, "") };
  }

  private share(): void {
    openShare(this.app, { session: this.analysis.session, names: this.analysis.origin.names });
  }

  /** Begins a game with the position on the board. */
  private playOn(): void {
    const { rule, size, start, tree } = this.analysis.session.game;
    const { players, clock } = this.app.settings;
    startGame(this.app, { rule, size, start, moves: tree.moves(), players, clock });
  }

  private setEngine(isOn: boolean): void {
    this.app.settings.values = isOn;
    this.app.keep();
    this.engine.set(isOn);
    this.analysis.analyzer.follow(isOn);
    this.update();
  }

  private runReview(): void {
    const { review } = this.analysis;
    if (review.isRunning) review.stop();
    else void review.run(REVIEW_SECONDS);
  }

  /** Asks for a proof of the position's score. */
  private async solve(): Promise<void> {
    const { app } = this;
    const { session } = this.analysis;
    if (this.proof?.search) {
      this.dropProof();
      this.drawEngine();
      return;
    }
    if (session.turn === null) return;
    const search = new AbortController();
    const proof = { node: session.tree.current, search: search as AbortController | null, progress: null as SolveProgress | null, solution: null as Solution | null };
    this.proof = proof;
    this.drawEngine();
    try {
      await app.client.solve(
        session.body(),
        "exact",
        (name, data) => {
          if (name === "progress") proof.progress = data as SolveProgress;
          else if (name === "solution") proof.solution = data as Solution;
          if (this.proof === proof) this.drawEngine();
        },
        search.signal,
      );
    } catch (error) {
      if (this.proof === proof) app.failed(error);
    }
    proof.search = null;
    if (this.proof === proof) {
      this.drawEngine();
      announce(this.verdict.textContent);
    }
  }

  private dropProof(): void {
    if (this.proof?.node === this.analysis.session.tree.current) return;
    this.proof?.search?.abort();
    this.proof = null;
  }

  private tell(): void {
    const { position } = this.analysis.session;
    if (position) announce(statusOf(position));
  }

  private update(): void {
    this.drawEngine();
    this.drawGame();
  }

  private drawEngine(): void {
    const { settings } = this.app;
    const { session, analyzer } = this.analysis;
    const values = settings.values ? (analyzer.evaluation?.values ?? null) : null;
    const { position, turn } = session;
    const solution = this.proof?.solution ?? null;
    const best = solution?.best ?? values?.best ?? null;
    this.panel.update({ values, pointed: best, isOpen: turn !== null }, position ? statusOf(position) : "", false);
    const isSolving = this.proof?.search !== null && this.proof !== null;
    enable(this.solveButton, turn !== null);
    fill(this.solveButton.querySelector("span")!, t(isSolving ? "analyse.stop" : "analyse.solve"));
    fill(this.verdict, this.verdictText());
    this.verdict.classList.toggle("proved", solution?.exact ?? values?.exact ?? false);
    const lines = values ? values.moves.slice(0, LINES) : [];
    fill(
      this.lines,
      ...lines.map(({ move, value, pv, exact }) => this.line(value, exact, pv.length > 0 ? pv : [move])),
      // Empty lines keep their height, so that nothing below moves when values arrive.
      ...Array.from({ length: LINES - lines.length }, () => h("li", { class: "blank", "aria-hidden": "true" }, "\u00a0")),
    );
    fill(this.meter, this.meterText());
  }

  /** The result so far, in one sentence. */
  private verdictText(): string {
    const { settings } = this.app;
    const { session, analyzer } = this.analysis;
    const { position, turn } = session;
    if (!position) return "\u00a0";
    if (position.result) return statusOf(position);
    if (turn === null) return "\u00a0";
    const side = t(`side.${turn}`);
    const other = t(`side.${turn === "black" ? "white" : "black"}`);
    const proof = this.proof;
    if (proof?.solution) {
      const { score, exact } = proof.solution;
      if (exact) return proved(score, side, other);
      return t("analyse.unproved", { side, value: signed(score) });
    }
    if (proof?.search) {
      const { progress } = proof;
      return progress
        ? t("analyse.proving", { pass: progress.pass, passes: progress.passes, guess: progress.guess === null ? "…" : signed(progress.guess) })
        : t("analyse.proving.begin");
    }
    if (!settings.values) return t("analyse.off");
    const values = analyzer.evaluation?.values;
    if (!values) return t("analyse.wait");
    if (values.exact) return proved(values.value, side, other);
    return t("analyse.value", { side, value: signed(values.value), depth: values.depth, percent: values.percent });
  }

  private meterText(): string {
    const { settings } = this.app;
    const { analyzer } = this.analysis;
    const known = this.proof?.solution ?? this.proof?.progress ?? (settings.values ? analyzer.evaluation?.values : null);
    if (!known) return "\u00a0";
    const speed = known.seconds > 0.02 ? counted(Math.round(known.nodes / known.seconds)) : "…";
    return t("analyse.meter", { nodes: counted(known.nodes), speed, seconds: known.seconds.toFixed(1) });
  }

  /** A line of play: its value, and moves that can be clicked to play up to there. */
  private line(value: number, isExact: boolean, pv: readonly string[]): HTMLElement {
    const { session } = this.analysis;
    const follow = (upTo: number): void => {
      const { tree } = session;
      let node = tree.current;
      for (const move of pv.slice(0, upTo + 1)) if (move !== "pass") node = tree.add(node, move);
      void session.jump(node);
    };
    return h(
      "li",
      {},
      h("span", { class: `worth ${value > 0 ? "good" : value < 0 ? "bad" : "even"}` }, signed(value), isExact ? "✓" : ""),
      h(
        "span",
        { class: "pv" },
        ...pv.map((move, index) => (move === "pass" ? h("span", { class: "quiet" }, "–") : h("button", { type: "button", class: "pv-move", onclick: () => follow(index) }, move))),
      ),
    );
  }

  private drawGame(): void {
    const { session, review, analyzer } = this.analysis;
    const line = session.tree.line();
    const points = line.map((node) => {
      const verdict = review.of(node);
      return { value: verdict ? verdict.value_black : liveValue(node), mark: verdict?.mark ?? null };
    });
    // Before a game is analysed, the graph shows the values of the positions that were.
    function liveValue(node: Node): number | null {
      const values = analyzer.of(node)?.values;
      const position = session.at(node);
      if (position?.result) return position.result.score.black;
      if (!values || !position?.turn) return null;
      return position.turn === "black" ? values.value : -values.value;
    }
    if (points.length > 1 && points[0]!.value === null && review.of(line[1]!)) points[0] = { value: startValue(review.of(line[1]!)!), mark: null };
    this.graph.show(points, session.tree.current.ply);
    const words = review.isRunning ? t("analyse.review.running", { percent: Math.round(100 * review.share) }) : t("analyse.review");
    fill(this.reviewButton.querySelector("span")!, words);
    enable(this.reviewButton, line.length > 1);
    this.drawSummary();
    this.drawComment();
    this.moves.update();
  }

  /** How many mistakes each side made, and what they cost. */
  private drawSummary(): void {
    // Reserves the place of the summary, so that nothing below moves when it arrives.
    const done = this.analysis.review.summary;
    const row = (side: "black" | "white"): HTMLElement => {
      const sum = done?.[side];
      const counts = sum ? [sum.inaccuracies, sum.mistakes, sum.blunders, Math.round(sum.loss)] : ["–", "–", "–", "–"];
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, h("span", { class: `stone small ${side}`, "aria-hidden": "true" }), t(`side.${side}`)),
        ...counts.map((count) => h("td", {}, count)),
      );
    };
    const marks = (["inaccuracy", "mistake", "blunder"] as const).map((mark) => h("th", { scope: "col", class: mark }, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[mark]), h("span", { class: "word" }, t(`mark.${mark}`))));
    fill(
      this.summary,
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td", {}), ...marks, h("th", { scope: "col" }, t("summary.loss")))),
        h("tbody", {}, row("black"), row("white")),
      ),
    );
  }

  /** Explains the mistake of the move that led here. */
  private drawComment(): void {
    const { session, review } = this.analysis;
    const { current } = session.tree;
    const verdict = review.of(current);
    if (!verdict) {
      fill(this.comment, review.hasAny ? t("comment.none") : t("comment.ask"));
      this.comment.className = "comment quiet";
      return;
    }
    this.comment.className = `comment ${verdict.mark ?? "fine"}`;
    if (verdict.mark === null) {
      fill(this.comment, t(verdict.forced ? "comment.forced" : verdict.loss > 0 ? "comment.small" : "comment.best", { move: verdict.move, n: Math.round(verdict.loss) }));
      return;
    }
    const better = h("button", { type: "button", class: "pv-move", onclick: () => this.showBetter(current, verdict.best) }, verdict.best);
    fill(
      this.comment,
      h("strong", {}, t(`mark.${verdict.mark}`), ": "),
      t(verdict.exact ? "comment.cost.exact" : "comment.cost", { move: verdict.move, n: Math.round(verdict.loss) }),
      " ",
      t("comment.better"),
      " ",
      better,
      ` (${signed(verdict.best_value)})`,
    );
  }

  /** Plays the better move as a variation. */
  private showBetter(node: Node, move: string): void {
    const { session } = this.analysis;
    if (!node.parent) return;
    void session.jump(session.tree.add(node.parent, move));
  }
}

/** The start's value for Black, from the first move's best. */
function startValue(first: { color: string; best_value: number }): number {
  return first.color === "black" ? first.best_value : -first.best_value;
}

/** "Black wins by 6, proved." */
function proved(score: number, side: string, other: string): string {
  if (score === 0) return t("proved.draw");
  return t("proved.win", { side: score > 0 ? side : other, n: Math.abs(score) });
}
