// Fails if the page has grown: what a browser fetches, compressed, must stay below the limit.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_BYTES = 150_000;

const sizes = readdirSync("dist").map((name) => [name, gzipSync(readFileSync(`dist/${name}`), { level: 9 }).length]);
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [name, size] of sizes) console.log(`${String(size).padStart(8)}  ${name}`);
console.log(`${String(total).padStart(8)}  in all, compressed; at most ${LIMIT_BYTES}`);
if (total > LIMIT_BYTES) {
  console.error("the page has grown beyond its limit");
  process.exit(1);
}
