// Why a move is better: each kind of fact on a position made for it, and every fact that is told of
// random positions counted again by other means.
import { afterEach, describe, expect, it } from "vitest";
import type { GameBody } from "../src/api/wire";
import type { Rule, Size } from "../src/game/notation";
import { type Case, type Choice, isCorner, LINE_LENGTH, type Reason, reasons, region } from "../src/game/reasons";
import { setLanguage } from "../src/messages/messages";
import { sentence } from "../src/parts/reasons";
import { passedOf } from "./fake";

/** A choice with its line, from the positions of the server. */
function choice(game: GameBody, moves: readonly string[], value = 0, isExact = false): Choice {
  const line = moves.map((_, at) => passedOf({ ...game, moves: [...game.moves, ...moves.slice(0, at + 1)] }));
  return { move: moves[0]!, value, isExact, moves, line };
}

function caseOf(rule: Rule, size: Size, start: string, better: readonly string[], worse: readonly string[]): Case {
  const game: GameBody = { rule, size, start, moves: [] };
  return { before: passedOf(game), better: choice(game, better), worse: choice(game, worse) };
}

/** Random numbers that are the same every time. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random case of a random game, or null if the position offers no choice. */
function randomCase(seed: number): Case | null {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const size = pick([4, 6] as const);
  const rule = pick(["reversed", "normal"] as const);
  let game: GameBody = { rule, size, start: null, moves: [] };
  for (let plies = random(size * size - 4); plies > 0; plies -= 1) {
    const { legal, moves, over } = passedOf(game);
    if (over) break;
    game = { ...game, moves: [...moves, pick(legal).square] };
  }
  const at = passedOf(game);
  if (at.legal.length < 2) return null;
  // The same position without its past, which is quicker to play on from.
  game = { ...game, start: at.position, moves: [] };
  const before = passedOf(game);
  const line = (first: string): string[] => {
    const moves = [first];
    while (moves.length < LINE_LENGTH) {
      const next = passedOf({ ...game, moves });
      if (next.over) break;
      moves.push(pick(next.legal).square);
    }
    return moves;
  };
  const better = pick(before.legal).square;
  const worse = pick(before.legal.filter((move) => move.square !== better)).square;
  const isExact = random(2) === 0;
  const value = (): number => random(40) - 20;
  return { before, better: choice(game, line(better), value(), isExact), worse: choice(game, line(worse), value(), isExact) };
}

/** Boards as rows of characters, and moves by walking along rays: nothing that the page or the fake uses. */
class Plain {
  rows: string[][];
  constructor(
    board: string,
    readonly size: number,
    public own: "X" | "O",
  ) {
    this.rows = Array.from({ length: size }, (_, row) => [...board.slice(row * size, (row + 1) * size)]);
  }

  turned(square: string, own = this.own): [number, number][] {
    const [row, column] = [Number(square.slice(1)) - 1, square.charCodeAt(0) - 97];
    if (this.rows[row]![column] !== "-") return [];
    const found: [number, number][] = [];
    for (const [down, right] of [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]] as const) {
      let length = 1;
      const at = (far: number): string | undefined => this.rows[row + down * far]?.[column + right * far];
      while (at(length) !== undefined && at(length) !== "-" && at(length) !== own) length += 1;
      if (at(length) === own) for (let far = 1; far < length; far += 1) found.push([row + down * far, column + right * far]);
    }
    return found;
  }

  moves(own = this.own): string[] {
    const all = Array.from({ length: this.size ** 2 }, (_, at) => `${"abcdefgh"[at % this.size]}${Math.floor(at / this.size) + 1}`);
    return all.filter((square) => this.turned(square, own).length > 0);
  }

  get other(): "X" | "O" {
    return this.own === "X" ? "O" : "X";
  }

  /** Plays moves, with passes where they are forced before and after each. */
  play(...squares: string[]): this {
    for (const square of squares) {
      if (this.moves().length === 0) this.own = this.other;
      const turned = this.turned(square);
      expect(turned.length).toBeGreaterThan(0);
      for (const [row, column] of turned) this.rows[row]![column] = this.own;
      this.rows[Number(square.slice(1)) - 1]![square.charCodeAt(0) - 97] = this.own;
      this.own = this.other;
    }
    return this;
  }

  count(mark: string): number {
    return this.rows.flat().filter((each) => each === mark).length;
  }

  /** How many empty squares a king could walk to from an empty one, itself left out. */
  reach(square: string): number {
    const seen = new Set<string>();
    const walk = (row: number, column: number): void => {
      if (this.rows[row]?.[column] !== "-" || seen.has(`${row},${column}`)) return;
      seen.add(`${row},${column}`);
      for (const down of [-1, 0, 1]) for (const right of [-1, 0, 1]) walk(row + down, column + right);
    };
    walk(Number(square.slice(1)) - 1, square.charCodeAt(0) - 97);
    return seen.size - 1;
  }
}

/** Counts again what a fact says. */
function check(reason: Reason, { before, better, worse }: Case): void {
  const own = before.turn === "black" ? "X" : "O";
  const fresh = (): Plain => new Plain(before.board, before.size, own);
  const corners = [`a1`, `a${before.size}`, `${"abcdefgh"[before.size - 1]}1`, `${"abcdefgh"[before.size - 1]}${before.size}`];
  switch (reason.kind) {
    case "proved":
      expect([better.isExact, worse.isExact, reason.better, reason.worse]).toEqual([true, true, better.value, worse.value]);
      break;
    case "wiped": {
      const end = fresh().play(...reason.after);
      expect(end.count(own)).toBe(0);
      expect(reason.after[0]).toBe(before.rule === "reversed" ? better.move : worse.move);
      break;
    }
    case "corner-forced":
    case "corner-suffered": {
      const at = fresh().play(...reason.after);
      const mover = reason.kind === "corner-suffered" ? own : own === "X" ? "O" : "X";
      expect(at.moves(mover).sort()).toEqual([...reason.squares].sort());
      expect(reason.squares.every((square) => corners.includes(square))).toBe(true);
      // It is that side's turn, or the other one must pass.
      if (at.own !== mover) expect(at.moves(at.own)).toEqual([]);
      expect(reason.after[0]).toBe(reason.kind === "corner-suffered" ? worse.move : better.move);
      break;
    }
    case "corner-taken":
      expect([corners.includes(reason.square), corners.includes(better.move), reason.square]).toEqual([true, false, worse.move]);
      break;
    case "corner-won":
      expect([corners.includes(reason.square), corners.includes(worse.move), reason.square]).toEqual([true, false, better.move]);
      break;
    case "corner-given": {
      const [good, bad] = [fresh().play(better.move), fresh().play(worse.move)];
      for (const square of reason.squares) {
        expect(corners).toContain(square);
        expect(bad.moves()).toContain(square);
        expect(good.moves()).not.toContain(square);
      }
      break;
    }
    case "pass-given":
    case "pass-forced": {
      const [passing, moving] = reason.kind === "pass-given" ? [worse.move, better.move] : [better.move, worse.move];
      const stuck = fresh().play(passing);
      expect(stuck.moves()).toEqual([]);
      expect(stuck.moves(own).length).toBeGreaterThan(0);
      expect(fresh().play(moving).moves().length).toBeGreaterThan(0);
      break;
    }
    case "mobility":
      expect(fresh().play(better.move).moves()).toHaveLength(reason.better);
      expect(fresh().play(worse.move).moves()).toHaveLength(reason.worse);
      expect(reason.better).toBeGreaterThan(0);
      expect(reason.worse).toBeGreaterThan(reason.better);
      break;
    case "parity":
      expect([fresh().reach(better.move), fresh().reach(worse.move)]).toEqual([reason.better, reason.worse]);
      expect([before.rule, reason.better % 2, reason.worse % 2]).toEqual(["normal", 0, 1]);
      break;
    case "flips":
      expect(fresh().turned(better.move)).toHaveLength(reason.better);
      expect(fresh().turned(worse.move)).toHaveLength(reason.worse);
      expect(reason.worse).toBeGreaterThan(reason.better);
  }
}

/** A position for each kind of fact: the rule, the position, the lines of two moves, and the fact. */
const MADE: readonly [Rule, Size, string, string, string, Reason, string][] = [
  ["reversed", 6, "----X-XXXXX-XXOXX-XXOXXXOOOOO--X--O- X", "c6", "f6", { kind: "corner-forced", after: ["c6"], squares: ["a1"] }, "After c6 White can only play a corner: a1."],
  ["reversed", 4, "-X---XXOOXOOX--O O", "c1a2b4d1c4a1", "a1c4", { kind: "corner-forced", after: ["c1", "a2", "b4", "d1", "c4"], squares: ["a1"] }, "After c1 a2 b4 d1 c4 Black can only play a corner: a1."],
  ["reversed", 4, "OXX-OOXOOOX----X O", "d3a4", "b4a4c4d1", { kind: "corner-suffered", after: ["b4", "a4", "c4"], squares: ["d1"] }, "After b4 a4 c4 White can only play a corner: d1."],
  ["reversed", 6, "--O-X-OOOO-XOOOOOXXXOOOXX-OOOX-OOOO- X", "d1", "a1", { kind: "corner-taken", square: "a1" }, "a1 is a corner: its disc can never be turned again."],
  ["normal", 4, "--OXXOX-OXO--X-- O", "a1", "d2", { kind: "corner-won", square: "a1" }, "a1 is a corner: its disc can never be turned again."],
  ["normal", 4, "-X---XX--XO----- O", "c1", "a3", { kind: "corner-given", squares: ["a4"] }, "After a3 Black can take a corner (a4), after c1 not."],
  ["reversed", 4, "--O-XOXXXXO-XX-O X", "d3", "c4", { kind: "pass-given" }, "After c4 White has no move and passes: Black moves again."],
  ["normal", 4, "--X--OXO-OOX-OOO X", "d1", "a4", { kind: "pass-forced" }, "After d1 White has no move and passes: Black moves again."],
  ["reversed", 4, "----XXX--XO---XO O", "b4", "a3", { kind: "mobility", better: 1, worse: 2 }, "b4 leaves Black 1 move, a3 leaves 2."],
  ["normal", 4, "O--XXOXO-XO-XXX- O", "a3", "c1", { kind: "parity", better: 0, worse: 1 }, "Empty squares left around a3: 0. If both take turns there, White fills the last. Around c1: 1, and Black fills the last."],
  ["reversed", 6, "OO-----OXXX--OOXX---OOOX--OOOO--OXXX X", "a4", "a2", { kind: "flips", better: 1, worse: 4 }, "a4 turns 1 disc, a2 turns 4."],
  ["reversed", 4, "OOO--OXX-XOX---O X", "b4d1a2c4a3a4", "a2", { kind: "wiped", after: ["b4", "d1", "a2", "c4", "a3", "a4"] }, "After b4 d1 a2 c4 a3 a4 Black has no discs left, and wins at once."],
];

const squares = (line: string): string[] => line.match(/../g)!;

describe("reasons", () => {
  afterEach(() => setLanguage("en"));

  it.each(MADE)("are found where they are: %s %i %s, %s before %s", (rule, size, start, better, worse, reason, words) => {
    const made = caseOf(rule, size, start, squares(better), squares(worse));
    expect(reasons(made)).toContainEqual(reason);
    check(reason, made);
    const subject = { better: made.better.move, worse: made.worse.move, side: made.before.turn!, rule };
    expect(sentence(reason, subject)).toBe(words);
    setLanguage("zh");
    expect(sentence(reason, subject)).toMatch(/^[^{}]*[\u4e00-\u9fff][^{}]*$/);
  });

  it("say nothing of odd regions where fewer discs win: they were measured to be worth nothing", () => {
    for (const [better, worse] of [["c1", "a3"], ["a3", "c1"]] as const) {
      const made = caseOf("reversed", 4, "O--XXOXO-XO-XXX- O", [better], [worse]);
      expect(reasons(made).map(({ kind }) => kind)).not.toContain("parity");
    }
  });

  it("tell what is proved, and only that", () => {
    const start = "----X-XXXXX-XXOXX-XXOXXXOOOOO--X--O- X";
    const game: GameBody = { rule: "reversed", size: 6, start, moves: [] };
    const told = (isExact: boolean): Reason[] => reasons({ before: passedOf(game), better: choice(game, ["c6"], 2, true), worse: choice(game, ["f6"], -12, isExact) });
    expect(told(true)[0]).toEqual({ kind: "proved", better: 2, worse: -12 });
    expect(sentence(told(true)[0]!, { better: "c6", worse: "f6", side: "black", rule: "reversed" })).toBe("Proved: c6 wins by 2, f6 loses by 12.");
    expect(told(false).map(({ kind }) => kind)).not.toContain("proved");
  });

  it("are none where nothing can be counted, and nothing is made up", () => {
    const game: GameBody = { rule: "reversed", size: 6, start: null, moves: [] };
    const [first, second] = passedOf(game).legal.map((move) => move.square);
    expect(reasons({ before: passedOf(game), better: choice(game, [first!]), worse: choice(game, [second!]) })).toEqual([]);
    expect(reasons({ before: passedOf(game), better: choice(game, []), worse: choice(game, [second!]) })).toEqual([]);
  });

  it("are true whatever the position", { timeout: 600_000 }, () => {
    let told = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const made = randomCase(seed);
      for (const reason of made ? reasons(made) : []) {
        check(reason, made!);
        told += 1;
      }
    }
    expect(told).toBeGreaterThan(200);
  });

  it("know regions and corners", () => {
    expect(region("----OOOO--OOOOO-", 4, "a1").sort()).toEqual(["a1", "b1", "c1", "d1"]);
    expect(region("----OOOO--OOOOO-", 4, "a3").sort()).toEqual(["a3", "b3"]);
    expect(["a1", "d4", "d1", "a4", "b1", "a2", "h8"].map((name) => isCorner(name, 4))).toEqual([true, true, true, true, false, false, false]);
  });
});
