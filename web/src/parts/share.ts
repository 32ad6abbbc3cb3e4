// Exports a game as a link, as text in any format or as a picture, and imports pasted ones.

import { type App, gameOf } from "../app";
import { Refusal } from "../api/client";
import type { Format, ReadGame } from "../api/wire";
import { pngBlob, svgText, type Subject } from "../board/picture";
import { write } from "../game/notation";
import { HUMAN, REMOTE } from "../game/session";
import { button, dialog } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { toast } from "../ui/toast";
import { t } from "../messages/messages";
import { playerName } from "./names";
import { statusOf } from "./panel";

const FORMATS: readonly Format[] = ["moves", "board", "ggf", "obf", "sgf", "hex"];

/** The address that opens this game here. */
export function linkTo(app: App): string {
  return `${location.origin}${location.pathname}#/analyse/${write(app.session.game)}`;
}

export function openShare(app: App): void {
  const { session } = app;
  const link = h("input", { type: "text", readonly: true, value: linkTo(app), "aria-label": t("share.link"), onfocus: () => link.select() });
  const text = h("textarea", { readonly: true, rows: 4, "aria-label": t("share.text"), "data-format": "", onfocus: () => text.select() });
  const show = async (format: Format): Promise<void> => {
    try {
      text.value = (await app.client.write(session.body(), format, names(app))).trimEnd();
      text.dataset["format"] = format;
      await copy(text.value);
    } catch (error) {
      app.failed(error);
    }
  };
  dialog(
    t("share.title"),
    t("close"),
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
      button(t("share.svg"), () => download(new Blob([svgText(subject(app))], { type: "image/svg+xml" }), "isrever.svg"), { icon: "download" }),
      button(t("share.png"), () => void pngBlob(subject(app)).then((blob) => download(blob, "isrever.png"), app.failed), { icon: "download" }),
    ),
  );
}

/** Shows the link by which another person can join this game. */
export async function openInvitation(app: App): Promise<void> {
  const { session, remote } = app;
  const guest = session.players.black === HUMAN ? "white" : "black";
  try {
    const { id, token } = await remote.invite(guest);
    const address = `${location.origin}${location.pathname}#/join/${id}/${token}/${guest}`;
    const link = h("input", { type: "text", readonly: true, value: address, "aria-label": t("invite.link"), onfocus: () => link.select() });
    dialog(
      t("tool.invite"),
      t("close"),
      h("p", {}, t("invite.help", { side: t(`side.${guest}`) })),
      h("div", { class: "with-button" }, link, button(t("copy"), () => void copy(link.value), { icon: "copy", class: "primary" })),
      h("p", { class: "quiet" }, t("invite.reach")),
    );
  } catch (error) {
    app.failed(error);
  }
}

/** Joins a game that another person has begun. */
export async function join(app: App, id: string, token: string, guest: "black" | "white"): Promise<void> {
  const game = await app.client.game(id);
  const players = guest === "black" ? { black: HUMAN, white: REMOTE } : { black: REMOTE, white: HUMAN };
  app.session.players = players;
  app.settings.players = players;
  await app.session.open(gameOf({ rule: game.rule, size: game.size, start: game.start!, moves: game.moves! }));
  app.saver.resume({ id, token });
  app.remote.follow({ id, token });
}

function names(app: App): { black: string; white: string } {
  const { players } = app.session;
  return { black: playerName(players.black, app.settings.name), white: playerName(players.white, app.settings.name) };
}

function subject(app: App): Subject {
  const position = app.session.position!;
  const { size, board, discs, last } = position;
  const caption = `${t("side.black")} ${discs.black} – ${discs.white} ${t("side.white")} · ${statusOf(position)}`;
  return { size, board, last: last?.move ?? null, caption };
}

/** Copies text to the clipboard; if the browser forbids it, asks the person to copy it by hand. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t("copied"));
  } catch {
    toast(t("copy.failed"));
  }
}

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
}

/** Asks for a text in any format, and opens the game in it. */
export function openPaste(app: App): void {
  const text = h("textarea", { rows: 7, placeholder: t("paste.example"), "aria-label": t("paste.text"), spellcheck: "false" });
  const fault = h("p", { class: "fault", role: "alert" });
  const list = h("div", { class: "found" });
  const load = async (): Promise<void> => {
    fill(fault);
    fill(list);
    try {
      const { rule, size } = app.session.game;
      const { games, count, format } = await app.client.read(text.value, rule, size);
      if (games.length === 1) accept(games[0]!);
      else {
        fill(
          list,
          h("p", {}, t("paste.found", { n: count, format })),
          h("ol", {}, ...games.map((game, index) => h("li", {}, button(title(game, index), () => accept(game), { class: "small" })))),
        );
      }
    } catch (error) {
      if (error instanceof Refusal && error.code !== "offline") fill(fault, error.message);
      else app.failed(error);
    }
  };
  const accept = (record: ReadGame): void => {
    box.close();
    app.opponent.pause();
    void app.session.open(gameOf(record)).then(() => app.go("analyse"));
  };
  const file = h("input", { type: "file", class: "visually-hidden", id: "paste-file", onchange: () => void file.files?.[0]?.text().then((content) => (text.value = content)) });
  const box = dialog(
    t("paste.title"),
    t("close"),
    h("p", { class: "quiet" }, t("paste.help")),
    text,
    fault,
    list,
    h("div", { class: "buttons end" }, file, h("label", { class: "button", for: "paste-file" }, h("span", {}, t("paste.file"))), button(t("paste.open"), () => void load(), { class: "primary" })),
  );
  text.focus();
}

function title(game: ReadGame, index: number): string {
  const players = game.black || game.white ? `${game.black ?? "?"} – ${game.white ?? "?"}` : t("paste.game", { n: index + 1 });
  return `${players} · ${game.size}×${game.size} · ${game.moves.length}`;
}
