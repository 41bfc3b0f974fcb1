import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLineFile } from './api/docs/builtPages.js';
import { noticesOf } from './api/console/notices.js';
import { packageFolder } from './packageFolder.js';

/** What the bundle of the command line reads at run time, each where the bundle looks for it. */
const parts = ['dist/cli', 'dist/src/packageFolder.js', 'dist/workers/engine/sandbox/guestFolder.js'];
const guest = 'dist/workers/engine/sandbox/guest';

/**
 * Packs the bundled command line as a package for `npm install`, which the server hands out below /docs: who has the address
 * of a server has its command line, of the same version. It names no other package, so that no registry is needed.
 * @param inputs paths of the bundled files, relative to the project's folder
 */
export function packCommandLine(inputs: readonly string[]): void {
  const root = fileURLToPath(packageFolder);
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
