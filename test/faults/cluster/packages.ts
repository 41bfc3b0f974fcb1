import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, ServicesError } from '../../../db/services/errors.js';
import { findBinary, searchPath } from '../../../db/services/lookup.js';

const run = promisify(execFile);

/** HAProxy, Galera and the programs by which Galera's nodes copy their data. */
export interface ClusterPackages {
  readonly haproxy: string;
  readonly galera: string;
  /** With which all of them find their libraries and one another. */
  readonly environment: NodeJS.ProcessEnv;
}

// What of these and of their libraries the machine lacks, unpacked beside the system and not installed.
const script = `
set -e
dir=$1
shift
mkdir -p "$dir/archives/partial" "$dir/tree"
apt-get install -y --download-only --no-install-recommends -o Debug::NoLocking=1 -o APT::Sandbox::User=root \\
  -o Dir::Cache::archives="$dir/archives" "$@"
for package in "$dir"/archives/*.deb; do [ ! -e "$package" ] || dpkg-deb -x "$package" "$dir/tree"; done
rm -rf "$dir/archives"
`;

/** Fetched the first time: 20 MB. Debian alone, as root. Throws `ServicesError`. */
export async function fetchPackages(dir: string, say: (line: string) => void): Promise<ClusterPackages> {
  if (!existsSync(dir)) {
    say('Fetching HAProxy and Galera …');
    const draft = `${dir}.new-${process.pid}`;
    mkdirSync(dirname(dir), { recursive: true });
    try {
      await run('/bin/sh', ['-c', script, 'fetch', draft, 'haproxy', 'mariadb-server', 'rsync']);
      renameSync(draft, dir);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw new ServicesError(`HAProxy and Galera could not be fetched: ${messageOf(error)}`, { cause: error });
    }
  }
  const usr = join(dir, 'tree', 'usr');
  const libraries = readdirSync(join(usr, 'lib')).filter((name) => name.endsWith('-linux-gnu'));
  const folders = [join(usr, 'sbin'), join(usr, 'bin'), ...searchPath(process.env['PATH'])];
  const haproxy = findBinary(['haproxy'], folders);
  const galera = [join(usr, 'lib'), '/usr/lib'].map((at) => join(at, 'galera', 'libgalera_smm.so')).find(existsSync);
  if (haproxy === undefined || galera === undefined)
    throw new ServicesError('HAProxy or Galera is not among the packages that were fetched.');
  const environment = {
    PATH: folders.join(':'),
    LD_LIBRARY_PATH: libraries.map((name) => join(usr, 'lib', name)).join(':'),
  };
  return { haproxy, galera, environment };
}
