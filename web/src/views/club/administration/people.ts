// The people of the club: invitations, class lists, and what each account may do.

import { Refusal } from "../../../api/client";
import type { Account, AccountChange, Enrolment, OpenInvitation, Role } from "../../../api/club";
import { linkBase, linkField, qr } from "../../../parts/invite";
import { copy, download } from "../../../parts/share";
import { button, card, confirm, dialog, select } from "../../../ui/controls";
import { fill, h, withOptions } from "../../../ui/dom";
import { toast } from "../../../ui/toast";
import { t } from "../../../messages/messages";
import type { House } from "../../club";
import { form, line, sayRefusal, timeWords } from "../parts";
import { Rows } from "../rows";

const ROLES: readonly Role[] = ["member", "guest", "administrator"];

/** The most people whom one invitation can take in. */
const MOST_USES = 1000;

/** What a row of the accounts can do: change its account, and have all read again. */
interface Hands {
  change(account: Account, wanted: AccountChange): Promise<void>;
  load(): Promise<void>;
}

/** Somebody whom a class list has taken in, with the link for them. */
interface Enrolled {
  readonly name: string;
  readonly section: string;
  readonly link: string;
}

/** The link of an invitation, and whether only this machine can use it. */
async function joinLink({ app }: House, code: string): Promise<{ link: string; isLocal: boolean }> {
  const { url, isLocal } = await linkBase(app);
  return { link: `${url}#/club/join/${code}`, isLocal };
}

/** A link to hand over: to copy, and as a QR code. */
function shownLink(link: string, isLocal: boolean, words: string): HTMLElement[] {
  return [h("p", {}, words), linkField(t("club.invite.link"), link), h("div", { class: "qr" }, qr(link, t("club.invite.qr"))), h("p", { class: "quiet small" }, t("club.invite.once"), ...(isLocal ? [" ", ...withOptions(t("club.invite.local"))] : []))];
}

function roleOptions(): { name: null; options: (readonly [string, string])[] }[] {
  return [{ name: null, options: ROLES.map((role) => [role, t(`club.role.${role}`)] as const) }];
}

/** The form that makes a link for one or many. */
export function inviteCard(house: House): HTMLElement {
  let role: Role = "member";
  const section = line(t("club.section"), { name: "section" });
  section.input.required = false;
  const uses = line(t("club.invite.uses"), { name: "uses", type: "number", value: "1" });
  Object.assign(uses.input, { min: "1", max: String(MOST_USES), step: "1" });
  const made = h("div", { class: "stack narrow", role: "status" });
  const roles = select(t("club.role"), roleOptions(), role, (value) => (role = value as Role));
  roles.classList.add("stacked");
  const invite = async (): Promise<void> => {
    const code = await house.api.invite(role, section.input.value.trim(), Number(uses.input.value));
    const { link, isLocal } = await joinLink(house, code);
    fill(made, ...shownLink(link, isLocal, t("club.invite.made", { role: t(`club.role.${role}`), n: Number(uses.input.value) })));
  };
  return card(t("club.invite"), {}, h("p", { class: "quiet" }, t("club.invite.help")), form(t("club.invite.make"), [roles, section.element, uses.element], invite), made);
}

/** Links that somebody may still use, and the way to withdraw them. */
export async function invitationsCard({ api, app, follow }: House): Promise<HTMLElement> {
  const none = h("p", { class: "quiet" }, t("club.invitations.none"));
  const whom = ({ name, role, uses }: OpenInvitation): string => name ?? t("club.invitations.open", { n: uses, role: t(`club.role.${role}`) });
  const withdraw = (open: OpenInvitation): void =>
    confirm(t("club.invitations.withdraw"), t("club.invitations.withdraw.ask", { whom: whom(open) }), t("cancel"), () => void api.withdraw(open.digest).then(load).catch((error: unknown) => sayRefusal(app, error)));
  const row = (open: OpenInvitation): HTMLElement => {
    const away = button(t("club.invitations.withdraw"), () => withdraw(open), { class: "small" });
    away.setAttribute("aria-label", `${t("club.invitations.withdraw")}: ${whom(open)}`);
    return h("li", {}, h("strong", {}, whom(open)), h("span", { class: "quiet small" }, [open.section, t("club.invitations.until", { time: timeWords(open.expires) })].filter((words) => words !== "").join(" · ")), away);
  };
  const rows = new Rows<OpenInvitation>(h("ul", { class: "tokens" }), ({ digest }) => digest, row);
  const count = h("summary", {});
  const load = async (): Promise<void> => {
    const all = await api.invitations();
    rows.show(all);
    none.hidden = all.length > 0;
    fill(count, t("club.invitations.count", { n: all.length }));
  };
  await load();
  follow(load);
  return card(t("club.invitations"), {}, h("details", {}, count, rows.place, none));
}

/** Takes a whole class in, from a list. */
export function classCard(house: House): HTMLElement {
  const list = h("textarea", { rows: 5, name: "class", spellcheck: "false", placeholder: "name,section\nAda King,A\nBob Lee,B" });
  const made = h("div", { class: "stack", role: "status" });
  const file = h("input", {
    type: "file",
    accept: ".csv,text/csv,text/plain",
    class: "visually-hidden",
    id: "class-file",
    onchange: () => {
      const chosen = file.files?.[0];
      if (chosen) void chosen.text().then((words) => (list.value = words), house.app.failed);
      file.value = "";
    },
  });
  const enrol = async (take: "all" | "right"): Promise<void> => {
    const enrolment = await house.api.enrol(new Blob([list.value], { type: "text/csv" }), take).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== "bad-request") throw error;
      fill(made, h("p", { class: "fault", role: "alert" }, t("club.class.fault")));
      return null;
    });
    if (enrolment === null) return;
    const { accounts, known, left, wrong } = enrolment;
    const { url, isLocal } = await linkBase(house.app);
    const people = accounts.map(({ name, section, code }) => ({ name, section, link: `${url}#/club/join/${code}` }));
    const isRefused = wrong.length > 0 && take === "all";
    fill(
      made,
      ...wrongRows(wrong),
      isRefused && left.length > 0 && h("p", {}, t("club.class.left", { n: left.length, names: left.join(", ") })),
      isRefused && left.length > 0 && h("div", { class: "buttons" }, button(t("club.class.take", { n: left.length }), () => void enrol("right").catch((error: unknown) => sayRefusal(house.app, error)), { class: "primary small" })),
      known.length > 0 && people.length > 0 && h("p", { class: "quiet small" }, t("club.class.known", { n: known.length, names: known.join(", ") })),
      ...(isRefused ? [] : linkTable(people, isLocal)),
    );
    // What was wrong is there to be mended.
    if (wrong.length === 0) list.value = "";
  };
  const fields = form(t("club.class.enrol"), [h("label", { class: "line" }, h("span", {}, t("club.class.list")), list)], () => enrol("all"));
  fields.querySelector(".buttons")?.append(file, h("label", { class: "button", for: "class-file" }, h("span", {}, t("club.class.file"))));
  return card(t("club.class"), {}, h("p", { class: "quiet" }, t("club.class.help")), fields, made);
}

/** The rows of a list that say something impossible, each with what is wrong. */
function wrongRows(wrong: Enrolment["wrong"]): HTMLElement[] {
  if (wrong.length === 0) return [];
  const row = ({ line: number, name, kind }: Enrolment["wrong"][number]): HTMLElement => h("li", {}, t("club.class.wrong.line", { line: number, name, why: t(`club.class.wrong.${kind}`) }));
  return [h("div", { class: "fault", role: "alert" }, h("p", {}, t("club.class.wrong", { n: wrong.length })), h("ul", { class: "wrong-rows" }, ...wrong.map(row)))];
}

/** The links of a class: to print, to copy, to download. They are told only once. */
function linkTable(people: readonly Enrolled[], isLocal: boolean): HTMLElement[] {
  if (people.length === 0) return [h("p", {}, t("club.class.none"))];
  const rows = people.map(({ name, section, link }) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, section), h("td", { class: "link" }, link)));
  const heads = (["club.name", "club.section", "club.invite.link"] as const).map((key) => h("th", { scope: "col" }, t(key)));
  const tabbed = people.map(({ name, section, link }) => [name, section, link].join("\t")).join("\n");
  return [
    h("p", {}, t("club.class.made", { n: people.length })),
    h(
      "div",
      { class: "buttons" },
      button(t("club.class.download"), () => download(new Blob([csv(people)], { type: "text/csv" }), "links.csv"), { icon: "download", class: "small primary" }),
      button(t("club.class.copy"), () => void copy(tabbed), { icon: "copy", class: "small" }),
      button(t("club.class.print"), () => print(), { class: "small" }),
    ),
    ...(isLocal ? [h("p", { class: "quiet small" }, ...withOptions(t("club.invite.local")))] : []),
    h("div", { class: "scroll to-print" }, h("table", { class: "data fits links" }, h("caption", { class: "visually-hidden" }, t("club.class")), h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows))),
  ];
}

/** The links as a file for spreadsheets. */
function csv(people: readonly Enrolled[]): string {
  const field = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  return ["name,section,link", ...people.map(({ name, section, link }) => [name, section, link].map(field).join(","))].join("\r\n") + "\r\n";
}

/** All accounts, to search and to change. */
export async function accountsCard(house: House): Promise<HTMLElement> {
  const { api, app, club, follow } = house;
  let accounts: readonly Account[] = [];
  const total = h("p", { class: "quiet", role: "status" });
  const search = h("input", { type: "search", placeholder: t("club.accounts.search.hint"), oninput: () => draw() });
  const change = async (account: Account, wanted: AccountChange): Promise<void> => {
    const changed = await api.changeAccount(account.id, wanted);
    accounts = accounts.map((each) => (each.id === changed.id ? changed : each));
    draw();
    toast(t("club.settings.done"));
  };
  const changeOrSay = (account: Account, wanted: AccountChange): void =>
    void change(account, wanted).catch((error: unknown) => {
      sayRefusal(app, error);
      // Shows what it is, whatever was chosen.
      rows.show([]);
      draw();
    });
  const rows = new Rows<Account>(h("tbody", {}), ({ id }) => id, (account) => accountRow(house, account, account.id === club.visitor?.account.id, { change, load }, changeOrSay));
  const draw = (): void => {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const shown = accounts.filter((account) => words.every((word) => `${account.name} ${account.section} ${t(`club.role.${account.role}`)}`.toLowerCase().includes(word)));
    rows.show(shown);
    fill(total, t("club.accounts.total", { n: shown.length, of: accounts.length }));
  };
  const load = async (): Promise<void> => {
    accounts = await api.accounts();
    draw();
  };
  await load();
  follow(load);
  const heads = (["club.name", "club.section", "club.role", "club.accounts.state", "club.accounts.tools"] as const).map((key) => h("th", { scope: "col" }, t(key)));
  return card(
    t("club.accounts"),
    {},
    h("label", { class: "field" }, h("span", {}, t("games.search")), search),
    total,
    h("div", { class: "scroll" }, h("table", { class: "data fits folds accounts" }, h("caption", { class: "visually-hidden" }, t("club.accounts")), h("thead", {}, h("tr", {}, ...heads)), rows.place)),
  );
}

function accountRow(house: House, account: Account, isSelf: boolean, hands: Hands, change: (account: Account, wanted: AccountChange) => void): HTMLElement {
  const { name, section, role, blocked, has_password } = account;
  const roles = select(t("club.role.of", { name }), roleOptions(), role, (value) => change(account, { role: value as Role }), false);
  roles.enable(!isSelf);
  const block = (): void => {
    if (blocked) change(account, { blocked: false });
    else confirm(t("club.account.block"), t("club.account.block.ask", { name }), t("cancel"), () => change(account, { blocked: true }));
  };
  const named = (words: string, act: () => void): HTMLButtonElement => {
    const element = button(words, act, { class: "small" });
    element.setAttribute("aria-label", `${words}: ${name}`);
    return element;
  };
  return h(
    "tr",
    { class: blocked ? "blocked" : "" },
    h("th", { scope: "row" }, h("a", { href: `#/club/battles/${account.id}` }, name)),
    h("td", { "data-label": t("club.section") }, section),
    h("td", { "data-label": t("club.role") }, roles),
    h("td", { "data-label": t("club.accounts.state") }, blocked ? t("club.account.blocked") : t(has_password ? "club.account.ready" : "club.account.invited")),
    h("td", {}, h("div", { class: "row-tools" }, named(t("club.account.change"), () => changeDialog(house, account, isSelf, hands)), !isSelf && named(t(blocked ? "club.account.unblock" : "club.account.block"), block), named(t("club.account.reset"), () => reset(house, account)))),
  );
}

/** Changes the name and the section of an account, or removes it. */
function changeDialog({ api, app }: House, account: Account, isSelf: boolean, { change, load }: Hands): void {
  const name = line(t("club.name"), { name: "name", value: account.name });
  const section = line(t("club.section"), { name: "section", value: account.section });
  section.input.required = false;
  const fields = form(t("club.account.save"), [name.element, section.element], async () => {
    const wanted: AccountChange = {};
    if (name.input.value.trim() !== account.name) wanted.name = name.input.value.trim();
    if (section.input.value.trim() !== account.section) wanted.section = section.input.value.trim();
    if (Object.keys(wanted).length > 0) await change(account, wanted);
    box.close();
  });
  const remove = async (): Promise<void> => {
    await api.removeAccount(account.id);
    toast(t("club.account.removed", { name: account.name }));
    box.close();
    await load();
  };
  const ask = (): void => confirm(t("club.account.remove"), t("club.account.remove.ask", { name: account.name }), t("cancel"), () => void remove().catch((error: unknown) => sayRefusal(app, error)));
  if (!isSelf) fields.querySelector(".buttons")?.append(button(t("club.account.remove"), ask));
  const box = dialog(t("club.account.change.of", { name: account.name }), t("close"), h("p", { class: "quiet" }, t("club.account.change.help")), fields);
}

/** Ends an account's password, and shows the link by which its owner chooses another. */
function reset(house: House, { id, name }: Account): void {
  const act = async (): Promise<void> => {
    const { link, isLocal } = await joinLink(house, await house.api.resetPassword(id));
    dialog(t("club.account.reset"), t("close"), ...shownLink(link, isLocal, t("club.account.reset.made", { name })));
  };
  confirm(t("club.account.reset"), t("club.account.reset.ask", { name }), t("cancel"), () => void act().catch((error: unknown) => sayRefusal(house.app, error)));
}
