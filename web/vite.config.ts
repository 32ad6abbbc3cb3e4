// The build: one script, one style sheet, one page, all with fixed names, so that `dist/` can be
// committed and embedded. During development the API is asked of a running `isrever serve`, at the
// address in `ISREVER_SERVER` if it is not the usual one.
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
        assetFileNames: (asset) => (asset.names[0]?.endsWith(".css") ? "app.css" : "[name][extname]"),
        codeSplitting: false,
      },
    },
  },
  // The server takes requests from its own page only; here that is this one.
  server: { proxy: { "/api": { target: SERVER, changeOrigin: true, headers: { origin: SERVER } } } },
});
