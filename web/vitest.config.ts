// Unit tests: the logic without a browser.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    environment: "node",
    // A machine that does something else at the same time is slow; nothing here measures time.
    testTimeout: 120_000,
  },
});
