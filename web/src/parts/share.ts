// Exports a game as a link, as text in any format or as a picture, and imports pasted ones.

import { type App, gameOf } from "../app";
import { Refusal } from "../api/client";
import type { Format, Read, ReadGame } from "../api/wire";
import { pngOf } from "../board/picture";
import { routeTo } from "../game/analysis";
import type { Side } from "../game/clock";
import type { Game } from "../game/notation";
import type { Session } from "../game/session";
import type { Table } from "../game/table";
import { type Node, Tree } from "../game/tree";
import { button, dialog, segmented } from "../ui/controls";
import { fill, h, withOptions } from "../ui/dom";
import { toast } from "../ui/toast";
import { language, t } from "../messages/messages";
import { explain } from "./errors";
import { playerName } from "./names";

const FORMATS: readonly Format[] = ["moves", "board", "ggf", "obf", "sgf", "hex"];

/** The longest name of a player that the server takes, and the most variations. */
const LONGEST_NAME = 64;
const MOST_VARIATIONS = 256;

/** What is shared: a game on a board, and who played it. */
export interface Shared {
  readonly session: Session;
  /** People's names, or the specs of agents. */
  readonly names: Partial<Record<Side, string>>;
  /** The table, if the game is being played. */
  readonly table?: Table;
}

/** How much of a game is shared. */
type Extent = "whole" | "here";

/** The address that opens a game here. */
export function linkTo(game: Game, names: Shared["names"]): string {
  return `${location.origin}${location.pathname}#/${routeTo(game, { names })}`;
}

export function openShare(app: App, { session, names, table }: Shared): void {
  const { current } = session.tree;
  // Moves that were taken back are no part of a game that is being played.
  const end = table ? session.tip : session.tree.line().at(-1)!;
  let extent: Extent = "whole";
  const link = h("input", { type: "text", readonly: true, "aria-label": t("share.link"), onfocus: () => link.select() });
  const text = h("textarea", { readonly: true, rows: 4, "aria-label": t("share.text"), "data-format": "", onfocus: () => text.select() });
  const draw = (): void => {
    link.value = linkTo(extent === "whole" ? session.game : upTo(session.game, current), names);
    text.value = "";
    text.dataset["format"] = "";
  };
  const show = async (format: Format): Promise<void> => {
    try {
      const last = extent === "whole" ? end : current;
      const variations = format === "sgf" && extent === "whole" ? session.tree.variations(end).slice(0, MOST_VARIATIONS).map((line) => line.join("")) : [];
      text.value = (await app.client.write({ ...session.body(last), moves: session.at(last)?.moves ?? session.tree.moves(last) }, format, written(names), variations)).trimEnd();
      text.dataset["format"] = format;
      await copy(text.value);
    } catch (error) {
      app.failed(error);
    }
  };
  // The same picture that the API gives others.
  const picture = (): Promise<Blob> => app.client.picture(session.body(), language());
  const elsewhere = (): void => {
    box.close();
    if (table) void openElsewhere(app, table);
  };
  draw();
  // Another device gets the game from the server.
  const isKept = table && !table.isOver;
  const box = dialog(
    t("share.title"),
    t("close"),
    current === end
      ? h("p", { class: "quiet" }, t("share.all", { n: end.ply }))
      : segmented<Extent>(t("share.extent"), [["whole", t("share.whole", { n: end.ply })], ["here", t("share.here", { n: current.ply })]], extent, (chosen) => {
          extent = chosen;
          draw();
        }),
    h("h3", {}, t("share.link")),
    h("div", { class: "with-button" }, link, button(t("copy"), () => void copy(link.value), { icon: "copy", class: "primary" })),
    h("h3", {}, t("share.text")),
    h("p", { class: "quiet" }, t("share.text.help")),
    h("div", { class: "buttons" }, ...FORMATS.map((format) => button(t(`format.${format}`), () => void show(format)))),
    text,
    h("h3", {}, t("share.picture")),
    h(
      "div",
      { class: "buttons" },
      button(t("share.svg"), () => void picture().then((svg) => download(svg, "isrever.svg")).catch(app.failed), { icon: "download" }),
      button(t("share.png"), () => void picture().then(pngOf).then((png) => download(png, "isrever.png")).catch(app.failed), { icon: "download" }),
    ),
    isKept ? h("h3", {}, t("invite.elsewhere")) : null,
    isKept ? h("div", { class: "buttons" }, button(t("invite.own"), elsewhere, { icon: "link" })) : null,
  );
}

/** The game up to a node, without variations. */
function upTo({ rule, size, start, tree }: Game, node: Node): Game {
  return { rule, size, start, tree: Tree.of(tree.moves(node)) };
}

/** Names for a file: those of people as they are, those of agents as people know them. */
function written(names: Shared["names"]): Shared["names"] {
  const name = (spec: string): string => playerName(spec, "").slice(0, LONGEST_NAME);
  return { ...(names.black && { black: name(names.black) }), ...(names.white && { white: name(names.white) }) };
}

/** Shows the link by which the person here can play this game at another device. */
async function openElsewhere(app: App, table: Table): Promise<void> {
  try {
    const { id, token } = await table.share();
    const address = `${location.origin}${location.pathname}#/join/${id}/${token}`;
    const link = h("input", { type: "text", readonly: true, value: address, "aria-label": t("invite.own"), onfocus: () => link.select() });
    dialog(
      t("invite.elsewhere"),
      t("close"),
      h("p", {}, t("invite.own.help")),
      h("div", { class: "with-button" }, link, button(t("copy"), () => void copy(link.value), { icon: "copy", class: "primary" })),
      h("p", { class: "quiet" }, ...withOptions(t("invite.reach"))),
    );
  } catch (error) {
    app.failed(error);
  }
}

/** Copies text to the clipboard; if the browser forbids it, asks the person to copy it by hand. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    toast(t("copy.failed"));
  }
}

/** Has the browser save a file. */
export function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
}

/** Asks for a text in any format, or for a file, and opens a game of it for analysis. */
export function openPaste(app: App, { rule, size }: Pick<Game, "rule" | "size">): void {
  const text = h("textarea", { rows: 7, placeholder: t("paste.example"), "aria-label": t("paste.text"), spellcheck: "false" });
  const fault = h("p", { class: "fault", role: "alert" });
  const list = h("div", { class: "found" });
  const load = async (read: () => Promise<Read>): Promise<void> => {
    fill(fault);
    fill(list);
    try {
      const { games, count, format } = await read();
      if (games.length === 1) accept(games[0]!);
      else {
        fill(
          list,
          h("p", {}, t("paste.found", { n: count, format })),
          h("ol", {}, ...games.map((game, index) => h("li", {}, button(title(game, index), () => accept(game), { class: "small" })))),
        );
      }
    } catch (error) {
      if (error instanceof Refusal && error.code !== "offline") fill(fault, explain(error));
      else app.failed(error);
    }
  };
  const accept = (record: ReadGame): void => {
    box.close();
    app.analyse(gameOf(record), { ...(record.black && { black: record.black }), ...(record.white && { white: record.white }) });
  };
  const file = h("input", {
    type: "file",
    class: "visually-hidden",
    id: "paste-file",
    onchange: () => {
      const chosen = file.files?.[0];
      // Not every format is text, so the server gets the file as it is.
      if (chosen) void load(() => app.client.readFile(chosen, rule, size));
      file.value = "";
    },
  });
  const box = dialog(
    t("paste.title"),
    t("close"),
    h("p", { class: "quiet" }, t("paste.help")),
    text,
    fault,
    list,
    h(
      "div",
      { class: "buttons end" },
      file,
      h("label", { class: "button", for: "paste-file" }, h("span", {}, t("paste.file"))),
      button(t("paste.open"), () => void load(() => app.client.read(text.value, rule, size)), { class: "primary" }),
    ),
  );
  text.focus();
}

function title(game: ReadGame, index: number): string {
  const players = game.black || game.white ? `${game.black ?? "?"} – ${game.white ?? "?"}` : t("paste.game", { n: index + 1 });
  return `${players} · ${game.size}×${game.size} · ${game.moves.length}`;
}
