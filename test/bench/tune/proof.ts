import { median } from '../quantile.js';
import type { Measured } from './generator.js';
import { noise, sameSettings, type Findings, type Settings } from './sweep.js';

/**
 * How many times the worst setting's answers in time a setting has: compared round by round, for a machine's speed
 * changes more from minute to minute than from one measurement to the next. undefined where it was not measured.
 */
export function factorOf(findings: Findings, settings: Settings): number | undefined {
  return ratio(usualRounds(findings, settings), usualRounds(findings, findings.worst));
}

/** Best and worst were measured again, in turns, after the sweep: whether the factor of the table holds. */
export function proof(findings: Findings): string {
  const { best, worst, repeated } = findings;
  const middle = (all: readonly Measured[]): string =>
    median(all.map(({ inTimePerSecond }) => inTimePerSecond)).toFixed(0);
  const numbers = `best ${middle(repeated.best)} answers in time per second, worst ${middle(repeated.worst)}`;
  // The queue limit was chosen later, under another load.
  const expected = factorOf(findings, { ...best, queue: worst.queue });
  const factor = ratio(repeated.best, repeated.worst);
  if (expected === undefined || factor === undefined) return `Measured again in turns: ${numbers}.`;
  const holds = factor > 1 && factor >= expected * (1 - noise);
  return (
    `By the table the best answers ${expected.toFixed(2)} times as many in time as the worst. ` +
    `Measured again in turns: ${numbers}: ${factor.toFixed(2)} times as many. ` +
    (holds ? 'Confirmed.' : 'Not confirmed: this machine is not quiet enough, or SECONDS is too small.')
  );
}

/** Under the first load, under which processes and threads are compared. */
const usualRounds = ({ trials }: Findings, settings: Settings): Measured[] =>
  trials
    .filter((trial) => trial.connections === trials[0]?.connections && sameSettings(trial.settings, settings))
    .map(({ measured }) => measured);

function ratio(these: readonly Measured[], those: readonly Measured[]): number | undefined {
  const rounds = these.flatMap(({ inTimePerSecond }, round) => {
    const other = those[round]?.inTimePerSecond ?? 0;
    return other === 0 ? [] : [inTimePerSecond / other];
  });
  return rounds.length === 0 ? undefined : median(rounds);
}
