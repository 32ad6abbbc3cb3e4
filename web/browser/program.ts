// The program, serving: started on a port of its own, ended in order or killed.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** The program that `ISREVER` names, or the development build. */
export function program(): string {
  const path = resolve(process.env["ISREVER"] ?? "../target/debug/isrever");
  if (!existsSync(path)) throw new Error(`${path} is not there: cargo build, or name the program in ISREVER`);
  return path;
}

export class Served {
  private constructor(
    readonly url: string,
    /** The link that makes the first administrator of a club. */
    readonly invitation: string | null,
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
  ) {}

  /** Starts it with games in `data`; port 0 is any free one. */
  static async start(data: string, port = 0, ...more: string[]): Promise<Served> {
    const child = spawn(program(), ["serve", "--port", String(port), "--data", data, "--json", ...more], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<void>((done) => child.once("exit", () => done()));
    const first = await new Promise<string>((heard, failed) => {
      createInterface(child.stdout).once("line", heard);
      child.once("error", failed);
      child.once("exit", (status) => failed(new Error(`isrever serve ended with ${status}`)));
    });
    const { url, invitation } = JSON.parse(first) as { url: string; invitation?: string };
    return new Served(url, invitation ?? null, child, ended);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Ends it; `SIGKILL` leaves it no time to say goodbye. */
  async end(signal: "SIGINT" | "SIGKILL" = "SIGINT"): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}
