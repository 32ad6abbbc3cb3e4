// What the page says of levels is what the guide says.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { en } from "../src/messages/en";
import { LEVEL_ELO } from "../src/parts/names";

it("tells the levels' ratings as the guide has them", () => {
  const guide = readFileSync("../docs/guide/engine-and-levels.md", "utf8");
  const rows = [...guide.matchAll(/^\| Elo above level 1 \|(.+)\|$/gm)].flatMap((row) => row[1]!.split("|").map((cell) => Number(cell)));
  expect(rows).toEqual(LEVEL_ELO);
});

it("explains every agent that it has a name for", () => {
  const named = Object.keys(en).filter((key) => key.startsWith("agent.")).map((key) => key.slice("agent.".length));
  expect(named.length).toBeGreaterThan(8);
  for (const name of named) expect(Object.keys(en)).toContain(`about.${name}`);
});
