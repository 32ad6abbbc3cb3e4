// Getting in and out: log-in, invitations, one's own password and tokens.

import type { Token } from "../../api/club";
import { copy } from "../../parts/share";
import { button, card, confirm } from "../../ui/controls";
import { fill, h } from "../../ui/dom";
import { toast } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { form, line, timeWords } from "./parts";
import { Rows } from "./rows";

/** Log-in. */
export function enterPage(house: House): HTMLElement {
  const name = line(t("club.name"), { name: "username", complete: "username" });
  const password = line(t("club.password"), { type: "password", name: "password", complete: "current-password" });
  return card(
    t("club.enter"),
    { class: "entrance" },
    h("p", { class: "quiet" }, t("club.enter.help")),
    form(t("club.enter"), [name.element, password.element], async () => {
      await house.api.logIn(name.input.value, password.input.value);
      house.again();
    }),
  );
}

/** Accepts an invitation: makes an account, or chooses a password for one. */
export async function joinPage({ api, app }: House, code: string): Promise<HTMLElement> {
  const invitation = await api.invitation(code).catch((error: unknown) => {
    if ((error as { code?: string }).code === "not-found") return null;
    throw error;
  });
  if (!invitation) return card(t("club.join"), { class: "entrance" }, h("p", {}, t("club.join.over")), h("p", {}, h("a", { href: "#/club" }, t("club.enter"))));
  const isKnown = invitation.name !== null;
  const name = line(t("club.name"), { name: "username", complete: "username", value: invitation.name ?? "", ...(isKnown ? {} : { help: t("club.name.help") }) });
  name.input.readOnly = isKnown;
  const password = line(t("club.password.new"), { type: "password", name: "password", complete: "new-password", help: t("club.password.help") });
  password.input.minLength = 10;
  const section = invitation.section === "" ? "" : ` ${t("club.join.section", { section: invitation.section })}`;
  return card(
    isKnown ? t("club.password.choose") : t("club.join"),
    { class: "entrance" },
    h("p", {}, isKnown ? t("club.join.named", { name: invitation.name ?? "" }) : `${t(`club.join.${invitation.role}`)}${section}`),
    form(isKnown ? t("club.password.choose") : t("club.join"), [name.element, password.element], async () => {
      await api.accept(code, name.input.value, password.input.value);
      app.go("club");
    }),
  );
}

/** What is one's own: account, password, tokens, and the way out. */
export async function ownPage(house: House): Promise<HTMLElement> {
  const { api, app, club } = house;
  const account = club.visitor?.account;
  const leave = async (): Promise<void> => {
    await api.logOut();
    app.go("club");
  };
  const about = [account && t(`club.role.${account.role}`), account?.section !== "" && account && t("club.section.of", { section: account.section })].filter(Boolean);
  return h(
    "div",
    { class: "stack" },
    card(account?.name ?? "", {}, h("p", { class: "quiet" }, about.join(" · ")), h("div", { class: "buttons" }, button(t("club.leave"), () => void leave().catch(app.failed)))),
    card(t("club.password.change"), {}, h("p", { class: "quiet" }, t("club.password.change.help")), passwordForm(house)),
    await tokensCard(house),
  );
}

function passwordForm({ api, app, club }: House): HTMLElement {
  // Password managers ask for the name that a password belongs to.
  const name = h("input", { type: "text", name: "username", autocomplete: "username", value: club.visitor?.account.name ?? "", hidden: true });
  const old = line(t("club.password.old"), { type: "password", name: "old", complete: "current-password" });
  const password = line(t("club.password.new"), { type: "password", name: "new", complete: "new-password", help: t("club.password.help") });
  password.input.minLength = 10;
  return form(t("club.password.change"), [name, old.element, password.element], async () => {
    await api.changePassword(old.input.value, password.input.value);
    toast(t("club.password.changed"));
    app.go("club");
  });
}

/** Tokens for programs: those that there are, and a new one, which is shown only once. */
async function tokensCard({ api, app }: House): Promise<HTMLElement> {
  const label = line(t("club.token.label"), { name: "label" });
  const made = h("div", { class: "stack", role: "status" });
  const none = h("p", { class: "quiet" }, t("club.token.none"));
  const remove = (token: Token): void => confirm(t("club.token.remove"), t("club.token.remove.ask", { label: token.label }), t("cancel"), () => void api.removeToken(token.label).then(load).catch(app.failed));
  const row = (token: Token): HTMLElement => {
    const used = token.used === null ? t("club.token.unused") : t("club.token.used", { time: timeWords(token.used) });
    const away = button(t("club.token.remove"), () => remove(token), { class: "small" });
    away.setAttribute("aria-label", t("club.token.remove.label", { label: token.label }));
    return h("li", {}, h("strong", {}, token.label), h("span", { class: "quiet small" }, used), away);
  };
  const rows = new Rows<Token>(h("ul", { class: "tokens" }), (token) => token.label, row);
  const load = async (): Promise<void> => {
    const tokens = await api.tokens();
    rows.show(tokens);
    none.hidden = tokens.length > 0;
  };
  await load();
  return card(
    t("club.tokens"),
    {},
    h("p", { class: "quiet" }, t("club.tokens.help")),
    h("pre", { tabindex: 0 }, `isrever submit my_ai.py --to ${location.origin}`),
    rows.place,
    none,
    form(t("club.token.add"), [label.element], async () => {
      const token = await api.addToken(label.input.value);
      fill(made, h("p", {}, t("club.token.made")), h("div", { class: "with-button" }, h("code", { class: "token" }, token), button(t("copy"), () => void copy(token), { icon: "copy" })));
      label.input.value = "";
      await load();
    }),
    made,
  );
}
