// The dialog for a new game: board, rule, players and clock.

import type { App } from "../app";
import type { Rule, Size } from "../game/notation";
import { HUMAN, type Players, REMOTE } from "../game/session";
import { button, dialog, segmented, select } from "../ui/controls";
import { h } from "../ui/dom";
import { t } from "../messages/messages";
import { playerGroups } from "./names";

/** The clocks to choose from: minutes for each side, and seconds added after each move. */
export const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "20+10"] as const;

export function openNewGame(app: App): void {
  const { settings } = app;
  const wanted = { rule: settings.rule, size: settings.size, players: seats(settings.players), clock: settings.clock };
  const groups = playerGroups(app, true);
  const black = select(t("side.black"), groups, wanted.players.black, (spec) => (wanted.players.black = spec));
  const white = select(t("side.white"), groups, wanted.players.white, (spec) => (wanted.players.white = spec));
  const swap = (): void => {
    wanted.players = { black: wanted.players.white, white: wanted.players.black };
    black.set(wanted.players.black);
    white.set(wanted.players.white);
  };
  const begin = (): void => {
    box.close();
    Object.assign(settings, { rule: wanted.rule, size: wanted.size, players: wanted.players, clock: wanted.clock });
    app.keep();
    startGame(app, wanted.rule, wanted.size);
  };
  const box = dialog(
    t("new.title"),
    t("close"),
    segmented<string>(t("new.size"), [["8", "8×8"], ["6", "6×6"], ["4", "4×4"]], String(wanted.size), (size) => (wanted.size = Number(size) as Size)),
    segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], wanted.rule, (rule) => (wanted.rule = rule)),
    h("div", { class: "seats" }, black, button(t("tool.swap"), swap, { icon: "swap", class: "small" }), white),
    select(t("new.clock"), [{ name: null, options: [["", t("new.clock.none")], ...CLOCKS.map((clock) => [clock, t("new.clock.choice", parts(clock))] as const)] }], wanted.clock, (clock) => (wanted.clock = clock)),
    h("div", { class: "buttons end" }, button(t("new.begin"), begin, { class: "primary", icon: "play" })),
  );
}

/** Begins a game with the players in the settings. */
export function startGame(app: App, rule: Rule, size: Size, start: string | null = null): void {
  app.session.players = seats(app.settings.players);
  void app.session.begin(rule, size, start);
  app.go("play");
}

/** The players of the last game, without a remote player, who joined that game only. */
function seats(players: Players): Players {
  const seat = (spec: string): string => (spec === REMOTE ? HUMAN : spec);
  return { black: seat(players.black), white: seat(players.white) };
}

/** The players with colours swapped. */
export function swapped(players: { black: string; white: string }): { black: string; white: string } {
  return { black: players.white, white: players.black };
}

function parts(clock: string): { minutes: string; seconds: string } {
  const [minutes, seconds] = clock.split("+") as [string, string];
  return { minutes, seconds };
}

/** The level for a single move by the engine: strong and quick. */
export const HELPER = "engine:level=12";
