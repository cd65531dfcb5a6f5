import { svelte } from "@sveltejs/vite-plugin-svelte";
import { loadEnv } from "vite";
import { defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  build: {
    outDir: "../src/caramba/page",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy lets nothing in but files of its own
    target: "es2023",
  },
  // `npm run dev` talks to a server of its own: ./caramba serve
  server: {
    proxy: { "/api": { target: loadEnv(mode, ".", "CARAMBA_").CARAMBA_SERVER ?? "http://127.0.0.1:8000", ws: true } },
  },
  test: { include: ["tests/**/*.test.ts"] },
}));
