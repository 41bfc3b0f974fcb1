import type { Knex } from 'knex';
import { ByteBudget } from '../../src/admission/byteBudget.js';
import { Measures } from '../../src/measures/measures.js';
import type { LiveExecution } from '../../src/runs/liveExecution.js';
import { newId } from '../../src/storage/ids.js';
import { testContext } from '../support/deployed.js';

/**
 * What counting costs an execution, in nanoseconds: pairs of the same loop with and without it, in turns, on 200 deployments.
 * Each execution has strings of its own, as requests have.
 */
const rounds = Number(process.env['ROUNDS'] ?? 31);
const perRound = 100_000;
/** Few enough to be in the processor's caches, where an execution's own texts are when it is counted. */
const prepared = 1000;
const deployments = 200;

const small = (n: number): string =>
  `{"decision":"${n % 3 === 0 ? 'refused' : 'granted'}","rate":${3 + (n % 50) / 10}}`;
const large = (n: number): string => {
  const filled = Array.from({ length: 12 }, (_, at) => `"field${at}":{"text":"${'x'.repeat(60)}","n":${at}}`).join();
  return `{${filled},"decision":"${n % 3 === 0 ? 'refused' : 'granted'}"}`;
};

/** @param fresh a part of each result that no other has */
function runsOf(resultOf: (n: number) => string, fresh: boolean): LiveExecution[] {
  const places = Array.from({ length: deployments }, () => [newId(), newId(), newId()] as const);
  const workspaceId = newId();
  const copied = (text: string): string => Buffer.from(text).toString();
  return Array.from({ length: fresh ? perRound : prepared }, (_, n) => {
    const [environmentId = '', decisionId = '', deploymentId = ''] = places[n % deployments] ?? [];
    const result = fresh ? `{"decision":"a text ${n} of its own"}` : resultOf(n);
    // Written out, as records are: objects made by a spread have hidden classes of their own, and are slow to read.
    return {
      id: newId(),
      reference: null,
      workspaceId,
      environmentId: copied(environmentId),
      decisionId: copied(decisionId),
      deploymentId,
      version: 1,
      status: n % 100 === 0 ? 'FAILED' : 'COMPLETED',
      fact: '{}',
      result: copied(result),
      engineUs: 10 + (n % 300),
      createdAt: new Date(),
      context: testContext,
    };
  });
}

/** A database that knows which fields are measured, and nothing else. */
const knowing = (pointers: readonly string[]): Knex => {
  const rows = (places: readonly (readonly [Buffer, Buffer])[]): object[] =>
    places.map(([workspace_id, decision_id]) => ({ workspace_id, decision_id, pointers: JSON.stringify(pointers) }));
  const database = () => ({
    select: () => ({
      whereIn: (_: unknown, places: readonly (readonly [Buffer, Buffer])[]) => Promise.resolve(rows(places)),
    }),
  });
  return database as unknown as Knex;
};

/** Of processor time for each execution since then: the machine may be busy. */
function nanoseconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / perRound;
}

async function measured(runs: readonly LiveExecution[], pointers: readonly string[]): Promise<number> {
  const measures = new Measures({
    database: knowing(pointers),
    budget: new ByteBudget(1024 * 1024 * 1024),
    log: { warn: (line: unknown) => process.stderr.write(`${String(line)}\n`) },
    pollMs: 1_000_000,
  });
  for (const run of runs.slice(0, deployments)) measures.offer(run);
  await new Promise((resolve) => setTimeout(resolve, 50));
  let sum = 0;
  const without = (): number => {
    const start = process.cpuUsage();
    for (let n = 0; n < perRound; n++) sum += runs[n % runs.length]?.engineUs ?? 0;
    return nanoseconds(start);
  };
  const within = (): number => {
    const start = process.cpuUsage();
    for (let n = 0; n < perRound; n++) {
      const run = runs[n % runs.length];
      if (run === undefined) continue;
      sum += run.engineUs;
      measures.offer(run);
    }
    return nanoseconds(start);
  };
  const pairs = Array.from({ length: rounds }, (_, round) => {
    const first = round % 2 === 0 ? within() : without();
    const second = round % 2 === 0 ? without() : within();
    return round % 2 === 0 ? first - second : second - first;
  });
  if (sum === 0) throw new Error('nothing was run');
  return pairs.sort((a, b) => a - b)[Math.floor(pairs.length / 2)] ?? 0;
}

const cases: readonly (readonly [what: string, runs: () => LiveExecution[], pointers: readonly string[]])[] = [
  ['count, failures and engine time', () => runsOf(small, false), []],
  ['and one field of a small result', () => runsOf(small, false), ['/decision']],
  ['and two fields, one of them a number', () => runsOf(small, false), ['/decision', '/rate']],
  ['and the last field of a result of 1.2 KB', () => runsOf(large, false), ['/decision']],
  ['and a field that has another text in each result', () => runsOf(small, true), ['/decision']],
];
for (const [what, runs, pointers] of cases) {
  const ns = await measured(runs(), pointers);
  process.stdout.write(`${what.padEnd(52)} ${ns.toFixed(0).padStart(6)} ns\n`);
}
