// The screen for saved games, newest first, to open again or to export.

import { type App, gameOf, type View } from "../app";
import type { Player, SavedGame } from "../api/wire";
import { thumbnail } from "../board/board";
import { playerName } from "../parts/names";
import { resultText } from "../parts/panel";
import { button, card, segmented } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { language, t, LANGUAGES } from "../messages/messages";

type Filter = "all" | "running" | "finished";

export class GamesView implements View {
  readonly element: HTMLElement;
  readonly title = t("nav.games");
  private readonly list = h("ul", { class: "games" });
  private readonly foot = h("div", { class: "buttons" });
  private readonly total = h("p", { class: "quiet" });
  private filter: Filter = "all";

  constructor(private readonly app: App) {
    this.element = h(
      "div",
      { class: "screen page" },
      h("h1", {}, t("games.title")),
      h("p", { class: "quiet" }, t("games.help")),
      h(
        "div",
        { class: "row-of-controls" },
        segmented<Filter>(t("games.show"), [["all", t("games.all")], ["running", t("games.running")], ["finished", t("games.finished")]], this.filter, (filter) => {
          this.filter = filter;
          void this.load(null);
        }),
        h("a", { class: "button", href: "/api/games/export?format=ggf", download: "isrever-games.ggf" }, t("games.export")),
      ),
      card(null, { "aria-label": t("games.title") }, this.total, this.list, this.foot),
    );
    void this.load(null);
  }

  leave(): void {
    // There is nothing to stop.
  }

  private async load(before: string | null): Promise<void> {
    try {
      const { games, next, total } = await this.app.client.games({ state: this.filter === "all" ? null : this.filter, before, limit: 30 });
      if (before === null) fill(this.list);
      this.list.append(...games.map((game) => this.row(game)));
      fill(this.total, total > 0 ? t("games.total", { n: total }) : t("games.none"));
      fill(this.foot, next !== null && button(t("games.more"), () => void this.load(next)));
    } catch (error) {
      this.app.failed(error);
    }
  }

  private row(game: SavedGame): HTMLElement {
    const state = game.result ? resultText(game.result) : t(game.state === "running" ? "games.state.running" : "games.state.stopped", { n: game.ply });
    const when = new Date(game.changed).toLocaleString(LANGUAGES[language()].tag, { dateStyle: "medium", timeStyle: "short" });
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "game-row", onclick: () => void this.open(game) },
        thumbnail(game.position.split(" ")[0]!, game.size),
        h(
          "span",
          { class: "game-words" },
          h("b", {}, h("span", { class: "stone small black", "aria-hidden": "true" }), name(game.black), " – ", h("span", { class: "stone small white", "aria-hidden": "true" }), name(game.white)),
          h("span", {}, state),
          h("span", { class: "quiet" }, `${t(game.rule === "reversed" ? "rule.short.reversed" : "rule.short.normal")} · ${game.size}×${game.size} · ${when}`),
        ),
      ),
    );
  }

  private async open(game: SavedGame): Promise<void> {
    const { app } = this;
    try {
      const full = await app.client.game(game.id);
      app.session.players = { black: spec(full.black), white: spec(full.white) };
      await app.session.open(gameOf({ rule: full.rule, size: full.size, start: full.start!, moves: full.moves! }));
      app.go("analyse");
    } catch (error) {
      app.failed(error);
    }
  }
}

function name(player: Player): string {
  return player.kind === "agent" ? playerName(player.name, "") : player.name;
}

function spec(player: Player): string {
  return player.kind === "agent" ? player.name : "human";
}
