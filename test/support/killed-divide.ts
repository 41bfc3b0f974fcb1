import { divide, resumeDividing } from '../../src/runs/days/divide.js';
import { openDatabase } from '../../src/storage/database.js';

// Divides the table of executions, until it has sent so many statements: then it is killed. For tests, which start it as a process.
const [, , url = '', statements] = process.argv;
const database = openDatabase(url, { poolSize: 6, acquireTimeoutMs: 60_000 });
let sent = 0;
database.on('query', () => {
  if (++sent > Number(statements)) process.kill(process.pid, 'SIGKILL');
});
await resumeDividing(database);
await divide(database, true);
await database.destroy();
