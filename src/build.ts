/**
 * Bundles the server into `dist/server/`, the command line into `dist/cli/`, and what a worker thread loads into
 * `dist/workers/thread/`, with most of their packages: a few files instead of more than a thousand take a third of the time
 * to start. The command line is packed, too. A build step (`make build`); the files below dist/src and dist/workers run as well.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { commandLineFile } from './api/docs/builtPages.js';
import { noticesOf } from './api/console/notices.js';

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

/** What the bundle of the command line reads at run time, each where the bundle looks for it. */
const parts = ['dist/cli', 'dist/src/packageFolder.js', 'dist/workers/engine/sandbox/guestFolder.js'];
const guest = 'dist/workers/engine/sandbox/guest';

/**
 * Packs the bundled command line as a package for `npm install`, which the server hands out below /docs: who has the address
 * of a server has its command line, of the same version. It names no other package, so that no registry is needed.
 * @param inputs paths of the bundled files, relative to the project's folder
 */
function packCommandLine(inputs: readonly string[]): void {
  const staged = mkdtempSync(join(tmpdir(), 'verdict-pack-'));
  try {
    for (const part of [...parts, 'LICENSE'])
      cpSync(join(root, part), join(staged, part), { recursive: true, filter: (path) => !path.endsWith('.map') });
    cpSync(join(root, guest), join(staged, guest), { recursive: true, filter: (path) => !/\.(js|map)$/.test(path) });
    const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
    const { name, version, description, license, type, engines, bin } = described;
    const own = { name, version, description, license, type, engines, bin };
    writeFileSync(join(staged, 'package.json'), JSON.stringify(own, undefined, 2));
    writeFileSync(join(staged, 'notices.txt'), noticesOf(root, inputs));
    // npm writes the same bytes for the same files, on every system.
    execFileSync('npm', ['pack', '--silent'], { cwd: staged, stdio: ['ignore', 'ignore', 'inherit'] });
    cpSync(join(staged, `${String(name)}-${String(version)}.tgz`), fileURLToPath(commandLineFile));
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

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
