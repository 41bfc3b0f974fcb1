import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, ServicesError } from '../../db/services/errors.js';
import type { MysqlBinaries } from '../../db/services/mysql.js';

const run = promisify(execFile);

// Oracle's MySQL with all that it needs, out of Debian's unstable suite, unpacked beside the system and not installed:
// its own loader starts it with its own libraries. Nobody's rights are needed for that, and nothing else sees it.
const script = `
set -e
dir=$1
mirror=$(apt-get indextargets --format '$(ORIGIN) $(SITE)' 'Created-By: Packages' | sed -n 's/^Debian //p' | grep -v security | head -n 1)
[ -n "$mirror" ] || { echo 'This is not a Debian with a package list: run apt-get update first.' >&2; exit 1; }
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/tree"
: > "$dir/apt/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror unstable main" > "$dir/apt/sources.list"
apt() {
  apt-get -o Dir::State="$dir/apt" -o Dir::State::lists="$dir/apt/lists" -o Dir::State::status="$dir/apt/status" \\
    -o Dir::Cache="$dir/apt/cache" -o Dir::Etc::sourcelist="$dir/apt/sources.list" -o Dir::Etc::sourceparts=- \\
    -o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=30 "$@"
}
apt update
apt install -y --download-only --no-install-recommends mysql-server-core mysql-client-core
for package in "$dir"/apt/cache/archives/*.deb; do dpkg-deb -x "$package" "$dir/tree"; done
rm -rf "$dir/apt"
tree='$(dirname "$(readlink -f "$0")")/tree'
cat > "$dir/mysqld" <<END
#!/bin/sh
tree=$tree
exec "\\$tree"/usr/lib64/ld-linux-*.so.* --library-path "\\$(echo "\\$tree"/usr/lib/*-linux-gnu)" "\\$tree/usr/sbin/mysqld" "\\$@" \\
  --lc-messages-dir="\\$tree/usr/share/mysql" --character-sets-dir="\\$tree/usr/share/mysql/charsets" \\
  --plugin-dir="\\$tree/usr/lib/mysql/plugin" --secure-file-priv=NULL
END
mkdir "$dir/tools"
for name in mysql mysqldump mysqlbinlog; do
  cat > "$dir/tools/$name" <<END
#!/bin/sh
tree=$(echo "$tree" | sed 's#/tree#/../tree#')
exec "\\$tree"/usr/lib64/ld-linux-*.so.* --library-path "\\$(echo "\\$tree"/usr/lib/*-linux-gnu)" "\\$tree/usr/bin/$name" "\\$@"
END
done
chmod 755 "$dir/mysqld" "$dir"/tools/*
`;

/** The folder of the programs that came with a fetched server: its client, dump and reader of the binary log. */
export const toolsOf = ({ server }: Pick<MysqlBinaries, 'server'>): string => join(dirname(server), 'tools');

/**
 * A MySQL of that release (such as 9.7), fetched the first time: 60 MB, some seconds. Debian on Intel alone. Throws
 * `ServicesError`, also where the suite has another release by now.
 * @param dir where it is kept
 */
export async function fetchMysql(release: string, dir: string, say: (line: string) => void): Promise<MysqlBinaries> {
  const binaries = { flavour: 'mysql', server: `${dir}/mysqld` } as const;
  if (existsSync(binaries.server) && existsSync(toolsOf(binaries))) return binaries;
  say(`Fetching MySQL ${release} …`);
  const draft = `${dir}.new-${process.pid}`;
  mkdirSync(dirname(dir), { recursive: true });
  try {
    await run('/bin/sh', ['-c', script, 'fetch', draft], { maxBuffer: 64 * 1024 * 1024 });
    const { stdout } = await run(`${draft}/mysqld`, ['--version']);
    const [, found = 'none'] = / Ver (\S+)/.exec(stdout) ?? [];
    if (!found.startsWith(`${release}.`)) throw new Error(`Debian's unstable suite has ${found}`);
    rmSync(dir, { recursive: true, force: true });
    renameSync(draft, dir);
  } catch (error) {
    throw new ServicesError(`MySQL ${release} could not be fetched: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return binaries;
}
