// Starts the program for the suite, on a free port and with an empty folder for its games, and ends
// it afterwards. `ISREVER` names the program.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { program, Served } from "./program";

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
  const data = mkdtempSync(join(tmpdir(), "isrever-browser-"));
  const own = ["chatty", "faulty"].flatMap((name) => ["--agent", `${name}=python:${resolve(`browser/agents/${name}.py`)},time=60s,sandbox=weak`]);
  const server = await Served.start(data, 0, "--arena", tournaments(program(), data), ...own);
  project.provide("url", server.url);
  return async () => {
    await server.end();
    rmSync(data, { recursive: true, force: true });
  };
}
