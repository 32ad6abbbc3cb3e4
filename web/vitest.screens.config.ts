// Pictures of the main screens for the README: `npm run screens`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["browser/screens.ts"],
    environment: "node",
    globalSetup: ["browser/server.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
