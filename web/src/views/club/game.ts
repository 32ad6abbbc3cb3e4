// A game of the platform: followed while it is played, and replayed move by move with the board, both
// clocks, what each move took and what it gave away.

import { fileAddress, type GameRecord, type LiveGame, type PlayedMove } from "../../api/club";
import { gameOf } from "../../app";
import { BoardView } from "../../board/board";
import { Clock, type Side } from "../../game/clock";
import { isLarge, usual } from "../../game/notation";
import { discsOf, hasLost, leftAt, markOf, pointsOf, turnAt, turned, winnerOf } from "../../game/replay";
import { forfeitName } from "../../parts/forfeits";
import { Graph } from "../../parts/graph";
import { SIGNS } from "../../parts/moves";
import { text, timeText } from "../../parts/output";
import { ScoreBar } from "../../parts/score";
import { button, card, enable, tool } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { icon } from "../../ui/icons";
import { counted, t } from "../../messages/messages";
import type { House } from "../club";
import { gameTools } from "./gametools";
import { contestantName, linkButton, timeWords } from "./parts";
import { onChange } from "./rows";
import { outcomeText, seated, termsText } from "./words";

/** How often a game that is being played is asked for, and how often its clocks tick, in milliseconds. */
const LIVE_MS = 1000;
const TICK_MS = 100;

/** The files that a game can be downloaded as. */
const FORMATS = ["ggf", "sgf", "moves", "json"] as const;

/** A smaller loss than half a disc is none. */
const SMALL = 0.5;

const SIDES: readonly Side[] = ["black", "white"];

export async function gamePage(house: House, id: number): Promise<HTMLElement> {
  const screen = new GameScreen(house, await house.api.game(id));
  await screen.load();
  return screen.element;
}

class GameScreen {
  readonly element: HTMLElement;
  private readonly board = new BoardView(t("board.label"));
  private readonly score = new ScoreBar();
  private readonly graph = new Graph();
  private readonly head = h("div", { class: "stack replay-head" });
  private readonly said = h("div", { class: "move-words", role: "status" });
  private readonly rows = h("tbody", {});
  private readonly heads = h("tr", {});
  private readonly scroll: HTMLElement;
  private readonly foot = h("div", { class: "stack" });
  private readonly graphCard: HTMLElement;
  private readonly controls: HTMLElement;
  private readonly slider = h("input", { type: "range", min: 0, value: 0, "aria-label": t("club.replay.slider"), oninput: () => this.go(Number(this.slider.value)) });
  private readonly steps: Record<"first" | "previous" | "next" | "last", HTMLButtonElement>;
  private readonly drawHead: (record: GameRecord) => void;
  private readonly drawFoot: (record: GameRecord) => void;
  private readonly drawMoves: (list: readonly PlayedMove[]) => void;
  private live: LiveGame | null = null;
  private clock: Clock | null = null;
  /** How many moves are on the board. */
  private at = 0;
  /** What the words about the move were written for. */
  private told = "";

  constructor(
    private readonly house: House,
    private record: GameRecord,
  ) {
    this.steps = {
      first: tool("first", t("tool.first"), () => this.go(0), "Home"),
      previous: tool("previous", t("tool.previous"), () => this.go(this.at - 1), "ArrowLeft"),
      next: tool("next", t("tool.next"), () => this.go(this.at + 1), "ArrowRight"),
      last: tool("last", t("tool.last"), () => this.go(this.length), "End"),
    };
    this.controls = h("div", { class: "replay-controls" }, this.slider, h("div", { class: "toolbar", role: "toolbar", "aria-label": t("toolbar.label") }, h("div", { class: "group" }, ...Object.values(this.steps))));
    this.scroll = h("div", { class: "scroll played-moves", tabindex: 0, role: "region", "aria-label": t("moves.title") }, h("table", { class: "data" }, h("caption", { class: "visually-hidden" }, t("moves.title")), h("thead", {}, this.heads), this.rows));
    this.graphCard = card(t("club.replay.graph"), { class: "replay-graph" }, this.graph.element, h("p", { class: "quiet small" }, t("club.replay.graph.help")));
    this.element = h(
      "div",
      { class: "stack" },
      h("div", { class: "replay" }, this.head, h("div", { class: "table" }, this.score.element, this.board.element, this.controls), h("div", { class: "stack replay-side" }, card(null, { class: "now", "aria-label": t("club.replay.now") }, this.said), this.graphCard, card(t("moves.title"), { class: "grow" }, this.scroll))),
      this.foot,
    );
    this.drawHead = onChange((game) => fill(this.head, ...headOf(game)));
    this.drawFoot = onChange((game) => fill(this.foot, ...footOf(this.house, game, () => void this.load().catch(this.house.app.failed))));
    this.drawMoves = onChange((list) => this.listMoves(list));
    this.at = record.moves.length;
    this.follow();
  }

  /** Follows the game until it is played and reviewed, and gives keys to the replay. */
  private follow(): void {
    const { house, graph } = this;
    graph.chosen.on((ply) => this.go(ply));
    house.keys({ ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), Home: () => this.go(0), End: () => this.go(this.length), b: () => this.board.enter() });
    house.repainted(() => graph.repaint());
    const timer = setInterval(() => this.tick(), TICK_MS);
    // The first move is marked before the list is on the screen.
    const watcher = new ResizeObserver(() => this.markRow());
    watcher.observe(this.scroll);
    house.left(() => {
      clearInterval(timer);
      watcher.disconnect();
      graph.end();
    });
    house.follow(async () => {
      if (this.record.state === "waiting") await this.load();
    }, LIVE_MS);
    house.follow(async () => {
      if (this.record.state === "played" && !this.record.reviewed) await this.load();
    });
  }

  /** The number of moves that can be replayed. */
  private get length(): number {
    return this.record.moves.length;
  }

  /** Asks for the game, and for its live board while it is played. */
  async load(): Promise<void> {
    const { api } = this.house;
    const wasAtEnd = this.at >= this.length;
    const { id } = this.record;
    const [record, live] = await Promise.all([api.game(id), this.record.state === "waiting" ? api.live() : []]);
    this.record = record;
    this.take(record.state === "waiting" ? (live.find(({ game }) => game === id) ?? null) : null);
    if (wasAtEnd) this.at = this.length;
    this.draw();
  }

  /** Takes a live board over; its clock runs from the move on that is new. */
  private take(live: LiveGame | null): void {
    const isSame = live !== null && this.live !== null && live.moves === this.live.moves && live.updated === this.live.updated;
    this.live = live;
    if (isSame) return;
    this.clock = null;
    if (!live) return;
    const { game_ms } = live.battle.terms;
    const left = (used: number): number => Math.max(0, game_ms - used);
    this.clock = new Clock({ budget_ms: game_ms, increment_ms: 0 }, { black: left(live.clocks[0]), white: left(live.clocks[1]) });
    if (live.turn) this.clock.start(live.turn, performance.now());
  }

  private go(ply: number): void {
    const wanted = Math.max(0, Math.min(this.length, ply));
    if (wanted === this.at) return;
    this.at = wanted;
    this.draw();
  }

  private draw(): void {
    const { record } = this;
    this.drawHead(record);
    this.drawFoot(record);
    this.drawMoves(this.live ? liveMoves(this.live.moves) : record.moves);
    this.drawBoard();
    this.drawScore();
    this.drawWords();
    this.drawSteps();
  }

  /** The move that led to the board; null at the start. */
  private get move(): PlayedMove | null {
    return this.record.moves[this.at - 1] ?? null;
  }

  private get isLosing(): boolean {
    return this.at > 0 && this.record.losing_move === this.at - 1;
  }

  private drawBoard(): void {
    const { record, live, at, move } = this;
    const { size } = record.battle.terms;
    const board = live?.board ?? record.boards[at] ?? usual(size).split(" ")[0]!;
    const last = live ? (liveMoves(live.moves).at(-1)?.move ?? null) : (move?.move ?? null);
    this.board.show({
      size,
      board,
      legal: new Map(),
      turn: live ? live.turn : turnAt(record, at),
      last: last === "pass" ? null : last,
      flips: live || at === 0 ? [] : turned(record.boards[at - 1] ?? board, board, size),
      pointed: live || !move ? null : betterThan(move),
      lit: this.isLosing && move ? [move.move] : [],
    });
  }

  private drawScore(): void {
    const { record, live, at } = this;
    const { rule, size } = record.battle.terms;
    const discs = discsOf(live?.board ?? record.boards[at] ?? usual(size));
    const turn = live ? live.turn : turnAt(record, at);
    const isEnd = record.score_black !== null && at === this.length;
    const winner = winnerOf(record);
    const players = seated(record.battle, record.place);
    const status = isEnd ? shortEnd(record) : record.state === "waiting" && !live ? t("club.game.waiting") : turn ? t("status.turn", { side: t(`side.${turn}`) }) : "";
    this.score.show({ position: { discs, leader: winner, turn, rule, over: isEnd }, names: { black: contestantName(players.black), white: contestantName(players.white) }, status, isThinking: live !== null, ...(isEnd ? { winner } : {}) });
    if (live === null) this.clock = record.moves.length === 0 ? null : new Clock({ budget_ms: record.battle.terms.game_ms, increment_ms: 0 }, leftAt(record, at));
    this.tick();
  }

  private tick(): void {
    this.score.tick(this.clock, performance.now());
  }

  private drawWords(): void {
    const { record, live, move, at } = this;
    // The same words again would be read out again.
    const now = JSON.stringify([live !== null, record.state, record.reviewed, at]);
    if (now === this.told) return;
    this.told = now;
    if (live) fill(this.said, h("p", {}, h("span", { class: "live" }, t("club.game.live"))), h("p", { class: "quiet" }, t("club.replay.live")));
    else if (record.state === "waiting" && record.battle.kind === "casual") fill(this.said, h("p", {}, h("a", { href: `#/club/casual/${record.id}` }, t("club.replay.casual"))));
    else if (this.length === 0) fill(this.said, h("p", { class: "quiet" }, t(record.state === "annulled" ? "club.game.annulled" : "club.replay.waiting")));
    else if (!move) fill(this.said, h("p", {}, t("club.replay.start")));
    else fill(this.said, ...moveWords(record, move, at - 1));
  }

  private drawSteps(): void {
    const { at, length, record } = this;
    for (const step of [this.steps.first, this.steps.previous]) enable(step, at > 0);
    for (const step of [this.steps.next, this.steps.last]) enable(step, at < length);
    this.controls.hidden = length === 0;
    this.slider.max = String(length);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", t("club.replay.at", { at, of: length }));
    this.graphCard.hidden = !record.reviewed || this.live !== null;
    if (record.reviewed) this.graph.show(pointsOf(record), at);
    this.markRow();
  }

  /** Lists the moves; a column that is empty for all of them is left out. */
  private listMoves(list: readonly PlayedMove[]): void {
    const { record } = this;
    const columns = COLUMNS.filter(({ isKnown }) => list.some(isKnown));
    fill(this.heads, h("th", { scope: "col" }, t("club.replay.move")), ...columns.map(({ head }) => h("th", { scope: "col", class: "right" }, t(head))));
    const row = (move: PlayedMove, index: number): HTMLElement => {
      const isLosing = record.losing_move === index;
      const mark = markOf(move, hasLost(record, index));
      const go = h("button", { type: "button", class: `move ${mark ?? ""}`, onclick: () => this.go(index + 1) }, h("span", { class: "number" }, `${index + 1}.`), h("span", { class: `stone small ${move.color}`, "aria-hidden": "true" }), h("span", { class: "visually-hidden" }, t(`side.${move.color}`)), h("b", {}, nameOf(move)), mark && h("span", { class: "sign" }, SIGNS[mark]));
      enable(go, this.live === null);
      return h("tr", { class: isLosing ? "losing" : "", "data-ply": index + 1 }, h("th", { scope: "row" }, go, isLosing && h("span", { class: "losing-mark" }, icon("flag"), h("span", {}, t(hasLost(record, index) ? "club.replay.losing" : "club.replay.worst")))), ...columns.map(({ words }) => h("td", { class: "right" }, words(move))));
    };
    const hadFocus = this.rows.contains(document.activeElement);
    fill(this.rows, ...list.map(row));
    if (hadFocus) this.rows.querySelector<HTMLElement>(`[data-ply="${this.at}"] button`)?.focus();
    if (this.live) this.scroll.scrollTop = this.scroll.scrollHeight;
  }

  /** Marks the row of the move on the board, and scrolls the list to it. */
  private markRow(): void {
    for (const row of this.rows.children) {
      const isCurrent = this.live === null && (row as HTMLElement).dataset["ply"] === String(this.at);
      row.classList.toggle("current", isCurrent);
      const go = row.querySelector("button");
      if (isCurrent) go?.setAttribute("aria-current", "step");
      else go?.removeAttribute("aria-current");
      if (isCurrent) reveal(this.scroll, row);
    }
  }
}

/** Scrolls only the list until a row is in sight, below the head of its table. */
function reveal(list: HTMLElement, row: Element): void {
  const [frame, place] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  const head = list.querySelector("thead")?.getBoundingClientRect().height ?? 0;
  if (place.top < frame.top + head) list.scrollTop -= frame.top + head - place.top;
  else if (place.bottom > frame.bottom) list.scrollTop += place.bottom - frame.bottom;
}

/** What the list says of a move beside its square. */
const COLUMNS = [
  { head: "club.replay.time", isKnown: ({ seconds }: PlayedMove) => seconds !== null, words: ({ seconds }: PlayedMove) => (seconds === null ? "" : t("time.seconds", { seconds: timeText(seconds) })) },
  { head: "club.replay.value", isKnown: ({ value }: PlayedMove) => value !== null, words: ({ value }: PlayedMove) => (value === null ? "" : ownValue(value)) },
  { head: "club.replay.loss", isKnown: ({ loss }: PlayedMove) => loss !== null, words: ({ loss }: PlayedMove) => (loss === null ? "" : discs(loss)) },
] as const;

/** The move that would have been better; null if the review found none. */
function betterThan({ move, better, loss }: PlayedMove): string | null {
  return better === null || better === move || (loss ?? 0) < SMALL ? null : better;
}

/** A value on an agent's own scale. */
function ownValue(value: number): string {
  return String(Number(value.toPrecision(4))).replace("-", "−");
}

/** A loss in discs. */
function discs(loss: number): string {
  const rounded = Math.round(loss * 10) / 10;
  return rounded <= 0 ? "0" : `−${rounded}`;
}

function nameOf({ move }: PlayedMove): string {
  return move === "pass" ? t("club.replay.pass") : move;
}

/** The moves of a live game, of which nothing else is known yet. */
function liveMoves(moves: string): PlayedMove[] {
  const known = { seconds: null, value: null, depth: null, nodes: null, best: null, loss: null, better: null, exact: false };
  return (moves.match(/pass|[a-p]1?\d/g) ?? []).map((move, index) => ({ move, color: SIDES[index % 2]!, ...known }));
}

/** Everything that is known of a move, in sentences. */
function moveWords(record: GameRecord, move: PlayedMove, index: number): HTMLElement[] {
  const { seconds, value, depth, nodes, loss, exact, color } = move;
  const better = betterThan(move);
  const facts = [
    seconds === null ? null : t("club.replay.took", { seconds: timeText(seconds) }),
    value === null ? null : t("club.replay.own", { value: ownValue(value) }),
    depth === null ? null : t("club.replay.depth", { n: depth }),
    nodes === null ? null : t("club.replay.nodes", { n: counted(nodes) }),
  ].filter((words) => words !== null);
  const judged = index < record.opening ? t("club.replay.opening") : loss === null ? null : loss < SMALL ? t("club.replay.best") : better === null ? t("club.replay.gave", { n: Math.round(loss) }) : t("club.replay.gave.better", { n: Math.round(loss), better });
  return [
    h("h2", {}, t("club.replay.heading", { n: index + 1, side: t(`side.${color}`), move: nameOf(move) })),
    ...(facts.length > 0 ? [h("p", { class: "quiet" }, facts.join(" · "))] : []),
    ...(judged === null ? [] : [h("p", {}, judged, exact && loss !== null && loss >= SMALL ? ` ${t("club.replay.proved")}` : "")]),
    ...(record.reviewed || record.state !== "played" ? [] : [h("p", { class: "quiet small" }, t(isLarge(record.battle.terms.size) ? "club.replay.large" : "club.replay.unreviewed"))]),
    ...(record.losing_move === index ? [h("p", { class: "losing-words" }, icon("flag"), h("span", {}, t(hasLost(record, index) ? "club.replay.lost" : "club.replay.worst.words")))] : []),
  ];
}

/** How a game ended, in the few words for which there is room above the board. */
function shortEnd(record: GameRecord): string {
  const { end, score_black, forfeiter } = record;
  const winner = winnerOf(record);
  if (forfeiter && end !== null) return `${t(`side.${forfeiter}`)}: ${forfeitName(end)}`;
  return winner ? t("status.won", { side: t(`side.${winner}`), n: Math.abs(score_black ?? 0) }) : t("status.drawn");
}

/** How a game ended, with the names of its players. */
function endText(record: GameRecord): string {
  const { battle, place, score_black, end } = record;
  const { black, white } = seated(battle, place);
  const [winner, loser] = (score_black ?? 0) > 0 ? [black, white] : [white, black];
  return outcomeText({ winner: contestantName(winner), loser: contestantName(loser), score: score_black ?? 0, end });
}

/** Who played, under which terms, how it ended, and why it does not count. */
function headOf(record: GameRecord): HTMLElement[] {
  const { battle, state, end, forfeiter, details, reason, ended } = record;
  const { black, white } = seated(battle, record.place);
  const isForfeited = end !== null && end !== "over" && forfeiter !== null;
  const facts = [t(`club.kind.${battle.kind}`), termsText(battle.terms), ended === null ? null : timeWords(ended)].filter((words) => words !== null);
  const back = battle.of_final === null ? h("a", { href: "#/club/battles" }, `← ${t("club.battles")}`) : h("a", { href: `#/club/finals/${battle.of_final}` }, `← ${t("club.final")}`);
  return [
    h("p", {}, back),
    h(
      "div",
      { class: "game-head" },
      h("h2", {}, h("span", { class: "stone small black", "aria-hidden": "true" }), contestantName(black), " – ", h("span", { class: "stone small white", "aria-hidden": "true" }), contestantName(white)),
      h("p", { class: "outcome", role: "status" }, record.score_black === null ? "" : endText(record)),
      h("p", { class: "quiet small" }, facts.join(" · ")),
      siblings(record),
    ),
    ...(state === "annulled" ? [h("p", { class: "notice" }, reason === null ? t("club.game.annulled") : t("club.game.annulled.why", { reason }))] : []),
    ...(isForfeited ? [h("div", { class: "failure" }, h("h3", {}, t("club.replay.forfeit", { side: t(`side.${forfeiter}`), name: contestantName(forfeiter === "black" ? black : white), reason: forfeitName(end), n: record.moves.length + 1 })), details !== null && details !== "" && text(details, t("club.replay.details")))] : []),
  ];
}

/** Links to the battle's other games. */
function siblings({ id, battle }: GameRecord): HTMLElement | null {
  const others = battle.games.filter((game) => game.id !== id);
  if (others.length === 0) return null;
  return h("p", { class: "small" }, t("club.replay.others"), " ", ...others.flatMap((game, index) => [index > 0 ? ", " : "", h("a", { href: `#/club/game/${game.id}` }, t("club.replay.other", { black: seated(battle, game.place).black.name }))]));
}

/** What one's agent printed, files, and what administrators may do. */
function footOf(house: House, record: GameRecord, changed: () => void): (HTMLElement | null)[] {
  const { id, black_output, white_output, moves } = record;
  const { black, white } = seated(record.battle, record.place);
  const outputs = ([[black, black_output], [white, white_output]] as const).flatMap(([who, output]) => (output === null || output === "" ? [] : [card(t("club.output", { name: contestantName(who) }), {}, text(output, t("club.output", { name: contestantName(who) })))]));
  const file = (format: (typeof FORMATS)[number]): HTMLElement => linkButton(t(`club.file.${format}`), fileAddress(`games/${id}/file?format=${format}`), { icon: "download", class: "small", file: "" });
  const { size, rule } = record.battle.terms;
  const analyse = (): void => {
    const game = gameOf({ rule, size, start: record.start ?? usual(size), moves: moves.map(({ move }) => move) });
    game.tree.jump(game.tree.root);
    house.app.analyse(game, { black: contestantName(black), white: contestantName(white) });
  };
  const isBoss = house.club.visitor?.account.role === "administrator";
  return [
    ...outputs,
    moves.length === 0 ? null : card(t("club.files"), {}, h("div", { class: "buttons" }, !isLarge(size) && button(t("over.analyse"), analyse, { icon: "chart", class: "small" }), ...FORMATS.map(file))),
    isBoss ? gameTools(house, record, changed) : null,
  ];
}
