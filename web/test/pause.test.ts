// The pause before a failed request is sent again.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pause, pauseAfter } from "../src/game/pause";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("grows with each failure, up to a limit", () => {
  expect([1, 2, 3, 4, 5, 99].map(pauseAfter)).toEqual([0.2, 0.5, 1, 2, 2, 2]);
});

it("ends after its time, when it is aborted, or when the network is back", async () => {
  const page = new EventTarget();
  vi.stubGlobal("window", page);
  const begin = (): { readonly isOver: boolean; abort: () => void } => {
    const stop = new AbortController();
    const state = { isOver: false, abort: () => stop.abort() };
    void pause(2, stop.signal).then(() => (state.isOver = true));
    return state;
  };
  const [timed, aborted] = [begin(), begin()];
  aborted.abort();
  await vi.advanceTimersByTimeAsync(1999);
  expect([timed.isOver, aborted.isOver]).toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(timed.isOver).toBe(true);
  const online = begin();
  page.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect([online.isOver, vi.getTimerCount()]).toEqual([true, 0]);
});
