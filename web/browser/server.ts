// Starts the program for the suite, on a free port and with an empty folder for its games, and ends
// it afterwards. `ISREVER` names the program.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = resolve(process.env["ISREVER"] ?? "../target/debug/isrever");
  if (!existsSync(program)) throw new Error(`${program} is not there: cargo build, or name the program in ISREVER`);
  const data = mkdtempSync(join(tmpdir(), "isrever-browser-"));
  const server = spawn(program, ["serve", "--port", "0", "--data", data, "--json"], { stdio: ["ignore", "pipe", "inherit"] });
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
