// Settings survive between visits, and broken ones do no harm.
import { describe, expect, it } from "vitest";
import { defaults, load, type SettingsStorage, store } from "../src/settings";

function storage(content: string | null = null): SettingsStorage & { content: string | null } {
  return {
    content,
    getItem() {
      return this.content;
    },
    setItem(_, value) {
      this.content = value;
    },
  };
}

describe("settings", () => {
  it("come back as they were", () => {
    const place = storage();
    const settings = { ...defaults(["en"]), language: "zh" as const, players: { black: "greedy", white: "human" }, size: 6 as const };
    store(place, settings);
    expect(load(place, ["en"])).toEqual(settings);
  });

  it("begin with the browser's language", () => {
    expect(load(storage(), ["zh-CN"]).language).toBe("zh");
  });

  it.each([
    ["not JSON", "{"],
    ["not an object", "7"],
    ["nothing", "null"],
    ["wrong types", '{"language":7,"dots":"yes","players":null,"size":"8"}'],
    ["wrong words", '{"language":"xx","theme":"blue","rule":"odd","size":5,"players":{"black":1}}'],
  ])("fall back if they are %s", (_, content) => {
    expect(load(storage(content), ["en"])).toEqual(defaults(["en"]));
  });

  it("are forgotten without a fuss where nothing can be kept", () => {
    const full: SettingsStorage = {
      getItem: () => null,
      setItem: () => {
        throw new Error("quota");
      },
    };
    expect(() => store(full, defaults(["en"]))).not.toThrow();
  });
});
