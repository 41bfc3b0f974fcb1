import { join } from 'node:path';
import { projectRoot } from '../../db/root.js';
import type { MysqlBinaries } from '../../db/services/mysql.js';
import { fetchMysql } from './mysqlRelease.js';

/** Where servers and Nodes of other versions are kept, for the next time. */
export const fetchedServers = join(projectRoot, '.test', 'servers');

/** A release of MySQL, by default the one that MYSQL names, fetched the first time; undefined: what the machine has. Throws `ServicesError`. */
export async function chosenMysql(
  say: (line: string) => void,
  release = process.env['MYSQL'] ?? '',
): Promise<MysqlBinaries | undefined> {
  if (release === '') return undefined;
  return fetchMysql(release, join(fetchedServers, `mysql-${release}`), say);
}
