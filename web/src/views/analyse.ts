// The screen for analysis: a person moves for both sides, the squares show their values, the whole
// game can be searched for mistakes, which can be retried, and an ending can be proved. Agents do not
// move here.

import type { App, View } from "../app";
import type { Solution, SolveProgress, Values } from "../api/wire";
import type { Analysis } from "../game/analysis";
import type { Side } from "../game/clock";
import type { Node } from "../game/tree";
import { openEffort } from "../parts/effort";
import { type Branch, Graph, type Point } from "../parts/graph";
import { Comment } from "../parts/comment";
import { Lines } from "../parts/lines";
import { MoveList } from "../parts/moves";
import { isOffered, playerName } from "../parts/names";
import { openNewGame, startGame } from "../parts/newgame";
import { openPaste, openShare } from "../parts/share";
import { GamePanel, statusOf } from "../parts/panel";
import { RetryCard } from "../parts/retry";
import { summaryTable } from "../parts/summary";
import { certainty, forBlack, lead, proved, worth } from "../parts/values";
import { button, card, enable, toggle, tool } from "../ui/controls";
import { fill, h, setAttributes, setText } from "../ui/dom";
import { announce, toast } from "../ui/toast";
import { counted, sentences, t } from "../messages/messages";
import type { BookCard } from "./explore";

/** The time for each move in the thorough analysis of a game. */
const REVIEW_SECONDS = 0.3;
export class AnalyseView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.analyse");
  readonly keys: Record<string, () => void>;
  private readonly panel: GamePanel;
  private readonly moves: MoveList;
  private readonly graph = new Graph();
  private readonly verdict = h("p", { class: "verdict-line" });
  private readonly verdictWords = h("span", { class: "verdict-words" });
  private readonly sure: HTMLButtonElement;
  private readonly lines: Lines;
  private readonly meter = h("p", { class: "meter quiet" });
  private readonly summary = h("div", { class: "summary" });
  private readonly comment: Comment;
  private readonly engineCard: HTMLElement;
  /** The book, when its script is there. */
  private book: BookCard | null = null;
  private isLeft = false;
  private readonly retryCard: RetryCard;
  private readonly mistakeButton: HTMLButtonElement;
  private readonly retryButton: HTMLButtonElement;
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
    const { session, analyzer, review, retry } = analysis;
    this.panel = new GamePanel(session, settings, () => this.names);
    this.moves = new MoveList(session, review, (node) => this.valueOf(node));
    this.engine = toggle(t("analyse.engine"), settings.values, (isOn) => this.setEngine(isOn), "a");
    this.solveButton = button(t("analyse.solve"), () => void this.solve(), { icon: "check", class: "small", key: "p" });
    this.reviewButton = button(t("analyse.review"), () => this.runReview(), { icon: "chart", class: "small primary", key: "g" });
    this.mistakeButton = button(t("mistake.next"), () => void this.nextMistake(), { icon: "next", class: "small", key: "m" });
    this.retryButton = button(t("retry.start"), () => void this.toggleRetry(), { icon: "redo", class: "small", key: "t" });
    this.lines = new Lines(session, settings);
    this.comment = new Comment(app, analysis);
    this.retryCard = new RetryCard(retry, () => session.game.rule, (side) => void this.startRetry(side));
    this.sure = h("button", { type: "button", class: "sure", onclick: () => this.toggleNumbers() });
    fill(this.verdict, this.verdictWords, this.sure);
    this.panel.add(
      tool("plus", t("tool.new"), () => openNewGame(app), "n", t("short.new")),
      tool("paste", t("tool.paste"), () => openPaste(app, session.game), "v", t("short.paste")),
      tool("edit", t("tool.setup"), () => app.go("setup"), undefined, t("short.setup")),
      tool("share", t("tool.share"), () => this.share(), "c", t("short.share")),
      tool("play", t("tool.playon"), () => this.playOn(), undefined, t("short.playon")),
    );
    const { id } = analysis.origin;
    const origin = id && app.games.get(id) ? h("p", { class: "origin" }, h("a", { href: `#/play/${id}` }, `← ${t("tool.game")}`)) : null;
    this.engineCard = card(null, { class: "engine", "aria-label": t("analyse.engine") }, h("div", { class: "card-head" }, this.engine, h("div", { class: "buttons" }, this.solveButton, tool("settings", t("effort.title"), () => this.openEffort(), "o"))), this.verdict, this.lines.element, this.meter);
    const game = card(null, { class: "evaluation", "aria-label": t("graph.title") }, h("div", { class: "card-head" }, h("h2", {}, t("graph.title")), this.reviewButton), this.graph.element, this.summary);
    this.element = h(
      "div",
      { class: "screen game" },
      this.panel.element,
      h("div", { class: "side" }, origin, this.retryCard.element, this.engineCard, game, card(null, { class: "grow", "aria-label": t("moves.title") }, h("div", { class: "card-head" }, h("h2", {}, t("moves.title")), h("div", { class: "buttons" }, this.mistakeButton, this.retryButton)), this.comment.element, this.moves.element)),
    );
    this.keys = {
      a: () => this.setEngine(!settings.values),
      g: () => this.runReview(),
      p: () => void this.solve(),
      m: () => void this.nextMistake(),
      t: () => void this.toggleRetry(),
      w: () => void retry.show(),
      i: () => announce(this.lines.next()),
      l: () => this.lines.toggle(),
      o: () => this.openEffort(),
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
      this.panel.board.chosen.on((square) => {
        if (retry.isOn && retry.stage !== "over") void retry.choose(square);
        else session.play(square);
      }),
      session.changed.on(() => {
        this.address();
        this.lines.pin(null);
        this.dropProof();
        this.update();
        this.tell();
      }),
      analyzer.changed.on(() => this.drawEngine()),
      review.changed.on(() => this.drawGame()),
      this.lines.changed.on(() => this.drawEngine()),
      retry.changed.on(() => this.noticeRetry()),
      this.graph.chosen.on((ply) => void session.jump(review.line[ply]!)),
    ];
    const look = (): void => analyzer.pause(document.visibilityState === "hidden");
    document.addEventListener("visibilitychange", look);
    this.stops.push(() => document.removeEventListener("visibilitychange", look));
    look();
    analyzer.follow(settings.values && !this.isAsking);
    this.address();
    this.update();
    void this.addBook();
    if (isReviewWanted) this.runReview();
  }

  /** Shows what the book knows; without its script there is none. */
  private async addBook(): Promise<void> {
    const script = await import("./explore").catch(() => null);
    if (!script || this.isLeft) return;
    this.book = new script.BookCard(this.app, this.analysis.session);
    this.book.hide(this.isAsking);
    this.engineCard.after(this.book.element);
  }

  leave(isRedrawn: boolean): void {
    for (const stop of this.stops) stop();
    this.isLeft = true;
    this.book?.end();
    this.proof?.search?.abort();
    this.comment.end();
    this.analysis.analyzer.follow(false);
    if (!isRedrawn) {
      this.analysis.review.stop();
      this.analysis.retry.stop();
    }
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
    this.analysis.analyzer.follow(isOn && !this.isAsking);
    this.update();
  }

  /** Whether a person looks for a better move: values would give it away. */
  private get isAsking(): boolean {
    const { retry } = this.analysis;
    return retry.isOn && retry.stage !== "over";
  }

  private openEffort(): void {
    openEffort(this.app, (name) => {
      if (name !== "lines") this.analysis.analyzer.restart();
      this.drawEngine();
    });
  }

  private toggleNumbers(): void {
    const { app } = this;
    app.settings.numbers = !app.settings.numbers;
    app.keep();
    this.drawEngine();
  }

  /** Goes to the next mistake of the game, after the last one to the first; analyses it before. */
  private async nextMistake(): Promise<void> {
    const { session, review, retry } = this.analysis;
    if (this.isAsking) {
      await retry.next();
      return;
    }
    if (!review.hasAny) {
      if (!review.isRunning) this.runReview();
      return;
    }
    const mistakes = review.mistakes("both");
    const { ply } = session.tree.current;
    const next = mistakes.find((node) => node.ply > ply) ?? mistakes[0];
    if (!next) {
      toast(t("mistake.none"));
      return;
    }
    await session.jump(next);
    announce(sentences([t("mistake.count", { at: mistakes.indexOf(next) + 1, of: mistakes.length }), this.comment.element.textContent]));
  }

  private async toggleRetry(): Promise<void> {
    const { retry, review } = this.analysis;
    if (retry.isOn) retry.stop();
    else if (review.hasAny) await this.startRetry(this.ownSide);
    else if (!review.isRunning) this.runReview();
  }

  private async startRetry(side: Side | "both"): Promise<void> {
    const { retry } = this.analysis;
    if (!(await retry.start(side))) toast(t("retry.none", { side: t(side === "both" ? "retry.both" : `side.${side}`) }));
  }

  /** The side of the person, if an agent had the other one. */
  private get ownSide(): Side | "both" {
    const { app } = this;
    const { names } = this.analysis.origin;
    const { game } = this.analysis.session;
    const isPerson = (side: Side): boolean => !isOffered(app.agents, game, names[side] ?? "");
    const people = (["black", "white"] as const).filter(isPerson);
    return people.length === 1 ? people[0]! : "both";
  }

  private noticeRetry(): void {
    const { analyzer, retry } = this.analysis;
    analyzer.follow(this.app.settings.values && !this.isAsking);
    // The board is where the answer is given.
    if (retry.isOn && retry.stage === "asking" && !this.element.contains(document.activeElement)) this.panel.board.enter();
    this.lines.pin(retry.values ? retry.better : null);
    this.update();
  }

  /** The value of a position for Black: of the analysis of the game, or of the engine. */
  private valueOf(node: Node): number | null {
    const { session, review, analyzer } = this.analysis;
    const position = session.at(node);
    if (position?.result) return position.result.score.black;
    const verdict = review.of(node);
    if (verdict) return verdict.value_black;
    // Before a game is analysed, there are the values of the positions that were.
    const values = analyzer.of(node)?.values;
    if (values && position?.turn) return forBlack(values.value, position.turn);
    const first = node.parent ? null : (review.of(review.line[1] ?? node) ?? null);
    return first ? forBlack(first.best_value, first.color) : null;
  }

  private runReview(): void {
    const { review } = this.analysis;
    if (review.isRunning) review.stop();
    else if (this.analysis.analyzer.isAble) void review.run(REVIEW_SECONDS);
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
    if (session.turn === null || !this.analysis.analyzer.isAble) return;
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
    const { session, retry } = this.analysis;
    const { position, turn } = session;
    const { values } = this;
    // While a person looks for a move there is nothing to show.
    this.engineCard.hidden = this.isAsking && values === null;
    this.comment.element.hidden = this.isAsking;
    this.book?.hide(this.isAsking);
    const solution = this.proof?.solution ?? null;
    const best = this.isAsking ? retry.better : (solution?.best ?? values?.best ?? null);
    const line = this.lines.drawn(values);
    const isOpen = this.isAsking ? retry.isOpen : turn !== null;
    this.panel.update({ values, pointed: best, isOpen, ...(line ? { line } : {}) }, position ? statusOf(position) : "", false);
    const isSolving = this.proof?.search !== null && this.proof !== null;
    enable(this.solveButton, turn !== null && this.analysis.analyzer.isAble);
    fill(this.solveButton.querySelector("span")!, t(isSolving ? "analyse.stop" : "analyse.solve"));
    setText(this.verdictWords, this.verdictText());
    this.verdict.classList.toggle("proved", solution?.exact ?? values?.exact ?? false);
    const numbers = this.numbersText();
    this.sure.hidden = values === null || this.proof !== null || !position || values.exact;
    if (values && position) setText(this.sure, certainty(values, position.discs.empty));
    setAttributes(this.sure, { title: numbers, "aria-expanded": String(settings.numbers), "aria-label": `${this.sure.textContent}: ${t("analyse.numbers")}` });
    this.meter.hidden = !settings.numbers;
    setText(this.meter, numbers || "\u00a0");
    this.lines.element.hidden = !this.analysis.analyzer.isAble;
    this.lines.show(values);
  }

  /** The values that may be seen: none while a person looks for a better move. */
  private get values(): Values | null {
    const { analyzer, retry } = this.analysis;
    if (this.isAsking) return retry.values;
    return this.app.settings.values ? (analyzer.evaluation?.values ?? null) : null;
  }

  /** The result so far, in one sentence. */
  private verdictText(): string {
    const { settings } = this.app;
    const { session, analyzer } = this.analysis;
    const { position, turn } = session;
    if (!position) return "\u00a0";
    if (position.result) return statusOf(position);
    if (turn === null) return "\u00a0";
    const { proof, values } = this;
    if (proof?.solution) {
      const { score, exact } = proof.solution;
      return exact ? proved(score, turn) : t("analyse.unproved", { lead: lead(score, turn) });
    }
    if (proof?.search) {
      const { progress } = proof;
      return progress
        ? t("analyse.proving", { pass: progress.pass, passes: progress.passes, guess: progress.guess === null ? "…" : worth(progress.guess, turn) })
        : t("analyse.proving.begin");
    }
    if (!analyzer.isAble) return t("analyse.large");
    if (!settings.values && !values) return t("analyse.off");
    if (!values) return t(analyzer.isWaiting ? "analyse.crowded" : "analyse.wait");
    return values.exact ? proved(values.value, turn) : lead(values.value, turn);
  }

  /** The numbers behind the words, for those who want them. */
  private numbersText(): string {
    const known = this.proof?.solution ?? this.proof?.progress ?? this.values;
    if (!known) return "";
    const speed = known.seconds > 0.02 ? counted(Math.round(known.nodes / known.seconds)) : "…";
    const meter = t("analyse.meter", { nodes: counted(known.nodes), speed, seconds: known.seconds.toFixed(1) });
    return "depth" in known ? `${t("analyse.depth", { depth: known.depth, percent: known.percent })} · ${meter}` : meter;
  }

  private drawGame(): void {
    const { session, review, retry } = this.analysis;
    const { current } = session.tree;
    const { line } = review;
    const point = (node: Node): Point => ({ value: this.valueOf(node), mark: review.of(node)?.mark ?? null });
    this.graph.show(line.map(point), current.ply, this.branch(line, point));
    const words = review.isRunning ? t("analyse.review.running", { percent: Math.round(100 * review.share) }) : t("analyse.review");
    fill(this.reviewButton.querySelector("span")!, words);
    enable(this.reviewButton, line.length > 1 && this.analysis.analyzer.isAble);
    for (const each of [this.mistakeButton, this.retryButton]) enable(each, review.hasAny && review.mistakes("both").length > 0);
    fill(this.retryButton.querySelector("span")!, t(retry.isOn ? "retry.end" : "retry.start"));
    fill(this.summary, summaryTable(review.summary));
    this.comment.update();
    this.moves.update();
    this.retryCard.update();
  }

  /** The variation on the board, if it is one: it leaves the game where both part. */
  private branch(line: readonly Node[], point: (node: Node) => Point): Branch | null {
    const { tree } = this.analysis.session;
    if (line.includes(tree.current)) return null;
    const shown = tree.line();
    const from = shown.findIndex((node, ply) => node !== line[ply]) - 1;
    return { from, points: shown.slice(from).map(point) };
  }
}
