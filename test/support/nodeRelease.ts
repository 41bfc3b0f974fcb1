import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, ServicesError } from '../../db/services/errors.js';

const run = promisify(execFile);

/**
 * The folder of a `node` of that major version, fetched from npm's registry the first time. Throws `ServicesError`.
 * @param dir where it is kept
 */
export async function fetchNode(major: string, dir: string, say: (line: string) => void): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const bin = join('node_modules', name, 'bin');
  if (existsSync(join(dir, bin, 'node'))) return join(dir, bin);
  say(`Fetching Node ${major} …`);
  const draft = `${dir}.new-${process.pid}`;
  mkdirSync(dirname(dir), { recursive: true });
  mkdirSync(draft);
  try {
    const options = [
      '--no-save',
      '--no-package-lock',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    await run('npm', ['install', '--prefix', draft, ...options, `${name}@${major}`]);
    await run(join(draft, bin, 'node'), ['--version']);
    renameSync(draft, dir);
  } catch (error) {
    throw new ServicesError(`Node ${major} could not be fetched: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(dir, bin);
}
