// One's own agents: submitting a file, its versions, and whom they may play.

import type { Version } from "../../api/club";
import { fileAddress } from "../../api/club";
import { Refusal } from "../../api/client";
import { button, card, toggle } from "../../ui/controls";
import { fill, h, setText } from "../../ui/dom";
import { announce } from "../../ui/toast";
import { t } from "../../messages/messages";
import type { House } from "../club";
import { challengeCard } from "./challenge";
import { deadlineLine, isFrozen } from "./ladder";
import { linkButton, refusalText, timeWords } from "./parts";
import { Rows } from "./rows";
import { termsText } from "./words";

export async function agentsPage(house: House): Promise<HTMLElement> {
  const { api, club } = house;
  if (club.visitor?.account.role === "guest") return card(t("club.agents"), {}, h("p", {}, t("club.agents.guest")));
  const versions = new Versions(house);
  const sparring = h("div", { class: "stack" });
  let playing = "";
  const show = async (all: readonly Version[]): Promise<void> => {
    versions.show(all);
    submission.show(all);
    const able = all.filter(({ state }) => state === "passed");
    // The choices are drawn anew only when there are others, because one of them may be just made.
    const now = JSON.stringify(able.map(({ id, active }) => [id, active]));
    if (now === playing) return;
    playing = now;
    fill(sparring, await challengeCard(house, able));
  };
  const load = async (): Promise<void> => show(await api.versions());
  const submission = new Submission(house, load);
  versions.changed = load;
  await load();
  house.follow(load);
  // A page that stays open until the deadline is told.
  if (!isFrozen(club)) house.follow(async () => void (isFrozen(club) && house.again()));
  return h("div", { class: "stack" }, submission.element, versions.element, sparring);
}

/** The place where a file is dropped or chosen, and what became of the one that was. */
class Submission {
  readonly element: HTMLElement;
  private readonly said = h("p", { role: "status" });
  private readonly fault = h("p", { class: "fault", role: "alert" });
  /** The version that was submitted here last. */
  private last: number | null = null;

  constructor(
    private readonly house: House,
    private readonly submitted: () => Promise<void>,
  ) {
    const { club, app } = house;
    this.element = card(
      t("club.submit"),
      {},
      h("p", { class: "quiet small" }, termsText(club.terms)),
      deadlineLine(house),
      dropZone((file) => void this.submit(file).catch(app.failed), isFrozen(club)),
      this.said,
      this.fault,
      h("details", { class: "form-of-agents" }, h("summary", {}, t("club.submit.form")), h("p", {}, t("club.submit.form.help")), h("pre", { tabindex: 0 }, FORM)),
    );
  }

  /** Says how far the submitted version is. */
  show(versions: readonly Version[]): void {
    const version = versions.find(({ id }) => id === this.last);
    if (!version) return;
    const { file, number, state, queue } = version;
    // The tag beside the version says which case it is at; read aloud each would be too much.
    setText(this.said, state === "waiting" ? t(queue ? "club.submit.queued" : "club.submit.sent", { file, number, n: queue ?? 0 }) : t(`club.state.${state}.said`, { number }));
  }

  private async submit(file: File | undefined): Promise<void> {
    if (!file) return;
    this.last = null;
    setText(this.fault, "");
    setText(this.said, t("club.submit.sending", { file: file.name }));
    try {
      this.last = (await this.house.api.submit(file)).id;
      await this.submitted();
    } catch (error) {
      if (this.last === null) setText(this.said, "");
      if (!(error instanceof Refusal)) throw error;
      setText(this.fault, refusalText(error));
    }
  }
}

/** The form of the course's agents. */
const FORM = `class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        …`;

/** Takes a file by dropping it, or by a button. */
function dropZone(take: (file: File | undefined) => void, isClosed: boolean): HTMLElement {
  const input = h("input", {
    type: "file",
    class: "visually-hidden",
    id: "agent-file",
    accept: ".py,text/x-python",
    onchange: () => {
      take(input.files?.[0]);
      input.value = "";
    },
  });
  const mark = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault();
    if (isClosed) return;
    zone.classList.toggle("over", isOver);
  };
  const drop = (event: DragEvent): void => {
    mark(false)(event);
    if (!isClosed) take(event.dataTransfer?.files[0]);
  };
  const zone = h(
    "div",
    { class: isClosed ? "drop closed" : "drop", ondragover: mark(true), ondragenter: mark(true), ondragleave: mark(false), ondrop: drop },
    h("p", { class: isClosed ? "" : "drop-words" }, t(isClosed ? "club.submit.closed" : "club.submit.drop")),
    !isClosed && input,
    !isClosed && h("label", { class: "button primary", for: "agent-file" }, h("span", {}, t("club.submit.choose"))),
  );
  return zone;
}

/** One's versions, newest first. */
class Versions {
  readonly element: HTMLElement;
  /** Told when something was changed here. */
  changed: () => Promise<void> = () => Promise.resolve();
  private readonly none = h("p", { class: "quiet" }, t("club.versions.none"));
  private readonly rows: Rows<Version>;
  private states = new Map<number, Version["state"]>();

  constructor(private readonly house: House) {
    this.rows = new Rows(h("ul", { class: "versions" }), ({ id }) => id, (version) => this.row(version));
    this.element = card(t("club.versions"), {}, this.rows.place, this.none);
  }

  show(versions: readonly Version[]): void {
    this.none.hidden = versions.length > 0;
    this.rows.show(versions);
    for (const { id, number, state } of versions) {
      // Who waits for a check hears how it ended.
      if (this.states.get(id) === "waiting" && state !== "waiting") announce(t(`club.state.${state}.said`, { number }));
    }
    this.states = new Map(versions.map(({ id, state }) => [id, state]));
  }

  private row(version: Version): HTMLElement {
    const { id, number, file, state, reason, active, failures, open, created } = version;
    const { api, app } = this.house;
    const change = (wanted: Parameters<typeof api.changeVersion>[1]): void => void api.changeVersion(id, wanted).then(this.changed).catch(app.failed);
    const isAble = state === "passed";
    const activate = button(t("club.version.activate"), () => change({ active: true }), { class: "small" });
    if (isFrozen(this.house.club)) {
      activate.disabled = true;
      activate.title = t("club.deadline.over");
    }
    return h(
      "li",
      { class: active ? "version active" : "version", "data-version": number, "data-state": state },
      h(
        "div",
        { class: "version-head" },
        h("strong", {}, t("club.version.name", { number })),
        h("span", { class: "file" }, file),
        stateTag(version),
        active && h("span", { class: "tag-of active" }, t("club.version.active")),
        h("time", { class: "quiet small", datetime: created }, timeWords(created)),
      ),
      reason !== null && h("p", { class: "fault" }, blockedText(reason)),
      failures > 0 && h("p", { class: "warning" }, t("club.version.failures", { n: failures }), " ", h("a", { href: `#/club/weaknesses/${id}` }, t("club.weaknesses"))),
      h(
        "div",
        { class: "buttons" },
        linkButton(t("club.version.report"), `#/club/agent/${id}`, { class: state === "failed" ? "small primary" : "small" }),
        isAble && !active && activate,
        isAble && linkButton(t("club.weaknesses"), `#/club/weaknesses/${id}`, { class: "small" }),
        linkButton(t("club.version.source"), fileAddress(`versions/${id}/source`), { class: "small", icon: "download", file }),
        isAble && toggle(t("club.version.open"), open, (isOpen) => change({ open: isOpen })),
      ),
    );
  }
}

/** The state of a version, as a word with a colour. */
export function stateTag({ state, queue, progress }: Version): HTMLElement {
  const words = state !== "waiting" ? t(`club.state.${state}`) : queue ? t("club.state.queued", { n: queue }) : progress ? t("club.state.case", { n: Math.min(progress.done + 1, progress.cases), of: progress.cases }) : t("club.state.waiting");
  return h("span", { class: `tag-of ${state}` }, words);
}

/** That a version is blocked, and why. */
export function blockedText(reason: string): string {
  return reason === "" ? t("club.blocked") : t("club.blocked.why", { reason });
}
