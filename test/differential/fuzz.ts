import { openProgress } from '../../src/cli/progress.js';
import { seed, wholeNumber } from '../support/environment.js';
import { compare } from './compare.js';

// What `make fuzz` executes. SEED and CASES come from the environment.

const cases = wholeNumber('CASES') ?? 20_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

say(`${cases} cases with seed ${seed}; SEED=${seed} repeats them.`);
const progress = openProgress(process.stderr, 'comparing', cases);
const { compared, known, deaths, differences, values } = await compare({
  seed,
  cases,
  advance: () => progress.advance(),
});
progress.end();
for (const [reason, count] of [...known].sort(([, one], [, other]) => other - one))
  say(`${String(count).padStart(6)}  known: ${reason}`);
for (const difference of differences) say(`\n${difference}`);
say(
  `\n${compared} compared, ${values} gave a value, ${differences.length} real differences, ${deaths} deaths of the package. Seed ${seed}.`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
