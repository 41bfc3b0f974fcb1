import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findBinary, searchPath } from '../../../db/services/lookup.js';
import { findMysql } from '../../../db/services/mysql.js';
import { useFreshFolder } from '../../support/folder.js';

describe('lookup of programs', () => {
  const dir = useFreshFolder();
  beforeEach(() => {
    for (const name of ['a', 'b']) mkdirSync(join(dir, name));
  });

  const program = (path: string, text = '', mode = 0o755): string => {
    const file = join(dir, path);
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, mode);
    return file;
  };
  const folders = (): string[] => [join(dir, 'a'), join(dir, 'b')];

  it('takes the folders of PATH first, then those of servers, each once', () => {
    const found = searchPath('/my/bin:/usr/sbin::/my/bin');
    expect(found.slice(0, 2)).to.deep.equal(['/my/bin', '/usr/sbin']);
    expect(found).to.include('/usr/local/sbin');
    expect(new Set(found).size).to.equal(found.length);
    expect(searchPath(undefined)[0]).to.equal('/usr/sbin');
  });

  it('prefers an earlier name over an earlier folder', () => {
    program('a/mysqld');
    const mariadb = program('b/mariadbd');
    expect(findBinary(['mariadbd', 'mysqld'], folders())).to.equal(mariadb);
  });

  it('passes over folders and files that cannot be executed', () => {
    mkdirSync(join(dir, 'a', 'redis-server'));
    program('b/redis-server', '', 0o644);
    expect(findBinary(['redis-server'], folders())).to.equal(undefined);
  });

  it('tells MariaDB from MySQL by its version, since both have a mysqld', async () => {
    const server = program('a/mysqld', 'echo "mysqld  Ver 10.11.6-MariaDB for Linux"');
    const installer = program('b/mariadb-install-db');
    expect(await findMysql(folders())).to.deep.equal({ flavour: 'mariadb', server, installer });
  });

  it('takes MySQL without an installer, and MariaDB only with one', async () => {
    const server = program('a/mysqld', 'echo "mysqld  Ver 8.4.2 for Linux"');
    expect(await findMysql(folders())).to.deep.equal({ flavour: 'mysql', server });
    program('a/mariadbd', 'echo "mariadbd  Ver 11.4.2-MariaDB"');
    expect(await findMysql(folders())).to.equal(undefined);
  });

  it('finds nothing in empty folders, and no server that does not run', async () => {
    expect(await findMysql(folders())).to.equal(undefined);
    program('a/mysqld', 'exit 127');
    expect(await findMysql(folders())).to.equal(undefined);
  });
});
