import { performance } from 'node:perf_hooks';
import { request } from 'undici';
import { openProgress } from '../../src/cli/progress.js';
import { buildScene, logicHeaders, testDatabase } from '../support/scene.js';
import { measure, setting, type Bed } from './bed.js';
import { residentBytes, startMeter, untilIdle } from './processes.js';
import { atMost, type Report } from './report.js';
import { seedAuditEntries } from './seedAudit.js';

// `make bench-files`: how long the audit trail of a year takes as a file, and what the server holds meanwhile. ROWS=1000000

const rows = setting('ROWS', 1_000_000);
const wantedSeconds = 60;
/** The most memory of the server in the last half of the answer, beside the most in the first: flat, whatever the collector does. */
const wantedGrowth = 1.1;
const mebibyte = 2 ** 20;

async function run(bed: Bed): Promise<Report> {
  const server = await bed.server({});
  const scene = await buildScene(server);
  const bar = openProgress(process.stderr, 'Filling', rows);
  await seedAuditEntries(testDatabase(), scene, rows, (some) => bar.advance(some));
  bar.end();
  const watched = [{ name: 'server', pid: server.pid }, ...bed.watched];
  // Each entry gets its leaf first: the trail of a year has them.
  for (const each of watched) await untilIdle(each, 3_600_000);
  const used = startMeter(watched);
  const began = performance.now();
  const answer = await request(`${server.baseUrl}/logic/audit-entries?action=environment.update`, {
    headers: { ...logicHeaders(scene), Accept: 'text/csv' },
  });
  let [bytes, lines] = [0, 0];
  /** The most memory while each tenth was answered. */
  const tenths = Array.from({ length: 10 }, () => 0);
  for await (const piece of answer.body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++;
    const tenth = Math.min(9, Math.floor((10 * lines) / rows));
    tenths[tenth] = Math.max(tenths[tenth] ?? 0, residentBytes(server.pid));
  }
  const seconds = (performance.now() - began) / 1000;
  const growth = Math.max(...tenths.slice(5)) / Math.max(...tenths.slice(0, 5));
  const processors = Object.entries(used())
    .map(([name, us]) => `${name} ${(us / rows).toFixed(1)}`)
    .join(', ');
  if (lines !== rows + 1) throw new Error(`${lines} lines, wanted ${rows + 1}`);
  return {
    parts: [
      `The audit trail of ${rows} entries by \`Accept: text/csv\`, ${(bytes / mebibyte).toFixed(0)} MiB. Microseconds of the processor an entry: ${processors}.`,
    ],
    wanted: [
      atMost('Seconds', seconds, wantedSeconds),
      atMost("The server's memory in the last half, times that in the first", growth, wantedGrowth),
    ],
    found: { rows, bytes, seconds, tenths },
  };
}

await measure('files', run);
