// How long people wait, for the record: `npm run times`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["browser/times.ts"],
    environment: "node",
    globalSetup: ["browser/server.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
