/**
 * Bundles what a worker thread loads into `thread/`, with its packages: one file instead of some four hundred takes a
 * thread a third of the time to start, also where it takes a lost one's place. A build step (`npm run build:thread`).
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const outdir = `${here}thread`;

rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [`${here}run.js`],
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // What is imported on demand stays in files of its own.
  splitting: true,
  external: ['quickjs-emscripten', `${here}engine/sandbox/guestFolder.js`],
  // Packages that are CommonJS ask for Node's modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  sourcemap: true,
  // Node parses the whole map when a thread starts; the sources themselves are in dist/ or in the repository.
  sourcesContent: false,
  logLevel: 'warning',
});
