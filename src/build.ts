/**
 * Bundles the server into `dist/server/`, the command line into `dist/cli/`, and what a worker thread loads into
 * `dist/workers/thread/`, with most of their packages: a few files instead of more than a thousand take a third of the time
 * to start. The command line is packed, too. A build step (`make build`); the files below dist/src and dist/workers run as well.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packCommandLine } from './packCommandLine.js';

const dist = fileURLToPath(new URL('../', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files that say where something lies, seen from themselves. */
const folders = [
  'workers/engine/sandbox/guestFolder.js',
  'src/api/docs/builtPages.js',
  'src/api/console/consoleFolder.js',
  'src/admission/pool/workerFile.js',
  'src/packageFolder.js',
];

/** They look for files of their own at run time, or are loaded on demand alone. */
const packages = [
  ...['pino', 'piscina'],
  ...['core', 'exporter-trace-otlp-http', 'resources', 'sdk-trace-node'].map((name) => `@opentelemetry/${name}`),
];

/** Of other databases: knex asks for one of them when it is told to use it. They are not installed. */
const drivers = 'better-sqlite3 mariadb/callback mysql oracledb pg pg-native pg-query-stream sqlite3 tedious'.split(
  ' ',
);

for (const [entry, folder] of [
  ['workers/run.js', 'workers/thread'],
  ['src/main.js', 'server'],
  ['src/cli/main.js', 'cli'],
] as const) {
  const outdir = `${dist}${folder}`;
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`${dist}${entry}`],
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // What is imported on demand stays in files of its own.
    splitting: true,
    external: [...folders.map((folder) => dist + folder), ...packages, ...drivers],
    // Node reads over each character of them at each start.
    minifyWhitespace: true,
    // Packages that are CommonJS ask for Node's modules by `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
    },
    sourcemap: true,
    // Node parses the whole map at each start; the sources themselves are in the repository.
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  if (folder === 'cli') packCommandLine(Object.keys(metafile.inputs));
}
