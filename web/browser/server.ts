// Starts the program for the suite, on a free port and with an empty folder for its games, and ends
// it afterwards. `ISREVER` names the program.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

/** Two small tournaments with two versions of one player, and the database they are in. */
function tournaments(program: string, folder: string): string {
  const database = join(folder, "arena.db");
  for (const [version, agent] of [["v1", "greedy:by=discs"], ["v2", "greedy-invincible"]]) {
    const file = join(folder, `${version}.toml`);
    const players = [`{ name = "student ${version}", agent = "${agent}" }`, '"random"', '"greedy:by=mobility"', '"engine:level=1"'];
    writeFileSync(file, `name = "cup ${version}"\nplayers = [${players.join(", ")}]\nsize = 6\npairs = 6\nseed = 7\nnodes = 200\n`);
    execFileSync(program, ["arena", "run", "--db", database, file], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return database;
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = resolve(process.env["ISREVER"] ?? "../target/debug/isrever");
  if (!existsSync(program)) throw new Error(`${program} is not there: cargo build, or name the program in ISREVER`);
  const data = mkdtempSync(join(tmpdir(), "isrever-browser-"));
  const arena = tournaments(program, data);
  const server = spawn(program, ["serve", "--port", "0", "--data", data, "--arena", arena, "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((done) => server.once("exit", () => done()));
  const first = await new Promise<string>((heard, failed) => {
    createInterface(server.stdout).once("line", heard);
    server.once("error", failed);
    server.once("exit", (status) => failed(new Error(`${program} serve ended with ${status}`)));
  });
  project.provide("url", (JSON.parse(first) as { url: string }).url);
  return async () => {
    server.kill("SIGINT");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
}
