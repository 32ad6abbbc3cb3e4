// The screen of a game with a friend: an invitation until somebody joins, then the game, for those who
// play it and those who watch.

import type { App, View } from "../app";
import { Refusal } from "../api/client";
import type { OfferKind } from "../api/wire";
import type { Side } from "../game/clock";
import type { FriendGame } from "../game/friend";
import { summary } from "../game/seats";
import type { Node } from "../game/tree";
import { explain } from "../parts/errors";
import { invitation, nameField, openFriend, openLinks } from "../parts/invite";
import { MoveList } from "../parts/moves";
import { endText, GamePanel, statusOf } from "../parts/panel";
import { sayPosition } from "../parts/said";
import { openShare } from "../parts/share";
import { button, card, confirm, enable, tool } from "../ui/controls";
import { fill, h } from "../ui/dom";
import { announce, toast } from "../ui/toast";
import { sentences, t } from "../messages/messages";

const SIDES = ["black", "white"] as const;

export class FriendView implements View {
  readonly element: HTMLElement;
  readonly title = t("friend.title");
  readonly keys: Record<string, () => void>;
  private readonly panel: GamePanel;
  private readonly moves: MoveList;
  private readonly notice = h("section", { class: "notice", hidden: true });
  private readonly seats = h("ul", { class: "presence" });
  private readonly watchers = h("p", { class: "quiet small" });
  private readonly backButton: HTMLButtonElement;
  private readonly drawButton: HTMLButtonElement;
  private readonly resignButton: HTMLButtonElement;
  private readonly analyseButton: HTMLButtonElement;
  private readonly stops: (() => void)[];
  private readonly timer: ReturnType<typeof setInterval>;
  /** The node that was announced last. */
  private said: Node | null = null;

  constructor(
    private readonly app: App,
    private readonly game: FriendGame,
    /** The code of an invitation that is not accepted yet. */
    private readonly code: string | null,
  ) {
    const { settings } = app;
    const { session } = game;
    this.panel = new GamePanel(session, settings, () => game.names);
    this.moves = new MoveList(session);
    this.backButton = tool("undo", t("friend.back"), () => this.offer("take-back"), "u", t("short.undo"));
    this.drawButton = tool("equal", t("friend.draw"), () => this.offer("draw"), "d", t("short.draw"));
    this.resignButton = tool("flag", t("tool.resign"), () => this.resign(), undefined, t("short.resign"));
    this.panel.add(this.backButton, this.drawButton, this.resignButton);
    this.analyseButton = button(t("tool.analyse"), () => this.analyse(), { icon: "chart", key: "a" });
    const players = card(
      t("play.players"),
      { class: "players" },
      this.seats,
      this.watchers,
      h(
        "div",
        { class: "buttons" },
        button(t("friend.new"), () => openFriend(app), { icon: "people", key: "f" }),
        button(t("friend.links"), () => void openLinks(app, game.id, game.seat), { icon: "link" }),
      ),
    );
    const more = h("div", { class: "buttons" }, this.analyseButton, button(t("tool.share"), () => this.share(), { icon: "share", key: "c" }));
    this.element = h(
      "div",
      { class: "screen game friend" },
      this.panel.element,
      h("div", { class: "side" }, this.notice, players, card(t("moves.title"), { class: "grow" }, this.moves.element, more)),
    );
    this.keys = {
      u: () => this.offer("take-back"),
      d: () => this.offer("draw"),
      a: () => this.analyse(),
      c: () => this.share(),
      f: () => openFriend(app),
      b: () => this.panel.board.enter(),
      Home: () => void session.first(),
      End: () => void session.last(),
      ArrowLeft: () => void session.back(),
      ArrowRight: () => void session.forward(),
    };
    const wake = (): void => game.wake();
    const lose = (): void => game.lost();
    document.addEventListener("visibilitychange", wake);
    addEventListener("offline", lose);
    this.stops = [
      this.panel.board.chosen.on((square) => game.choose(square)),
      session.changed.on((change) => {
        this.update();
        if (change === "move" || change === "step" || change === "new" || change === "news") this.say();
      }),
      game.changed.on(() => this.update()),
      game.refused.on((refusal) => toast(explain(refusal, false), "error")),
      game.declined.on((what) => toast(t(`friend.declined.${what}`, { name: this.other }))),
      game.rematch.on((id) => this.follow(id, true)),
      () => document.removeEventListener("visibilitychange", wake),
      () => removeEventListener("offline", lose),
    ];
    this.timer = setInterval(() => this.tick(), 100);
    this.update();
    this.tick();
  }

  leave(): void {
    for (const stop of this.stops) stop();
    clearInterval(this.timer);
  }

  refresh(): void {
    this.update();
  }

  private get names(): Record<Side, string> {
    const { black, white } = this.game.names;
    return { black: black === "?" ? t("friend.nobody") : black, white: white === "?" ? t("friend.nobody") : white };
  }

  /** The other person's name; the host's for somebody who is invited. */
  private get other(): string {
    const { side, state } = this.game;
    const joined = state.friends!.joined;
    return this.names[side ? (side === "black" ? "white" : "black") : joined.black ? "black" : "white"];
  }

  /** Announces the position on the board, once. */
  private say(): void {
    const { session } = this.game;
    if (this.said === session.tree.current) return;
    this.said = session.tree.current;
    sayPosition(session.position, this.status());
  }

  private tick(): void {
    this.panel.tick(this.game.clock, performance.now());
  }

  private offer(what: OfferKind): void {
    const { game } = this;
    const button = what === "draw" ? this.drawButton : this.backButton;
    if (what === "rematch" || button.getAttribute("aria-disabled") !== "true") void game.send({ action: "offer", offer: what });
  }

  private resign(): void {
    const { game } = this;
    if (!game.side) return;
    const words = { side: t(`side.${game.side}`), winner: t(`side.${game.side === "black" ? "white" : "black"}`) };
    const question = game.isJoined ? t("resign.ask", words) : t("friend.cancel.ask");
    confirm(game.isJoined ? t("tool.resign") : t("friend.cancel"), question, t("cancel"), () => void game.send({ action: "resign" }));
  }

  private analyse(): void {
    const { session } = this.game;
    if (this.analyseButton.getAttribute("aria-disabled") !== "true") this.app.analyse(session.game, this.names, { isReviewed: this.game.isOver });
  }

  private share(): void {
    openShare(this.app, { session: this.game.session, names: this.names });
  }

  /** Goes to the rematch. */
  private follow(id: string, isNew: boolean): void {
    const { app, game } = this;
    const { seat } = game;
    if (!seat) {
      if (!isNew) app.go(`friend/${id}`);
      return;
    }
    const side = seat.side === "black" ? "white" : "black";
    if (!app.seats.get(id)) {
      const { black, white, rule, size } = summary(game.state);
      app.seats.put({ ...seat, id, side, last: { rule, size, black: white, white: black, board: "", ply: 0, end: null, isStopped: false } });
    }
    if (isNew) toast(t("friend.rematch.begins", { side: t(`side.${side}`) }));
    app.go(`friend/${id}`);
  }

  /** Takes the free seat. */
  private async join(name: string): Promise<void> {
    const { app, game, code } = this;
    try {
      const { side, game: state } = await app.client.join(game.id, code!, app.seats.joining(game.id), name);
      app.seats.put({ id: game.id, side, token: app.seats.joining(game.id), code: null, last: summary(state) });
      app.go(`friend/${game.id}`);
    } catch (error) {
      app.failed(error);
      if (error instanceof Refusal && ["seats-full", "game-over", "wrong-token"].includes(error.code)) app.go(`friend/${game.id}`);
    }
  }

  private status(): string {
    const { game } = this;
    const { session } = game;
    const isTip = session.tree.current === session.tip;
    if (game.state.state === "stopped") return t("friend.stopped");
    if (game.end && isTip) return game.end.reason === "agreed" ? t("friend.agreed") : endText(game.end);
    if (!game.isConnected) return t("friend.offline");
    if (game.pending) return t("friend.sending");
    if (!game.isJoined) return t("friend.waiting");
    if (game.isOwnTurn) return t("friend.turn");
    return session.position ? statusOf(session.position) : "";
  }

  private update(): void {
    const { game } = this;
    const { session } = game;
    const isTip = session.tree.current === session.tip;
    this.panel.update({ values: null, pointed: null, isOpen: game.isOwnTurn }, this.status(), false, isTip && game.end ? game.end.winner : undefined);
    this.moves.update();
    enable(this.backButton, game.isFree && game.hasMoved && game.offered === null && game.ownOffer === null);
    enable(this.drawButton, game.isFree && game.offered === null && game.ownOffer === null);
    enable(this.resignButton, game.isFree);
    enable(this.analyseButton, game.isOver || game.side === null);
    this.analyseButton.title = game.isOver || game.side === null ? "" : t("friend.analyse.later");
    this.drawSeats();
    this.drawNotice();
    this.tick();
  }

  /** Who plays, and who is there. */
  private drawSeats(): void {
    const { game } = this;
    const { joined } = game.state.friends!;
    const line = (side: Side): HTMLElement => {
      const isThere = game.presence?.[side] ?? false;
      const words = side === game.side ? t("friend.you") : !joined[side] ? "" : !game.presence ? t("friend.unknown") : t(isThere ? "friend.here" : "friend.away");
      return h(
        "li",
        { "data-side": side, "data-present": String(isThere) },
        h("span", { class: `stone small ${side}`, "aria-hidden": "true" }),
        h("b", {}, this.names[side]),
        h("span", { class: "quiet" }, words),
      );
    };
    const isInvited = this.code !== null && !game.isJoined;
    const state = JSON.stringify([game.presence, joined, game.names, game.side, isInvited]);
    if (this.seats.dataset["state"] !== state) {
      this.seats.dataset["state"] = state;
      fill(this.seats, ...SIDES.map(line));
      const n = game.presence?.watchers ?? 0;
      this.watchers.hidden = game.side === null ? isInvited : n === 0;
      fill(this.watchers, game.side === null ? t("friend.watching") : t("friend.watchers", { n }));
    }
  }

  /** The invitation, what the other side offers, or how the game ended. */
  private drawNotice(): void {
    const { game } = this;
    const { next } = game.state.friends!;
    const state = JSON.stringify([game.end, game.state.state, game.isJoined, game.offered, game.ownOffer, next, this.code]);
    if (this.notice.dataset["state"] === state) return;
    this.notice.dataset["state"] = state;
    const hadFocus = this.notice.contains(document.activeElement);
    const content = game.state.state === "stopped" ? [h("h2", {}, t("friend.stopped"))] : game.isOver ? this.over() : game.isJoined ? this.offers() : this.invite();
    this.notice.hidden = content.length === 0;
    // On a phone an invitation and the end of a game come before the board. An offer must not move
    // the squares under a finger: it comes after it, and a message tells of it.
    this.notice.classList.toggle("first", game.isOver || !game.isJoined);
    fill(this.notice, ...content);
    if (game.end) announce(game.end.reason === "agreed" ? t("friend.agreed") : endText(game.end));
    else if (game.offered) toast(t(`friend.offered.${game.offered}`, { name: this.other }));
    // What had the focus is gone: it must not fall back to the head of the page.
    if (hadFocus) (this.notice.querySelector<HTMLElement>("button") ?? this.drawButton).focus();
  }

  private invite(): HTMLElement[] {
    const { game, app, code } = this;
    const { seat } = game;
    if (seat?.code) {
      const cancel = button(t("friend.cancel"), () => this.resign());
      return [h("h2", {}, t("friend.invite")), h("p", {}, t("friend.invite.help", { side: t(`side.${seat.side === "black" ? "white" : "black"}`) })), invitation(app, seat), h("div", { class: "buttons" }, cancel)];
    }
    if (!code || seat) return [h("h2", {}, t("friend.waiting"))];
    const { rule, size, friends } = game.state;
    const free = friends!.joined.black ? "white" : "black";
    const clock = friends!.clock;
    const name = nameField(app);
    const words = [`${size}×${size}`, t(rule === "reversed" ? "rule.reversed" : "rule.normal"), clock ? t("new.clock.choice", { minutes: clock.seconds / 60, seconds: clock.increment }) : t("new.clock.none")];
    return [
      h("h2", {}, t("friend.invited", { name: this.other })),
      h("p", {}, sentences([words.join(" · "), t("friend.invited.side", { side: t(`side.${free}`) })])),
      name.element,
      h(
        "div",
        { class: "buttons" },
        button(t("friend.join"), () => void this.join(name.value), { class: "primary", icon: "play" }),
        button(t("friend.watch.only"), () => app.go(`friend/${game.id}`), { icon: "eye" }),
      ),
    ];
  }

  private offers(): HTMLElement[] {
    const { game } = this;
    const { offered, ownOffer } = game;
    if (ownOffer) {
      return [h("p", {}, t(`friend.offer.${ownOffer}`, { name: this.other })), h("div", { class: "buttons" }, button(t("friend.withdraw"), () => void game.send({ action: "decline", offer: ownOffer })))];
    }
    return offered ? [h("h2", {}, t(`friend.offered.${offered}`, { name: this.other })), this.answers(offered)] : [];
  }

  private answers(what: OfferKind): HTMLElement {
    const { game } = this;
    return h(
      "div",
      { class: "buttons" },
      button(t("friend.accept"), () => void game.send({ action: "accept", offer: what }), { class: "primary", icon: "check" }),
      button(t("friend.decline"), () => void game.send({ action: "decline", offer: what }), { icon: "close" }),
    );
  }

  private over(): HTMLElement[] {
    const { game } = this;
    const { end, session, side } = game;
    const { next } = game.state.friends!;
    const title = side && end?.winner ? t(end.winner === side ? "over.won" : "over.lost") : t("over.title");
    const discs = session.at(session.tip)?.discs;
    const how = end ? (end.reason === "agreed" ? t("friend.agreed") : endText(end)) : "";
    const words = h("p", {}, how, discs ? ` · ${t("over.count", { black: discs.black, white: discs.white })}` : "");
    const analyse = button(t("over.analyse"), () => this.analyse(), { icon: "chart" });
    const other = side === "black" ? "white" : "black";
    const rest: HTMLElement[] = [];
    if (next) rest.push(h("div", { class: "buttons" }, button(t("friend.rematch.go"), () => this.follow(next, false), { icon: "play", class: "primary" }), analyse));
    else if (game.offered === "rematch") rest.push(h("p", {}, t("friend.offered.rematch.as", { name: this.other, side: t(`side.${other}`) })), this.answers("rematch"), h("div", { class: "buttons" }, analyse));
    else if (game.ownOffer === "rematch") rest.push(h("p", {}, t("friend.offer.rematch", { name: this.other })), h("div", { class: "buttons" }, analyse));
    else if (side) rest.push(h("div", { class: "buttons" }, button(t("over.rematch.as", { side: t(`side.${other}`) }), () => this.offer("rematch"), { icon: "swap", class: "primary" }), analyse));
    else rest.push(h("div", { class: "buttons" }, analyse));
    return [h("h2", {}, title), words, ...rest];
  }
}
