// The frame around every screen: name, navigation, settings, help.

import type { App, View } from "../app";
import type { Theme } from "../settings";
import { button, dialog, segmented, select, toggle, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { soundMove } from "../ui/sound";
import { type Icon, icon } from "../ui/icons";
import { type Key, type Language, LANGUAGES, t } from "../messages/messages";

const SCREENS: readonly (readonly [string, Key, Icon])[] = [
  ["play", "nav.play", "board"],
  ["analyse", "nav.analyse", "chart"],
  ["watch", "nav.watch", "eye"],
  ["compare", "nav.compare", "trophy"],
  ["learn", "nav.learn", "book"],
  ["puzzles", "nav.puzzles", "puzzle"],
  ["games", "nav.games", "list"],
  ["explore", "nav.explore", "tree"],
];

/** The screen of servers that have a battle platform. */
const CLUB = ["club", "nav.club", "people"] as const;

/** The shortcuts and their descriptions. */
const KEYS: readonly (readonly [string, Key])[] = [
  ["b", "key.board"],
  ["← →", "key.step"],
  ["Home End", "key.ends"],
  ["u", "tool.undo"],
  ["r", "tool.redo"],
  ["h", "tool.hint"],
  ["e", "tool.once"],
  ["s", "tool.swap"],
  ["n", "tool.new"],
  ["f", "friend.new"],
  ["d", "friend.draw"],
  ["a", "key.analyse"],
  ["g", "analyse.review"],
  ["p", "analyse.solve"],
  ["m", "mistake.next"],
  ["t", "retry.start"],
  ["w", "retry.show"],
  ["i", "key.line"],
  ["l", "analyse.more"],
  ["o", "effort.title"],
  ["v", "tool.paste"],
  ["c", "tool.share"],
  ["?", "key.help"],
];

export class Frame {
  private readonly header = h("header", { class: "top" });
  private readonly main = h("main", { id: "main", tabindex: -1 });
  private links: HTMLAnchorElement[] = [];
  private screens = SCREENS;
  /** The screen that is shown. */
  private route = "";
  private theme: HTMLButtonElement | null = null;

  constructor(private readonly app: App) {}

  /** Draws the frame in the current language. */
  draw(): void {
    this.links = this.screens.map(([route, words, name], index) =>
      h("a", { href: `#/${route}`, "data-route": route, "aria-keyshortcuts": this.app.settings.letters ? index + 1 : null }, icon(name), h("span", {}, t(words))),
    );
    this.theme = tool(isDark(this.app) ? "sun" : "moon", t("settings.theme"), () => this.setTheme(isDark(this.app) ? "light" : "dark"));
    fill(
      this.header,
      h("a", { class: "skip", href: "#main", onclick: (event: Event) => this.skip(event) }, t("skip")),
      h("a", { class: "brand", href: "#/play" }, h("span", { class: "logo", "aria-hidden": "true" }), "Isrever"),
      h("nav", { "aria-label": t("nav.label") }, ...this.links),
      h(
        "div",
        { class: "top-tools" },
        tool("keyboard", t("key.help"), () => this.help(null), "?"),
        this.theme,
        tool("settings", t("settings.title"), () => this.settings()),
      ),
    );
    this.mark();
    if (!this.header.isConnected) document.body.prepend(this.header, this.main);
  }

  /** Names the battle platform among the screens. */
  addClub(): void {
    this.screens = [...SCREENS, CLUB];
    const focused = this.links.indexOf(document.activeElement as HTMLAnchorElement);
    this.draw();
    this.links[focused]?.focus();
  }

  show(view: View, route: string): void {
    document.title = `${view.title} · Isrever`;
    this.route = route;
    this.mark();
    const hasTitle = view.element.querySelector("h1") !== null;
    fill(this.main, hasTitle ? null : h("h1", { class: "visually-hidden" }, view.title), view.element);
    scrollTo(0, 0);
  }

  /** Marks the screen that is shown. */
  private mark(): void {
    for (const link of this.links) {
      if (link.dataset["route"] === this.route) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  /** The screen of a number key, in the order of the navigation. */
  routeOf(key: string): string | null {
    return this.screens[Number(key) - 1]?.[0] ?? null;
  }

  help(view: View | null): void {
    const screens = [`1–${this.screens.length}`, "key.screens"] as const;
    const shown = this.app.settings.letters ? [...KEYS.slice(0, -1), screens, ...KEYS.slice(-1)] : KEYS.filter(([key]) => key.split(" ").every((each) => each.length > 1 || "←→".includes(each)));
    const keys = view?.keys ? shown.filter(([key]) => key === "?" || key.split(" ").some((each) => view.keys![each] || each.length > 1 || "←→".includes(each))) : shown;
    dialog(t("key.help"), t("close"), h("dl", { class: "keys" }, ...keys.flatMap(([key, words]) => [h("dt", {}, ...key.split(" ").map((each) => h("kbd", {}, each))), h("dd", {}, t(words))])), h("p", { class: "quiet" }, t("key.grid")));
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.main.focus();
  }

  /** Repaints after a change of theme. */
  repaint(): void {
    if (this.theme) fill(this.theme, icon(isDark(this.app) ? "sun" : "moon"));
  }

  private setTheme(theme: Theme): void {
    this.app.settings.theme = theme;
    this.app.keep();
    this.app.repaint();
  }

  private settings(): void {
    const { app } = this;
    const { settings } = app;
    const change = (act: () => void): void => {
      act();
      app.keep();
      app.refresh();
    };
    const rename = (): void => {
      settings.name = name.value.trim();
      app.keep();
      // Lists of players have the name too.
      app.redraw();
    };
    const name = h("input", { type: "text", maxlength: 40, value: settings.name, placeholder: t("player.guest"), onchange: rename });
    const reopen = (act: () => void): void => {
      box.close();
      act();
      app.keep();
      app.redraw();
      this.settings();
    };
    const box = dialog(
      t("settings.title"),
      t("close"),
      select(t("settings.language"), [{ name: null, options: Object.entries(LANGUAGES).map(([id, { name: words }]) => [id, words] as const) }], settings.language, (id) => reopen(() => (settings.language = id as Language))),
      segmented<Theme>(t("settings.theme"), [["auto", t("theme.auto")], ["light", t("theme.light")], ["dark", t("theme.dark")]], settings.theme, (theme) => this.setTheme(theme)),
      h("label", { class: "field" }, h("span", {}, t("settings.name")), name),
      toggle(t("settings.dots"), settings.dots, (isOn) => change(() => (settings.dots = isOn))),
      toggle(t("settings.coordinates"), settings.coordinates, (isOn) => change(() => (settings.coordinates = isOn))),
      toggle(t("settings.animation"), settings.animation, (isOn) => change(() => (settings.animation = isOn))),
      toggle(t("settings.sounds"), settings.sounds, (isOn) => {
        change(() => (settings.sounds = isOn));
        soundMove(2);
      }),
      toggle(t("settings.letters"), settings.letters, (isOn) => {
        settings.letters = isOn;
        app.keep();
        app.redraw();
      }),
      h("p", { class: "quiet" }, t("settings.help")),
      h("div", { class: "buttons end" }, button(t("close"), () => box.close(), { class: "primary" })),
    );
  }
}

function isDark(app: App): boolean {
  return app.settings.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : app.settings.theme === "dark";
}
