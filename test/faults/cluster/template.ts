import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialiseMysql, mysqlGraceMs, type MysqlBinaries } from '../../../db/services/mysql.js';
import { startDetached, terminate } from '../../../db/services/processes.js';
import { pingMysql, waitFor } from '../../../db/services/urls.js';

const port = 3399;
const withinMs = 120_000;

/** The data that every node begins with: an empty database, and the users of the service and of the cluster itself. */
export async function makeTemplate(binaries: MysqlBinaries, dir: string): Promise<string> {
  const data = join(dir, 'mysql');
  if (existsSync(data)) return data;
  mkdirSync(dir, { recursive: true });
  await initialiseMysql({ binaries, dir, purpose: 'test' });
  const accounts = join(dir, 'accounts.sql');
  const statements = [
    'CREATE DATABASE verdict CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    "CREATE USER verdict@'%' IDENTIFIED BY 'verdict'",
    "GRANT ALL ON verdict.* TO verdict@'%'",
    "CREATE USER cluster@'%' IDENTIFIED BY 'cluster'",
    "GRANT ALL ON *.* TO cluster@'%' WITH GRANT OPTION",
  ];
  writeFileSync(accounts, statements.map((statement) => `${statement};\n`).join(''));
  const words = [
    '--no-defaults',
    '--user=root',
    `--datadir=${data}`,
    `--socket=${join(dir, 'm.sock')}`,
    `--pid-file=${join(dir, 'm.pid')}`,
    `--init-file=${accounts}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-log-bin',
    '--loose-mysqlx=OFF',
    '--loose-innodb-log-file-size=16M',
  ];
  const { mark } = await startDetached(binaries.server, words, join(dir, 'template.log'), dir);
  await waitFor(
    () => pingMysql(`mysql://verdict:verdict@127.0.0.1:${port}/verdict`),
    withinMs,
    () => false,
  );
  await terminate(mark, mysqlGraceMs);
  return data;
}
