// Every language has all messages, with the same placeholders.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import "../src/messages/club";
import { clubEn } from "../src/messages/club/en";
import "../src/messages/explore";
import { exploreEn } from "../src/messages/explore/en";
import { en as pageEn } from "../src/messages/en";
import { explain } from "../src/parts/errors";
import { counted, format, LANGUAGES, preferred, signed, setLanguage, t } from "../src/messages/messages";

const en = { ...pageEn, ...clubEn, ...exploreEn };

const holes = (text: string): string[] => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((hole) => hole[1]!))].sort();

/** All source files of the page. */
function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sources(join(folder, entry.name)) : entry.name.endsWith(".ts") ? [join(folder, entry.name)] : [],
  );
}

describe("messages", () => {
  afterEach(() => setLanguage("en"));

  it.each(Object.entries(LANGUAGES))("are complete in %s", (_, { messages }) => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const [key, text] of Object.entries(messages)) {
      expect(text.trim(), key).not.toBe("");
      expect(holes(text), key).toEqual(holes(en[key as keyof typeof en]));
    }
  });

  it("are all used", () => {
    const used = sources("src").filter((file) => !/messages\/.*(en|zh)\.ts$/.test(file)).map((file) => readFileSync(file, "utf8")).join("\n");
    // A key is written out, or built from a beginning that stands before a `${`.
    const built = [...used.matchAll(/`([a-z.]+)\$\{/g)].map((match) => match[1]!);
    const idle = Object.keys(en).filter((key) => !used.includes(`"${key}"`) && !built.some((head) => key.startsWith(head)));
    expect(idle).toEqual([]);
  });

  it("say in people's words what is in the club's log", () => {
    const folder = "../crates/club/src";
    const code = readdirSync(folder).filter((name) => name.endsWith(".rs")).map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
    const direct = [...code.matchAll(/audit::note\([^;]*?"([a-z-]+)"/g)].map((note) => note[1]!);
    const chosen = [...code.matchAll(/let action = if [^;]*?"([a-z-]+)"[^;]*?"([a-z-]+)"/g)].flatMap((note) => [note[1]!, note[2]!]);
    const actions = new Set([...direct, ...chosen]);
    expect(actions).toContain("begin-game");
    expect(actions).toContain("unblock");
    for (const action of actions) expect(Object.keys(en)).toContain(`club.action.${action}`);
  });

  it("say in people's words all that the server may lack", () => {
    const guide = readFileSync("../docs/guide/web-api.md", "utf8");
    const table = guide.slice(guide.indexOf("### `GET /api/health`"), guide.indexOf("### `GET /api/openapi.json`"));
    const codes = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map((row) => row[1]!);
    expect(codes).toContain("disk-full");
    for (const code of codes) expect(Object.keys(en)).toContain(`health.${code}`);
  });

  it("say in every language why the server refuses", () => {
    const guide = readFileSync("../docs/guide/web-api.md", "utf8");
    const table = guide.slice(guide.indexOf("### Errors"), guide.indexOf("### Streams"));
    const codes = [...table.matchAll(/^\| \d+ \| (.+?) \|/gm)].flatMap((row) => [...row[1]!.matchAll(/`([a-z-]+)`/g)].map((code) => code[1]!));
    expect(codes).toContain("wrong-token");
    setLanguage("zh");
    for (const code of codes) {
      expect(Object.keys(en), code).toContain(`error.${code}`);
      expect(explain({ code, message: "something in English" })).not.toMatch(/English/);
    }
    expect(explain({ code: "unreadable", message: "line 1, column 7: a1 is illegal: black turns nothing" })).toBe("a1 在此不合规则。");
    expect(explain({ code: "illegal-move", message: "move 2: d4 is occupied; expected f4, d6 or f6" })).toBe("d4 在此不合规则。");
    expect(explain({ code: "news", message: "something in English" })).not.toMatch(/English/);
    setLanguage("en");
    expect(explain({ code: "unreadable", message: "move 3: a1 turns nothing" })).toBe("move 3: a1 turns nothing");
  });

  it("count one as one", () => {
    for (const key of ["games.state.running", "games.state.stopped", "games.total", "share.whole", "share.here", "share.all", "new.old"] as const) {
      expect(t(key, { n: 1 }), key).not.toMatch(/\b(moves|games)\b(?! once)/);
    }
  });

  it("follow number and language", () => {
    expect(t("moves.cost", { n: 1 })).toBe("costs 1 disc");
    expect(t("moves.cost", { n: 2 })).toBe("costs 2 discs");
    setLanguage("zh");
    expect(t("moves.cost", { n: 2 })).toBe("损失 2 子");
    expect(format("{a} and {b}", { a: 1 })).toBe("1 and ");
  });

  it("are chosen by the browser's languages", () => {
    expect(preferred(["de-DE", "zh-CN", "en"])).toBe("zh");
    expect(preferred(["en-GB", "zh"])).toBe("en");
    expect(preferred(["fr"])).toBe("en");
    expect(preferred([])).toBe("en");
  });

  it("write numbers for people", () => {
    expect([3, -2, 0, -0.3, 1.6].map(signed)).toEqual(["+3", "−2", "0", "0", "+2"]);
    expect([999, 12_000, 3_400_000, 2.5e9].map(counted)).toEqual(["999", "12 k", "3.4 M", "2.5 G"]);
  });
});
