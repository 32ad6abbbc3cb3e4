// Tournaments: live while they run, taken away as files, read on a phone; and agents that are explained.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { faults } from "./axe";
import { launch, SIZES, visit } from "./browser";
import { program, Served } from "./program";

launch();

const [phone, desktop] = SIZES;

/** Starts a tournament that will not end by itself, and waits until its database is there. */
async function running(folder: string): Promise<{ child: ChildProcess; database: string }> {
  const database = join(folder, "arena.db");
  const file = join(folder, "long.toml");
  writeFileSync(file, 'name = "long cup"\nplayers = ["random", "greedy:by=mobility", "engine:level=17"]\nsize = 8\npairs = 900\nseed = 7\n');
  const seen = watch(folder);
  const child = spawn(program(), ["arena", "run", "--db", database, "--concurrency", "1", file], { stdio: ["ignore", "ignore", "inherit"] });
  for await (const _ of seen) if (existsSync(database) || child.exitCode !== null) break;
  return { child, database };
}

describe("a tournament", () => {
  it("is followed while it runs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "isrever-live-"));
    const { child, database } = await running(folder);
    let server: Served | null = null;
    try {
      // The database is there as soon as the tournament is entered.
      while (server === null && child.exitCode === null) server = await Served.start(join(folder, "data"), 0, "--arena", database).catch(() => null);
      const { page, end } = await visit(desktop, "compare/1", { url: server!.url });
      await page.getByText("running").first().waitFor();
      const played = (): Promise<number> => page.locator(".card [role=status]").textContent().then((text) => Number(/^(\d+) of/.exec(text ?? "")?.[1]));
      const before = await played();
      await page.waitForFunction((count) => Number(/^(\d+) of/.exec(document.querySelector(".card [role=status]")?.textContent ?? "")?.[1]) > count + 1, before);
      // The list of games grows with it, up to a page.
      await page.waitForFunction((count) => document.querySelectorAll(".tournament-games tbody tr").length > count, Math.min(before, 49));
      await end();
    } finally {
      child.kill("SIGKILL");
      await server?.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("can be taken away: its table and its games", async () => {
    const { page, end } = await visit(desktop, "compare/1");
    const taken = async (name: string): Promise<string> => {
      const waiting = page.waitForEvent("download");
      await page.getByRole("link", { name }).first().click();
      return readFileSync(await (await waiting).path(), "utf8");
    };
    const table = await taken("Table (CSV)");
    expect(table.split("\n")[0]).toMatch(/^rank,player,agent/);
    expect(table.trim().split("\n")).toHaveLength(5);
    const games = await taken("Games (GGF)");
    expect(games.match(/\(;GM\[Othello\]/g)!.length).toBe(72);
    await end();
  });

  it("shows the games of a cell where they are", async () => {
    const { page, end } = await visit(desktop, "compare/1");
    await page.locator(".cross td button").first().click();
    await page.locator(".between").waitFor();
    await page.waitForFunction(() => {
      const { top } = document.querySelector(".between")!.getBoundingClientRect();
      return top >= 0 && top < innerHeight;
    });
    expect(await page.locator(".tournament-games tbody tr").count()).toBe(12);
    await end();
  });

  it("is read on a phone without scrolling the standings", async () => {
    const { page, end } = await visit(phone, "compare/1");
    await page.locator(".standings tbody tr").first().waitFor();
    const box = await page.locator(".standings").evaluate((table) => ({ wide: table.scrollWidth, room: table.parentElement!.clientWidth }));
    expect(box.wide).toBeLessThanOrEqual(box.room);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width);
    // The names of the rows stay while the table is scrolled.
    const left = await page.locator(".cross").evaluate((table) => {
      table.parentElement!.scrollLeft = 200;
      return table.querySelector("tbody th")!.getBoundingClientRect().left;
    });
    expect(left).toBeGreaterThanOrEqual(0);
    expect(await faults(page)).toEqual([]);
    await end();
  });
});

describe("agents", () => {
  it("are explained where they are chosen", async () => {
    const { page, end } = await visit(desktop, "watch");
    await page.getByLabel("Black", { exact: true }).selectOption("engine:level=5");
    await page.getByText("The engine, about 505 Elo above level 1.").waitFor();
    await page.getByLabel("White", { exact: true }).selectOption("chatty");
    await page.getByText("Of the server's owner: chatty.py").waitFor();
    expect(await page.getByLabel("White", { exact: true }).getAttribute("aria-describedby")).not.toBeNull();
    await page.goto(`${page.url().split("#")[0]}#/play`);
    await page.getByRole("button", { name: "New game" }).click();
    const dialog = page.getByRole("dialog", { name: "New game" });
    await dialog.getByLabel("White", { exact: true }).selectOption("zero");
    await dialog.getByText("A network that learned from games against itself").waitFor();
    await end();
  });
});
