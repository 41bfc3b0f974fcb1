import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import { needs } from './environment.js';

/** Of Debian's package `prometheus`, unpacked and not installed: the package would start a server. */
const folder = join(projectRoot, '.test', 'promtool');
const unpacked = join(folder, 'usr/bin/promtool');

const works = (path: string): boolean => spawnSync(path, ['--version']).status === 0;

function unpack(): boolean {
  mkdirSync(folder, { recursive: true });
  const fetched = spawnSync(
    'sh',
    [
      '-ec',
      '{ apt-get download prometheus || { apt-get update && apt-get download prometheus; }; } && dpkg -x prometheus_*.deb . && rm prometheus_*.deb',
    ],
    { cwd: folder, timeout: 300_000 },
  );
  return fetched.status === 0 && works(unpacked);
}

let found: string | undefined;

/** Prometheus's own program: the machine's, or Debian's, fetched the first time. Skips the test where there is none. */
export function promtoolFor(context: Mocha.Context): (...args: readonly string[]) => SpawnSyncReturns<string> {
  found ??= works('promtool')
    ? 'promtool'
    : (existsSync(unpacked) && works(unpacked)) || unpack()
      ? unpacked
      : undefined;
  needs(context, 'promtool', found !== undefined);
  return (...args) => spawnSync(found ?? '', args, { encoding: 'utf8' });
}
