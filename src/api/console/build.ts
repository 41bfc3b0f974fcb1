/**
 * Bundles the console (`src/console`) for browsers. A build step: production serves the bundles,
 * each compressed beforehand, and needs neither the bundler nor the packages that went into them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';
import { consoleFolder } from './consoleFolder.js';
import type { Manifest } from './files.js';
import { noticesOf } from './notices.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: { console: 'src/console/main.tsx' },
  outdir: 'files',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfigRaw: {},
  minify: true,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
});

const files = outputFiles.map(({ path, contents }) => ({ name: basename(path), contents: Buffer.from(contents) }));
files.push({ name: 'notices.txt', contents: Buffer.from(noticesOf(root, Object.keys(metafile.inputs))) });

rmSync(consoleFolder, { recursive: true, force: true });
mkdirSync(consoleFolder, { recursive: true });
await Promise.all(files.map(({ name, contents }) => writeCompressed(name, contents)));
writeFileSync(new URL('manifest.json', consoleFolder), JSON.stringify(manifestOf(files.map(({ name }) => name))));

async function writeCompressed(name: string, contents: Buffer): Promise<void> {
  // The last steps of compression take most of the time: worth it for the small everyday bundles alone.
  const quality = contents.length < 500_000 ? 11 : 9;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const [small, smaller] = await Promise.all([
    promisify(gzip)(contents, { level: 9 }),
    promisify(brotliCompress)(contents, { params }),
  ]);
  writeFileSync(new URL(name, consoleFolder), contents);
  writeFileSync(new URL(`${name}.gz`, consoleFolder), small);
  writeFileSync(new URL(`${name}.br`, consoleFolder), smaller);
}

function manifestOf(names: readonly string[]): Manifest {
  const entry = (ending: string): string => {
    const found = names.find((name) => name.startsWith('console-') && name.endsWith(ending));
    if (found === undefined) throw new Error(`The bundler made no console-*${ending}.`);
    return found;
  };
  return { script: entry('.js'), style: entry('.css'), files: names };
}
