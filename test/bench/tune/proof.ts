import { median, sameSettings, summarise, type Findings, type Trial } from './sweep.js';

/** What the repetition may fall short of the table, as the noise of a machine that is in use otherwise too. */
const tolerance = 0.1;

/** How many times the worst setting's answers in time these are. */
export function factorText(findings: Findings, inTimePerSecond: number): string {
  const worst = inTimeOf(findings, (trial) => sameSettings(trial.settings, findings.worst));
  return worst === 0 ? '' : `${(inTimePerSecond / worst).toFixed(2)} x`;
}

/** Best and worst were measured again, in turns, after the sweep: whether the factor of the table holds. */
export function proof(findings: Findings): string {
  const { best, worst, repeated } = findings;
  const middle = (all: typeof repeated.best): number => median(all.map(({ inTimePerSecond }) => inTimePerSecond));
  const again = { best: middle(repeated.best), worst: middle(repeated.worst) };
  const numbers = `best ${again.best.toFixed(0)} answers in time per second, worst ${again.worst.toFixed(0)}`;
  const table = {
    best: inTimeOf(
      findings,
      ({ settings: { processes, threads } }) => processes === best.processes && threads === best.threads,
    ),
    worst: inTimeOf(findings, (trial) => sameSettings(trial.settings, worst)),
  };
  if (again.worst === 0 || table.worst === 0) return `Measured again in turns: ${numbers}.`;
  const [expected, factor] = [table.best / table.worst, again.best / again.worst];
  const holds = factor > 1 && factor >= expected * (1 - tolerance);
  return (
    `By the table the best answers ${expected.toFixed(2)} times as many in time as the worst. ` +
    `Measured again in turns: ${numbers}: ${factor.toFixed(2)} times as many. ` +
    (holds ? 'Confirmed.' : 'Not confirmed: this machine is not quiet enough, or SECONDS is too small.')
  );
}

/** Of the first load, under which processes and threads are compared. */
function inTimeOf({ trials }: Findings, matches: (trial: Trial) => boolean): number {
  const usual = summarise(trials.filter(({ connections }) => connections === trials[0]?.connections));
  return usual.find(matches)?.measured.inTimePerSecond ?? 0;
}
