import { setTimeout as sleep } from 'node:timers/promises';
import Table from 'cli-table3';
import { startStopwatch } from '../../support/stopwatch.js';
import { faultSeconds } from '../table.js';
import { makeOperations } from './operations.js';
import type { Operation, Stage } from './stage.js';

/** All attempts of one operation around one fault. */
export interface Pair {
  readonly operation: Operation;
  readonly endings: ReadonlyMap<string, number>;
  readonly slowestMs: number;
}

const pauseMs = faultSeconds > 0 ? 60 : 300;
const recoveryMs = 10_000;

/** All operations at once, each again and again until told to stop, and then until it has succeeded once more. */
export async function startOperations(stage: Stage): Promise<{ stop(): Promise<readonly Pair[]> }> {
  const operations = await makeOperations(stage);
  const pairs = operations.map((operation) => ({ operation, endings: new Map<string, number>(), slowestMs: 0 }));
  let going = true;
  const once = async (pair: (typeof pairs)[number]): Promise<string> => {
    const watch = startStopwatch();
    const end = await pair.operation.attempt();
    pair.slowestMs = Math.max(pair.slowestMs, watch.stop());
    pair.endings.set(end, (pair.endings.get(end) ?? 0) + 1);
    return end;
  };
  const running = pairs.map(async (pair) => {
    while (going) {
      await once(pair);
      await sleep(pauseMs);
    }
    const until = performance.now() + recoveryMs;
    while ((await once(pair)) !== 'done' && performance.now() < until) await sleep(pauseMs);
  });
  return {
    async stop() {
      going = false;
      await Promise.all(running);
      return pairs;
    },
  };
}

const table = new Table({
  head: ['fault', 'operation', 'what clients saw', 'slowest ms', 'verdict'],
  style: { head: [], border: [] },
});

/** Keeps a pair for the table that `make faults` prints. */
export function tabulatePair(fault: string, { operation, endings, slowestMs }: Pair, wrong: readonly string[]): void {
  const seen = [...endings].map(([end, count]) => `${end} ${count}`);
  table.push([fault, operation.name, seen.join('\n'), Math.round(slowestMs), wrong.join('\n') || 'ok']);
}

after(() => {
  if (faultSeconds > 0) process.stdout.write(`${table.toString()}\n`);
});
