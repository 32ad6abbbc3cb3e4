// Solves positions with the WebAssembly module, a JSON line for each, and prints its bench signature.
// Usage: node check.mjs MODULE < positions, one "SQUARES SIDE RULE" a line.

import { readFileSync } from "node:fs";

const bytes = readFileSync(process.argv[2]);
const { instance } = await WebAssembly.instantiate(bytes, {});
const search = instance.exports;

/** The bitboards of the side to move and of its opponent, in the 8×8 layout of the module. */
function bitboards(squares, side) {
  const width = Math.sqrt(squares.length);
  const boards = { player: 0n, opponent: 0n };
  [...squares].forEach((disc, at) => {
    const bit = 1n << BigInt(Math.floor(at / width) * 8 + (at % width));
    if (disc === "-") return;
    boards[disc === side ? "player" : "opponent"] |= bit;
  });
  return { ...boards, width };
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const [squares, side, rule] = line.split(" ");
  const { player, opponent, width } = bitboards(squares, side);
  const done = search.ask(player, opponent, width, rule === "reversed" ? 1 : 0, 0, 0, 0n);
  if (done !== 1) throw new Error(`${line}: answered ${done}`);
  console.log(JSON.stringify({ score: search.value(), nodes: Number(search.nodes()) }));
}
console.log(JSON.stringify({ signature: Number(search.bench()) }));
