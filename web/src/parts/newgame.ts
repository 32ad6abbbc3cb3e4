// The dialog for a new game: board, rule, players and clock. It begins a game of its own; an
// unfinished one stays in the list unless the person wants it deleted.

import type { App } from "../app";
import type { GameKind } from "../api/wire";
import type { Side } from "../game/clock";
import { type Beginning, type GameRecord, isUnfinished } from "../game/record";
import type { Rule, Size } from "../game/notation";
import { isAgent, type Players } from "../game/session";
import { Table } from "../game/table";
import { button, dialog, type Groups, segmented, select } from "../ui/controls";
import { h } from "../ui/dom";
import { icon } from "../ui/icons";
import { t } from "../messages/messages";
import { isOffered, playerGroups, sizesFor } from "./names";
import { playerSelect } from "./players";
import { sizeChoice } from "./sizes";

/** The clocks to choose from: minutes for each side, and seconds added after each move. */
export const CLOCKS = ["1+0", "3+2", "5+3", "10+5", "20+10"] as const;

/** The opponent of a first game. */
const USUAL = "engine:level=3";

/** What becomes of an unfinished game. */
type Fate = "keep" | "delete";

export function openNewGame(app: App): void {
  const { settings, recent } = app;
  const wanted = { rule: settings.rule, size: settings.size, players: seats(app, settings, settings.players), clock: settings.clock };
  const groups = playerGroups(app, wanted, true);
  const offered = (): Size[] => sizesFor(app.agents, Object.values(wanted.players));
  const seat = (side: Side, spec: string): void => {
    wanted.players = { ...wanted.players, [side]: spec };
    sizes.fill(offered(), wanted.size);
  };
  const black = playerSelect(app, t("side.black"), groups, wanted.players.black, (spec) => seat("black", spec));
  const white = playerSelect(app, t("side.white"), groups, wanted.players.white, (spec) => seat("white", spec));
  const sizes = sizeChoice(offered(), wanted.size, (size) => {
    wanted.size = size;
    refill();
  });
  const swap = (): void => {
    wanted.players = swapped(wanted.players);
    black.set(wanted.players.black);
    white.set(wanted.players.white);
  };
  const refill = (): void => {
    wanted.players = refilled(app, wanted, wanted.players, { black, white }, true);
    sizes.fill(offered(), wanted.size);
  };
  const old = recent instanceof Table && recent.isOpen && !recent.isOver && isUnfinished(recent.record) ? recent : null;
  let fate: Fate = "keep";
  const begin = (): void => {
    box.close();
    Object.assign(settings, wanted);
    app.keep();
    if (old && fate === "delete") deleteGame(app, old.record);
    startGame(app, wanted);
  };
  const fields = [
    sizes,
    segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], wanted.rule, (rule) => {
      wanted.rule = rule;
      refill();
    }),
    h("div", { class: "seats" }, black, button(t("tool.swap"), swap, { icon: "swap", class: "small" }), white),
    select(t("new.clock"), clockChoices(), wanted.clock, (clock) => (wanted.clock = clock)),
    old && segmented<Fate>(t("new.old", { n: old.record.ply }), [["keep", t("new.old.keep")], ["delete", t("new.old.delete")]], fate, (choice) => (fate = choice)),
    h("div", { class: "buttons end" }, h("button", { type: "submit", class: "button primary" }, icon("play"), h("span", {}, t("new.begin")))),
  ];
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    begin();
  };
  // An Enter that opened the dialog and is still held down must not submit the form.
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && event.repeat) event.preventDefault();
  };
  const box = dialog(t("new.title"), t("close"), h("form", { class: "dialog-form", onsubmit: submit, onkeydown: press }, ...fields));
}

/** The clocks of a list, and none. */
export function clockChoices(): Groups {
  return [{ name: null, options: [["", t("new.clock.none")], ...CLOCKS.map((clock) => [clock, t("new.clock.choice", parts(clock))] as const)] }];
}

/** Begins a game and shows it. */
export function startGame(app: App, beginning: Beginning): void {
  const { id } = app.games.begin({ ...beginning, players: seats(app, beginning, beginning.players) });
  app.go(`play/${id}`);
}

/** Deletes a game here, and on the server unless others play it too. */
export function deleteGame(app: App, record: GameRecord): void {
  const { recent, games, client } = app;
  if (recent instanceof Table && recent.id === record.id) recent.discard();
  games.remove(record.id);
  if (record.saved && !record.isShared) {
    // Nobody waits for it, and a game that is gone already is as good.
    void client.delete(record.saved.id, record.saved.token).catch(() => undefined);
  }
}

/** Players for a new game: without agents that the server has not for it. */
export function seats(app: App, game: GameKind, players: Players): Players {
  const isKnown = (spec: string): boolean => app.agents.agents.length === 0 || isOffered(app.agents, game, spec);
  const seat = (spec: string): string => (isAgent(spec) && !isKnown(spec) ? USUAL : spec);
  return { black: seat(players.black), white: seat(players.white) };
}

/**
 * Fills the lists of both sides anew for another board or rule: agents that do not play there leave
 * them, people are among the others if they may. Returns the players for it.
 */
export function refilled(app: App, game: GameKind, players: Players, lists: Record<"black" | "white", ReturnType<typeof select>>, withPeople: boolean): Players {
  const next = seats(app, game, players);
  for (const side of ["black", "white"] as const) {
    lists[side].fill(playerGroups(app, game, withPeople));
    lists[side].set(next[side]);
  }
  return next;
}

/** The players with colours swapped. */
export function swapped(players: Players): Players {
  return { black: players.white, white: players.black };
}

function parts(clock: string): { minutes: string; seconds: string } {
  const [minutes, seconds] = clock.split("+") as [string, string];
  return { minutes, seconds };
}

/** The level for a single move by the engine: strong and quick. */
export const HELPER = "engine:level=12";
