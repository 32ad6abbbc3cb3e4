// A line at the foot of the page that says what the server cannot do at the moment. It moves nothing
// else, and a person can close it; it comes back when there is something else to say.

import type { Health } from "../game/health";
import { type Key, t } from "../messages/messages";
import { en } from "../messages/en";
import { tool } from "../ui/controls";
import { fill, h } from "../ui/dom";

export class HealthLine {
  /** A live region: screen readers need it before it says anything. */
  readonly element = h("div", { class: "health", role: "status", "aria-live": "polite" });
  private isClosed = false;

  constructor(private readonly health: Health) {
    health.changed.on(() => {
      this.isClosed = false;
      this.draw();
    });
  }

  /** Draws the line in the current language, or nothing if all is well. */
  draw(): void {
    const { reasons } = this.health;
    if (this.isClosed || reasons.length === 0) return fill(this.element);
    const words = reasons.map(({ code, message }) => {
      const key = `health.${code}` as Key;
      return h("p", {}, Object.hasOwn(en, key) ? t(key) : t("health.other", { message }));
    });
    fill(this.element, h("div", {}, ...words), tool("close", t("close"), () => this.close()));
  }

  private close(): void {
    this.isClosed = true;
    this.draw();
    document.getElementById("main")?.focus();
  }
}
