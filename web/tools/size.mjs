// Fails if the page has grown: what a browser fetches, compressed, must stay below the limit, and so
// must what it fetches besides for the battle platform and for the explorer.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMITS_BYTES = { page: 140_000, club: 48_000, explore: 12_000 };

const totals = { page: 0, club: 0, explore: 0 };
for (const name of readdirSync("dist")) {
  const size = gzipSync(readFileSync(`dist/${name}`), { level: 9 }).length;
  totals[["club", "explore"].find((part) => name.startsWith(`${part}.`)) ?? "page"] += size;
  console.log(`${String(size).padStart(8)}  ${name}`);
}
for (const [part, limit] of Object.entries(LIMITS_BYTES)) {
  console.log(`${String(totals[part]).padStart(8)}  for the ${part} in all, compressed; at most ${limit}`);
  if (totals[part] > limit) {
    console.error(`the ${part} has grown beyond its limit`);
    process.exitCode = 1;
  }
}
