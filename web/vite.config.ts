import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, loadEnv, type Plugin } from "vite";

const PAGE = "../src/caramba/page";

/** Packs all texts once, beside themselves, so that the server has nothing left to do. */
function packed(): Plugin {
  const isText = (name: string) => /\.(html|js|css|svg|json|txt)$/.test(name);
  return {
    name: "packed",
    apply: "build",
    closeBundle() {
      for (const name of readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter(isText)) {
        const file = join(PAGE, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), packed()],
  build: {
    outDir: PAGE,
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy lets nothing in but files of its own
    target: "es2023",
  },
  // `npm run dev` talks to a server of its own: ./caramba serve
  server: {
    proxy: { "/api": { target: loadEnv(mode, ".", "CARAMBA_").CARAMBA_SERVER ?? "http://127.0.0.1:8000", ws: true } },
  },
}));
