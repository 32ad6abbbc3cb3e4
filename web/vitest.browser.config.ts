// The browser suite: the real program, a real Chromium, one file after another.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["browser/**/*.test.ts"],
    environment: "node",
    globalSetup: ["browser/server.ts"],
    fileParallelism: false,
    // A machine that builds something else at the same time is slow; nothing here measures time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
