import { dirname, join } from 'node:path';
import { messageOf } from '../../db/services/errors.js';
import { fetchNode } from './nodeRelease.js';
import { fetchedServers } from './fetched.js';

// Prints the folder of the `node` to test with: of the major version that NODE names, else the one that runs this. npm
// sets NODE too, to the path of its own.
const wanted = process.env['NODE'] ?? '';
try {
  const isMajor = /^\d+$/.test(wanted);
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const folder = isMajor
    ? await fetchNode(wanted, join(fetchedServers, `node-${wanted}`), say)
    : dirname(process.execPath);
  process.stdout.write(folder);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
