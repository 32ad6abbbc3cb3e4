// Many games between two pages with everything that goes wrong: `cargo xtask web soak`. `GAMES` and
// `SEED` say how many and which.
import { expect, it } from "vitest";
import { launch } from "./browser";
import { soak } from "./soaking";

launch();

it("keeps every game whatever goes wrong", async () => {
  const games = Number(process.env["GAMES"] ?? 50);
  const counts = await soak(games, Number(process.env["SEED"] ?? 1), (line) => console.log(line));
  expect(counts.games).toBe(games);
  console.log(JSON.stringify(counts));
});
