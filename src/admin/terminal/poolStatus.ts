import { setTimeout as sleep } from 'node:timers/promises';
import { adminUrl, askPool } from './adminPort.js';
import { limitsLine, poolTable } from './poolTable.js';

// What `make pool-status` executes: a table that renews itself every second on a terminal, and once into a pipe.
const home = '\u001b[H';
const clear = '\u001b[2J';
const clearRest = '\u001b[J';

const url = adminUrl(process.env, process.cwd());
const live = process.stdout.isTTY;
process.stdout.on('error', () => process.exit());

try {
  if (live) process.stdout.write(clear);
  do {
    const report = await askPool(url);
    const heading = live ? `${home}${url}  ${new Date().toLocaleTimeString()}  (Ctrl-C ends)\n` : '';
    process.stdout.write(`${heading}${poolTable(report)}\n${limitsLine(report)}\n${live ? clearRest : ''}`);
    if (live) await sleep(1000);
  } while (live);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
