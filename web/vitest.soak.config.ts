// Games with friends and everything that goes wrong: `npm run soak`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["browser/soak.ts"],
    environment: "node",
    globalSetup: ["browser/server.ts"],
    testTimeout: 4 * 3_600_000,
    hookTimeout: 600_000,
  },
});
