import { openProgress } from '../../../src/cli/progress.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { openBed } from '../bed.js';
import { resultFile } from '../results.js';
import { load } from './load.js';
import { profileAll, profileText, type Profile } from './profile.js';
import { reportText, type Row } from './report.js';
import { facts, ownTargets, startPeers, type Targets } from './targets.js';

// `make bench`: the full path of an execution against its peers, in one run on one machine.
// SECONDS=5 a measurement, CONNECTIONS=32,256, PROCESSES=1 of the server. PROFILE=1: then also where its time goes.

const seconds = Number(process.env.SECONDS ?? 5);
const connections = (process.env.CONNECTIONS ?? '32,256').split(',').map(Number);
const serverSettings = { LOG_LEVEL: 'warn', HTTP_PROCESSES: process.env.PROCESSES ?? '1' };

const bed = await openBed('bench');
const peers = await startPeers();
let server: ServerProcess | undefined;
try {
  server = await startServer(serverSettings);
  const rows = await measureAll(new Map([...peers.targets, ...(await ownTargets(server, bed.watched))]));
  process.stdout.write(`${reportText(rows)}\n`);
  await server.stop();
  server = undefined;
  const profiles = process.env.PROFILE === '1' ? await profileAll(serverSettings, bed.watched, seconds) : [];
  for (const profile of profiles) process.stdout.write(`\n${profileText(profile)}\n`);
  save(rows, profiles);
} finally {
  peers.stop();
  await server?.stop();
  await bed.stop();
}

async function measureAll(all: Targets): Promise<Row[]> {
  const rows: Row[] = [];
  const total = all.size * Object.keys(facts).length * connections.length;
  const bar = openProgress(process.stderr, 'Measuring', total);
  for (const [fact, value] of Object.entries(facts)) {
    for (const count of connections) {
      for (const [peer, target] of all) {
        // Compiled code of a process that has just started is slow for seconds, which is not what is compared.
        await load(target(value), count, count === connections[0] ? 3 : 1);
        rows.push({ peer, fact, connections: count, ...(await load(target(value), count, seconds)) });
        bar.advance();
      }
    }
  }
  bar.end();
  return rows;
}

function save(rows: readonly Row[], profiles: readonly Profile[]): void {
  const found = { node: process.version, seconds, processes: Number(serverSettings.HTTP_PROCESSES), rows, profiles };
  const path = resultFile('http')('json', `${JSON.stringify(found, null, 2)}\n`);
  process.stdout.write(`Saved as ${path}\n`);
}
