import { erasureLoop } from './erasures.js';
import { eventually } from './eventually.js';
import { openStore } from './factories.js';

// Erases what is to be, until it has sent so many statements: then it is killed. For tests, which start it as a process.
const statements = Number(process.argv[2]);
const store = openStore();
const { database } = store;
const erasures = erasureLoop(store, { leaseMs: 100 });
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
