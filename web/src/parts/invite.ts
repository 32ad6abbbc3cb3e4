// Invites a friend: the dialog for a new game with one, and the links to it, one of them as a QR code.

import { generate } from "lean-qr/nano";
import type { App } from "../app";
import type { Side } from "../game/clock";
import { type Rule, type Size, SIZES } from "../game/notation";
import { type Seat, summary } from "../game/seats";
import { button, dialog, segmented, select } from "../ui/controls";
import { fill, h, svg, withOptions } from "../ui/dom";
import { t } from "../messages/messages";
import { clockChoices } from "./newgame";
import { copy } from "./share";
import { sizeChoice } from "./sizes";

/** The empty squares around a QR code, which readers need. */
const QUIET = 4;

/** Names of this machine that mean nothing to another one. */
const LOOPBACK = /^(localhost|127\..*|\[::1\])$/;

/** The longest name that the dialogs take. */
export const LONGEST_NAME = 40;

/** Asks what to play with a friend, and begins it. */
export function openFriend(app: App): void {
  const { settings } = app;
  const wanted: { rule: Rule; size: Size; side: Side | "either"; clock: string } = { rule: settings.rule, size: settings.size, side: "black", clock: settings.clock };
  const name = nameField(app);
  const begin = async (): Promise<void> => {
    const { rule, size, clock } = wanted;
    const side = wanted.side === "either" ? (crypto.getRandomValues(new Uint8Array(1))[0]! % 2 === 0 ? "black" : "white") : wanted.side;
    try {
      const hosted = await app.client.host({ rule, size, start: null, moves: [] }, side, name.value, control(clock));
      Object.assign(settings, { rule, size, clock });
      app.keep();
      app.seats.put({ id: hosted.id, side: hosted.side, token: hosted.token, code: hosted.code, last: summary(hosted.game) });
      box.close();
      app.go(`friend/${hosted.id}`);
    } catch (error) {
      app.failed(error);
    }
  };
  const box = dialog(
    t("friend.new"),
    t("close"),
    h("p", { class: "quiet" }, t("friend.new.help")),
    sizeChoice(SIZES, wanted.size, (size) => (wanted.size = size)),
    segmented<Rule>(t("new.rule"), [["reversed", t("rule.reversed")], ["normal", t("rule.normal")]], wanted.rule, (rule) => (wanted.rule = rule)),
    segmented<Side | "either">(t("friend.side"), [["black", t("side.black")], ["white", t("side.white")], ["either", t("friend.either")]], wanted.side, (side) => (wanted.side = side)),
    select(t("new.clock"), clockChoices(), wanted.clock, (clock) => (wanted.clock = clock)),
    name.element,
    h("div", { class: "buttons end" }, button(t("friend.begin"), () => void begin(), { class: "primary", icon: "link" })),
  );
}

/** A field for one's name, which the settings keep. */
export function nameField(app: App): { element: HTMLElement; readonly value: string } {
  const { settings } = app;
  const input = h("input", { type: "text", maxlength: LONGEST_NAME, value: settings.name, placeholder: t("player.guest"), autocomplete: "nickname" });
  return {
    element: h("label", { class: "field" }, h("span", {}, t("settings.name")), input),
    get value(): string {
      const name = input.value.trim();
      if (name !== settings.name) {
        settings.name = name;
        app.keep();
      }
      return name || t("player.guest");
    },
  };
}

/** `5+3` as the server takes it. */
function control(clock: string): { seconds: number; increment: number } | null {
  const parts = /^(\d+)\+(\d+)$/.exec(clock);
  return parts && { seconds: Number(parts[1]) * 60, increment: Number(parts[2]) };
}

/** The invitation: a link for the friend as text and QR code. Others can watch by another link. */
export function invitation(app: App, seat: Seat): HTMLElement {
  const element = h("div", { class: "invitation" });
  void linkBase(app).then(({ url, isLocal }) => {
    const link = `${url}#/friend/${seat.id}/${seat.code}`;
    fill(
      element,
      linkField(t("friend.link"), link),
      h("div", { class: "qr" }, qr(link, t("friend.qr"))),
      h("p", { class: "quiet small" }, ...withOptions(t(isLocal ? "friend.reach" : "friend.scan"))),
    );
  }, app.failed);
  return element;
}

/** Shows the links of a game: to watch it, and to play on at another device. */
export async function openLinks(app: App, id: string, seat: Seat | null): Promise<void> {
  try {
    const { url, isLocal } = await linkBase(app);
    const own = seat && `${url}#/friend/${id}/${seat.side}/${seat.token}`;
    dialog(
      t("friend.links"),
      t("close"),
      h("h3", {}, t("friend.watch")),
      linkField(t("friend.watch"), `${url}#/friend/${id}`),
      own ? h("h3", {}, t("invite.own")) : null,
      own ? h("p", { class: "quiet" }, t("friend.own.help")) : null,
      own ? linkField(t("invite.own"), own) : null,
      isLocal ? h("p", { class: "quiet small" }, ...withOptions(t("friend.reach"))) : null,
    );
  } catch (error) {
    app.failed(error);
  }
}

/** A link to copy. */
export function linkField(label: string, address: string): HTMLElement {
  const link = h("input", { type: "text", readonly: true, value: address, "aria-label": label, onfocus: () => link.select() });
  return h("div", { class: "with-button" }, link, button(t("copy"), () => void copy(address), { icon: "copy", class: "primary" }));
}

/** The address of the page for others, and whether only this machine can use it. */
export async function linkBase(app: App): Promise<{ url: string; isLocal: boolean }> {
  const here = `${location.origin}${location.pathname}`;
  const told = await app.client.address();
  if (told.public && told.url !== null) return { url: told.url, isLocal: false };
  if (!LOOPBACK.test(location.hostname)) return { url: here, isLocal: false };
  return { url: told.url ?? here, isLocal: told.url === null };
}

/** A text as a QR code, dark on white in every theme. */
export function qr(text: string, label: string): SVGElement {
  const code = generate(text);
  let path = "";
  for (let y = 0; y < code.size; y += 1) for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x} ${y}h1v1h-1z`;
  const edge = code.size + 2 * QUIET;
  return svg(
    "svg",
    { viewBox: `${-QUIET} ${-QUIET} ${edge} ${edge}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { x: -QUIET, y: -QUIET, width: edge, height: edge, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}
