// Pictures of every screen at every size, to be looked at, and checked for what a program can see: `npm run gallery`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["browser/gallery.ts", "browser/gallery-club.ts"],
    environment: "node",
    globalSetup: ["browser/server.ts"],
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
  },
});
