import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Program, Value } from '../../../workers/engine/index.js';

/** Resident and used memory after so many runs, in megabytes. */
export interface Sample {
  readonly runs: number;
  readonly residentMb: number;
  readonly heapMb: number;
}

/** Runs one program a million times; a sample after every tenth. */
export function soak(program: Program, fact: Value, runs: number, advance: (runs: number) => void): Sample[] {
  const collect = collector();
  const samples: Sample[] = [];
  const part = runs / 10;
  for (let tenth = 1; tenth <= 10; tenth++) {
    for (let run = 0; run < part; run++) {
      void program.run(fact, { trace: false, now: Date.now(), random: Math.random, deadline: Infinity });
      if (run % 10_000 === 0) advance(Math.min(10_000, part));
    }
    collect();
    const { rss, heapUsed } = process.memoryUsage();
    samples.push({ runs: tenth * part, residentMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 });
  }
  return samples;
}

/** Collects what nothing holds any more. */
export function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
