import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, ServicesError } from './errors.js';
import { tailOf } from './files.js';
import { findBinary } from './lookup.js';

/** What can be missing. */
export type ServiceName = 'mysql' | 'redis';

/** True when this process may install packages here: root on Debian, Ubuntu or a relative of theirs. */
export function canInstallByApt(folders: readonly string[]): boolean {
  const isDebian = existsSync('/etc/debian_version');
  return process.getuid?.() === 0 && isDebian && findBinary(['apt-get'], folders) !== undefined;
}

// `core` packages bring the programs of MariaDB and no system service. Redis has no such package; its service must
// not start, neither now (policy-rc.d, as deb-systemd-invoke and invoke-rc.d ask it) nor at the next boot.
const script = `
set -e
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' INT TERM HUP
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
apt() { apt-get -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 -o Acquire::http::Timeout=30 "$@"; }
apt update
packages=
for name in "$@"; do
  case "$name" in
    mysql)
      for part in server client; do
        core=$(apt-cache pkgnames "mariadb-$part-core" | sort -V | tail -n 1)
        packages="$packages \${core:-mariadb-$part}"
      done ;;
    redis) packages="$packages redis-server" ;;
  esac
done
apt install -y --no-install-recommends --no-upgrade --no-remove $packages </dev/null
case " $packages " in *" redis-server "*)
  if command -v systemctl >/dev/null; then systemctl disable redis-server || true; fi ;;
esac
`;

/**
 * Installs what is missing; the output goes to `apt.log` in `dir`. Nothing is removed or upgraded, no system service
 * is started. Takes up to some minutes. Throws `ServicesError` with the end of the log.
 */
export async function installByApt(names: readonly ServiceName[], dir: string): Promise<void> {
  const logFile = join(dir, 'apt.log');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' };
  const run = promisify(execFile);
  try {
    const { stdout, stderr } = await run('/bin/sh', ['-c', script, 'install', ...names], {
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    writeFileSync(logFile, stdout + stderr);
  } catch (error) {
    const output = error as { stdout?: string; stderr?: string };
    writeFileSync(logFile, `${output.stdout ?? ''}${output.stderr ?? messageOf(error)}`);
    throw new ServicesError(`apt-get failed. The end of ${logFile}:\n${tailOf(logFile, 6)}`, { cause: error });
  }
}
