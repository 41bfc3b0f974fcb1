import Table from 'cli-table3';
import type { Outcome } from './trial.js';

/** `make faults` sets it: how long each fault lasts, in seconds. Zero in `make test`, where they are short. */
export const faultSeconds = Number(process.env.FAULT_SECONDS ?? 0);

const outcomes: Outcome[] = [];

/** Keeps an outcome for the table that `make faults` prints. */
export function tabulate(outcome: Outcome): void {
  outcomes.push(outcome);
}

/** One line for the person at the terminal; nothing in `make test`. */
export function tell(line: string): void {
  if (faultSeconds > 0) process.stdout.write(`    ${line}\n`);
}

after(() => {
  if (faultSeconds > 0) process.stdout.write(`${tableOf(outcomes.splice(0))}\n`);
});

function tableOf(all: readonly Outcome[]): string {
  const head = [
    'fault',
    'requests',
    'answered 201',
    'errors',
    'lost',
    'duplicates',
    'recovery ms',
    'slowest ms',
    'capacity',
    'memory MB',
    'verdict',
  ];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const outcome of all) {
    const errors = Object.entries(outcome.errors).map(([code, count]) => `${code} ${count}`);
    table.push([
      outcome.fault,
      outcome.requests,
      outcome.acknowledged,
      errors.join('\n'),
      outcome.lost,
      outcome.duplicates,
      outcome.recoveryMs,
      outcome.slowestMs,
      outcome.capacity.toFixed(2),
      outcome.grownMb,
      outcome.violations.length === 0 ? 'ok' : outcome.violations.join('\n'),
    ]);
  }
  return table.toString();
}
