/**
 * Bundles what runs inside QuickJS into `guest/*.mjs` beside the compiled engine, and puts QuickJS itself there. A build step:
 * production reads these files and needs no esbuild.
 */
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';

// zod 3, as in zen core 2: version 4 changed messages and API. Named exports are what authors import.
const libraries: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dayjs: `export { default } from 'dayjs';`,
    big: `export { default, default as Big } from 'big.js';`,
    zod: `export * from 'zod/v3'; export { default } from 'zod/v3';`,
  }),
);

const here = fileURLToPath(new URL('.', import.meta.url));
const target = (name: string): string => `${here}guest/${name}.mjs`;
// QuickJS of 2025 runs all of ES2023. Names are kept short, not mangled beyond what minify does: stacks stay readable.
const common: BuildOptions = { bundle: true, minify: true, target: 'es2022', legalComments: 'none', logLevel: 'error' };

await Promise.all([
  ...[...libraries].map(([name, contents]) =>
    build({ ...common, stdin: { contents, resolveDir: here }, format: 'esm', outfile: target(name) }),
  ),
  build({
    ...common,
    entryPoints: [`${here}guest/prelude.js`],
    format: 'iife',
    globalName: 'prelude',
    outfile: target('prelude'),
  }),
  build({
    ...common,
    entryPoints: [`${here}guest/typescript.js`],
    format: 'iife',
    globalName: 'typescript',
    outfile: target('typescript'),
  }),
]);

// The variant is a dependency of quickjs-emscripten's, so it is found from there.
const ours = createRequire(import.meta.url);
const theirs = createRequire(ours.resolve('quickjs-emscripten'));
copyFileSync(theirs.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'), `${here}guest/quickjs.wasm`);
