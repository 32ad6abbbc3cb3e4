// How long the page lets people wait, measured in the browser itself: `cargo xtask web times` makes
// a record of it. Nothing here is a test: what comes out are lines of JSON, one for each question.
//
// A wait begins with the time stamp that the browser gave the input, or with the navigation, and
// ends with the picture that shows the answer. The network between is this machine's loopback.
import { writeFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, inject, it } from "vitest";
import { executable, legal, ready, SIZES, until } from "./browser";

const REPETITIONS = Number(process.env["REPETITIONS"] ?? 20);
/** How far a game goes in analysis before another is begun. */
const MOST_PLIES = 30;
const [, desktop] = SIZES;

/** What was asked, and how long each answer took. */
interface Waits {
  readonly question: string;
  /** What the page is held to, where anything is. */
  readonly limit_ms: number | null;
  readonly waits_ms: number[];
}

const answers: Waits[] = [];
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(executable());
});

afterAll(async () => {
  const file = process.env["TIMES"];
  const lines = [{ browser: `Chromium ${browser.version()}` }, ...answers].map((line) => JSON.stringify(line));
  if (file) writeFileSync(file, `${lines.join("\n")}\n`);
  else console.log(lines.join("\n"));
  await browser.close();
});

/** A new visitor with these settings, who has never been here. */
async function visitor(settings: object = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: desktop.width, height: desktop.height }, locale: "en-US" });
  await context.addInitScript((kept) => {
    if (localStorage.getItem("isrever") === null) localStorage.setItem("isrever", kept);
  }, JSON.stringify(settings));
  await context.addInitScript(watchInput);
  return context.newPage();
}

/** What the page's own stopwatch offers. */
interface Stopwatch {
  /** When the last click or key was made, and when the page began to handle it. */
  made: number;
  handled: number;
  /** Tasks that kept the page from anything else for more than 50 ms, in milliseconds. */
  tasks: number[];
  /** Resolves with the time of the picture that shows what `holds` waits for. */
  shown(holds: () => boolean): Promise<number>;
}

declare const stopwatch: Stopwatch;

/** Puts a stopwatch into the page, before anything of its own runs. */
function watchInput(): void {
  const watch: Stopwatch = {
    made: 0,
    handled: 0,
    tasks: [],
    async shown(holds) {
      if (!holds()) {
        await new Promise<void>((done) => {
          const eye = new MutationObserver(() => {
            if (!holds()) return;
            eye.disconnect();
            done();
          });
          eye.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        });
      }
      // The first frame draws it; when the second one begins, it is on the screen.
      await new Promise(requestAnimationFrame);
      return new Promise(requestAnimationFrame);
    },
  };
  Object.assign(globalThis, { stopwatch: watch });
  for (const kind of ["pointerdown", "keydown"]) {
    const note = (event: Event): void => {
      watch.made = event.timeStamp;
      watch.handled = performance.now();
    };
    addEventListener(kind, note, { capture: true });
  }
  new PerformanceObserver((list) => watch.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({ type: "longtask", buffered: true });
}

it("is usable after a navigation", async () => {
  const waits_ms: number[] = [];
  for (let turn = 0; turn < REPETITIONS; turn += 1) {
    const page = await visitor();
    // Whoever is quickest: the first square that can be chosen is chosen at once.
    await page.addInitScript(() => {
      const wait = async (): Promise<number> => {
        await stopwatch.shown(() => document.querySelector(".square.legal") !== null);
        const square = document.querySelector<HTMLElement>(".square.legal")!;
        square.click();
        return stopwatch.shown(() => square.dataset["disc"] === "black");
      };
      Object.assign(globalThis, { usable: wait() });
    });
    await page.goto(inject("url"));
    waits_ms.push(await page.evaluate(() => (globalThis as unknown as { usable: Promise<number> }).usable));
    await page.context().close();
  }
  answers.push({ question: "from opening the page to a first move on the board", limit_ms: 1000, waits_ms });
});

/** Plays games as Black against level 5, and does `before` each move until there are enough `waits`. */
async function play(waits: readonly number[], before: (page: Page) => Promise<void>, after: (answered: number | null) => void): Promise<void> {
  while (waits.length < REPETITIONS) {
    const page = await visitor({ players: { black: "human", white: "engine:level=5" } });
    await page.goto(inject("url"));
    await ready(page);
    while (waits.length < REPETITIONS && (await legal(page).count()) > 0) {
      await before(page);
      const count = await legal(page).count();
      // The answer is there when the last move is White's and Black can move; or nobody can.
      const answered = page.evaluate(async () => {
        const moves = (): number => document.querySelectorAll(".moves [data-node]").length;
        const wanted = moves() + 2;
        const over = (): boolean => document.querySelector(".notice:not([hidden])") !== null;
        const time = await stopwatch.shown(() => moves() >= wanted || over() || (moves() === wanted - 1 && document.querySelector(".square.legal") !== null));
        return moves() === wanted ? time - stopwatch.made : null;
      });
      await legal(page).nth((7 * waits.length) % count).click();
      after(await answered);
      await until(page, () => document.querySelector(".square.legal, .notice:not([hidden])") !== null);
    }
    await page.context().close();
  }
}

it("shows the answer of a level", async () => {
  const waits_ms: number[] = [];
  await play(waits_ms, () => Promise.resolve(), (wait) => wait !== null && waits_ms.push(wait));
  answers.push({ question: "from a click on a square to the answer of level 5 on the board", limit_ms: 300, waits_ms });
});

it("shows the square of a hint", async () => {
  const waits_ms: number[] = [];
  const hint = async (page: Page): Promise<void> => {
    const shown = page.evaluate(async () => {
      const time = await stopwatch.shown(() => document.querySelector(".square.pointed") !== null);
      return time - stopwatch.made;
    });
    await page.keyboard.press("h");
    waits_ms.push(await shown);
  };
  await play(waits_ms, hint, () => undefined);
  answers.push({ question: "from asking for a hint to its square", limit_ms: 150, waits_ms });
});

it("stays responsive while values stream", async () => {
  const [delays, pictures, values]: [number[], number[], number[]] = [[], [], []];
  const tasks: number[] = [];
  while (delays.length < REPETITIONS) {
    const page = await visitor();
    await page.goto(`${inject("url")}#/analyse`);
    await ready(page);
    // What it took to load the page was measured elsewhere.
    await page.evaluate(() => void (stopwatch.tasks.length = 0));
    // Far from the end, where the engine never comes to rest.
    for (let ply = 0; ply < MOST_PLIES && delays.length < REPETITIONS; ply += 1) {
      // It is at work, and has shown so.
      await page.waitForFunction(() => Number(document.querySelector(".chip.best")?.getAttribute("data-depth")) >= 8);
      const waits = page.evaluate(async () => {
        const line = document.querySelectorAll(".moves [data-node]").length;
        const isMoved = (): boolean => document.querySelectorAll(".moves [data-node]").length > line;
        // Both at once: values may come with the picture of the move.
        const [moved, valued] = await Promise.all([
          stopwatch.shown(isMoved),
          stopwatch.shown(() => isMoved() && document.querySelector(".chip:not(:empty)") !== null),
        ]);
        const { made, handled } = stopwatch;
        return { delay: handled - made, picture: moved - made, value: valued - made };
      });
      const count = await legal(page).count();
      await legal(page).nth((7 * delays.length) % count).click();
      const { delay, picture, value } = await waits;
      delays.push(delay);
      pictures.push(picture);
      values.push(value);
    }
    tasks.push(...(await page.evaluate(() => stopwatch.tasks)));
    await page.context().close();
  }
  answers.push(
    { question: "in analysis, until a click is handled while values stream", limit_ms: null, waits_ms: delays },
    { question: "in analysis, from a click to the move on the board", limit_ms: null, waits_ms: pictures },
    { question: "in analysis, from a click to the new position's first values", limit_ms: 150, waits_ms: values },
    { question: "in analysis, tasks that held the page up for more than 50 ms", limit_ms: null, waits_ms: tasks },
  );
});
