// The pause before a failed request is sent again.

/** The pauses after the first, second … failure in a row, in seconds; the last one stays. */
const PAUSES = [0.2, 0.5, 1, 2];

/** How many seconds to wait after so many failures in a row, at least one. */
export function pauseAfter(failures: number): number {
  return PAUSES[Math.min(failures, PAUSES.length) - 1]!;
}

/** Waits for some seconds, or until `signal` aborts or the network is back. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  // Unit tests have no window.
  const page = globalThis.window as Window | undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      page?.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, seconds * 1000);
    page?.addEventListener("online", done);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
