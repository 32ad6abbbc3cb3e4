// What axe-core finds wrong with a page: names, contrast, roles.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds wrong with a page. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] };
    const { axe: tool } = globalThis as unknown as { axe: { run(options: object): Promise<Found> } };
    // The number on a square is hidden from readers, who get it in words: its label is longer.
    const { violations } = await tool.run({ rules: { "label-content-name-mismatch": { enabled: false } } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
}
