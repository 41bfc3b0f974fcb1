import { pause } from '../../clock/timers.js';
import { adminUrl, askPool } from './adminPort.js';
import { poolText } from './poolText.js';

// What `make pool-status` executes: a table that renews itself every second on a terminal, and once into a pipe.
const home = '\u001b[H';
const clear = '\u001b[2J';
const clearRest = '\u001b[J';
const clearLine = '\u001b[K';

const url = adminUrl(process.env);
const live = process.stdout.isTTY;
process.stdout.on('error', () => process.exit());
// Ctrl-C ends the live table; otherwise make would report an error.
process.on('SIGINT', () => process.exit());

try {
  if (live) process.stdout.write(clear);
  do {
    const report = await askPool(url);
    const shown = `${poolText(report)}\n`;
    process.stdout.write(live ? drawnOver(shown) : shown);
    if (live) await pause(1000);
  } while (live);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Draws over the previous table, and clears what remains of it. */
function drawnOver(shown: string): string {
  const heading = `${url}  ${new Date().toLocaleTimeString()}  (Ctrl-C ends)\n`;
  return home + (heading + shown).replaceAll('\n', `${clearLine}\n`) + clearRest;
}
