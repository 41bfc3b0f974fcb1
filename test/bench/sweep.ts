import { together, type Measured } from './load.js';

export interface Settings {
  readonly processes: number;
  readonly threads: number;
  readonly queue: number;
}

export interface Trial {
  readonly settings: Settings;
  readonly connections: number;
  readonly measured: Measured;
}

export interface Plan {
  readonly processes: readonly number[];
  readonly threads: readonly number[];
  readonly queues: readonly number[];
  /** Requests under way at once while processes and threads are compared, and while queues are. */
  readonly connections: { readonly usual: number; readonly overload: number };
  /** Times that each setting is measured, in turns, so that a disturbance of the machine hits no setting alone. */
  readonly rounds: number;
}

/** Tells how far it is, and hears whether it takes longer than it should. */
export interface Course {
  /** So many measurements were left out, to end in time. */
  skipped(steps: number): void;
  isLate(): boolean;
}

const inNoHurry: Course = { skipped: () => undefined, isLate: () => false };

/** Measures one setting once. */
export type Measure = (settings: Settings, connections: number) => Promise<Measured>;

export interface Findings {
  readonly trials: readonly Trial[];
  readonly best: Settings;
  readonly worst: Settings;
  /** Best and worst measured again, in turns, after everything else. */
  readonly repeated: { readonly best: readonly Measured[]; readonly worst: readonly Measured[] };
}

/** What two measurements of the same may differ by: the noise of a machine that is in use otherwise too. */
export const noise = 0.1;

/** While queues are compared nothing else may refuse; while they are not, the queue refuses nobody. */
const amplyQueue = 500;

/** How many measurements a plan makes; for the progress bar. */
export const stepsOf = ({ processes, threads, queues, rounds }: Plan): number =>
  rounds * (processes.length * threads.length + queues.length) + 2 * rounds;

/** How often a plan starts a server: where the number of processes is another one than before. */
export const startsOf = ({ processes, rounds }: Plan): number =>
  processes.length < 2 ? 1 : rounds * processes.length + 1 + 2 * rounds;

/** Each of the rounds; the first in any case, the others only in time. @param steps measurements of one */
async function inRounds(rounds: number, steps: number, course: Course, round: () => Promise<void>): Promise<void> {
  for (let number = 0; number < rounds; number++) {
    if (number > 0 && course.isLate()) course.skipped(steps);
    else await round();
  }
}

/**
 * All processes with all threads first, then the queue limits of the best of them under more load than it can take.
 * Best is what answers most requests in time; of queue limits that differ in that by no more than noise, the one that
 * refuses fewest.
 */
export async function sweep(plan: Plan, measure: Measure, course = inNoHurry): Promise<Findings> {
  const { usual, overload } = plan.connections;
  const trials: Trial[] = [];
  const ranking = async (candidates: readonly Settings[], connections: number): Promise<Trial[]> => {
    await inRounds(plan.rounds, candidates.length, course, async () => {
      for (const settings of candidates) {
        trials.push({ settings, connections, measured: await measure(settings, connections) });
      }
    });
    const middles = summarise(trials.filter((trial) => trial.connections === connections));
    return middles.sort((a, b) => b.measured.inTimePerSecond - a.measured.inTimePerSecond);
  };

  const pairs = plan.processes.flatMap((processes) =>
    plan.threads.map((threads) => ({ processes, threads, queue: amplyQueue })),
  );
  const ranked = await ranking(pairs, usual);
  const [bestPair, worst] = [ranked[0]?.settings, ranked.at(-1)?.settings];
  if (bestPair === undefined || worst === undefined) throw new Error('nothing to sweep');
  const queues = plan.queues.map((queue) => ({ ...bestPair, queue }));
  const best = mostWelcoming(await ranking(queues, overload))?.settings ?? bestPair;

  const repeated = { best: [] as Measured[], worst: [] as Measured[] };
  await inRounds(plan.rounds, 2, course, async () => {
    repeated.best.push(await measure(best, usual));
    repeated.worst.push(await measure(worst, usual));
  });
  return { trials, best, worst, repeated };
}

/** Of those about as good as the first one, what refuses fewest. @param ranked best first */
function mostWelcoming(ranked: readonly Trial[]): Trial | undefined {
  const enough = (ranked[0]?.measured.inTimePerSecond ?? 0) * (1 - noise);
  const [fewest] = ranked
    .filter(({ measured }) => measured.inTimePerSecond >= enough)
    .sort((a, b) => a.measured.refusedPerSecond - b.measured.refusedPerSecond);
  return fewest;
}

export const sameSettings = (a: Settings, b: Settings): boolean =>
  a.processes === b.processes && a.threads === b.threads && a.queue === b.queue;

/** One row per setting and load, with the median of each measurement. */
export function summarise(trials: readonly Trial[]): Trial[] {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) {
    const key = JSON.stringify([trial.settings, trial.connections]);
    groups.set(key, [...(groups.get(key) ?? []), trial]);
  }
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    measured: together(group.map(({ measured }) => measured)),
  }));
}
