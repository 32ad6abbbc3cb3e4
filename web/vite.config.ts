// The build: one page with a script and a style sheet, and one of each for the battle platform and for
// the explorer, which only their visitors fetch. All have fixed names, so that `dist/` can be committed and embedded. During
// development the API is asked of a running `isrever serve`, at the address in `ISREVER_SERVER` if it
// is not the usual one.
import { defineConfig } from "vite";

const SERVER = process.env["ISREVER_SERVER"] ?? "http://127.0.0.1:7788";

export default defineConfig({
  base: "./",
  build: {
    outDir: "dist",
    target: "es2022",
    modulePreload: { polyfill: false },
    // A data: URL would need a hole in the content security policy.
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: "app.js",
        chunkFileNames: "[name].js",
        assetFileNames: ({ names: [name = ""] }) => (name.endsWith(".css") && !["club.css", "explore.css"].includes(name) ? "app.css" : "[name][extname]"),
      },
    },
  },
  // The server takes requests from its own page only; here that is this one.
  server: { proxy: { "/api": { target: SERVER, changeOrigin: true, headers: { origin: SERVER } } } },
});
