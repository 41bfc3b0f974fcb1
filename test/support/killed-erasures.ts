import { pino } from 'pino';
import { erasureJobs } from '../../src/erasures/erasureJobs.js';
import { createKeptHeads } from '../../src/evidence/keptHeads.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { originIn } from '../../src/evidence/origin.js';
import { createRecords } from '../../src/evidence/records.js';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { createJobLoop } from '../../src/jobs/jobLoop.js';
import { eventually } from './eventually.js';
import { issuer } from './evidence.js';
import { openStore } from './factories.js';

// Erases what is to be, until it has sent so many statements: then it is killed. For tests, which start it as a process.
const statements = Number(process.argv[2]);
const store = openStore();
const { database, encryption } = store;
const work = erasureJobs({
  ...{ database, keys: createEvidenceKeys({ database, encryption }), records: createRecords({ database, encryption }) },
  ...{
    budget: new ByteBudget(256 * 1024 * 1024),
    originOf: originIn(issuer),
    kept: createKeptHeads(null),
    settledMs: 0,
  },
});
const erasures = createJobLoop({ database, log: pino({ level: 'silent' }), pollMs: 20, leaseMs: 100 }, [work]);
const left = async (): Promise<number> =>
  ((await database('erasures').whereNull('completed_at').select('id')) as unknown[]).length;
await left();
let sent = 0;
let counting = true;
database.on('query', () => {
  if (counting && ++sent > statements) process.kill(process.pid, 'SIGKILL');
});
erasures.start();
await eventually(async () => {
  counting = false;
  const isDone = (await left()) === 0;
  counting = true;
  return isDone;
});
await erasures.stop();
await store.close();
