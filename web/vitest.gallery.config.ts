// Pictures of every screen at every size, to be looked at: `npm run gallery`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["browser/gallery.ts"],
    environment: "node",
    globalSetup: ["browser/server.ts"],
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
  },
});
