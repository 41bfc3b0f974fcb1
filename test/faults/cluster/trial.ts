import { setTimeout as sleep } from 'node:timers/promises';
import { recordedIn } from '../../bench/soak/ledger.js';
import { openDatabase } from '../../../src/storage/database.js';
import { idFromBytes } from '../../../src/storage/ids.js';
import { until, type Cluster } from './cluster.js';
import type { ClusterFault } from './faults.js';
import { startLoad, type LoadOptions } from './load.js';
import type { DatabaseNode } from './node.js';

/** What one fault did. All counts are of the whole run so far, so that a later fault cannot undo what an earlier left. */
export interface Outcome {
  readonly cluster: string;
  readonly fault: string;
  readonly acknowledged: { readonly executions: number; readonly deployments: number; readonly messages: number };
  /** From the fault to the last failed request of the time until it was mended. */
  readonly backMs: number;
  /** From the beginning of its mending until all nodes were members again, and had been so for 4 s. */
  readonly wholeMs: number;
  /** Requests that failed by what they were answered, before and after the mending began. */
  readonly failed: Readonly<Record<string, number>>;
  readonly failedAfter: Readonly<Record<string, number>>;
  readonly lost: number;
  readonly twice: number;
  readonly misrouted: number;
  readonly resent: number;
  readonly findings: readonly string[];
}

const beforeMs = 4000;
/** A fault that shows late (a disk that is full only for the next piece of a log) must have shown by then. */
const leastMs = 14_000;
const quietMs = 4000;
const afterMs = 3000;
const longestMs = 60_000;
const targetMs = 15_000;

export const explained = [
  '503 dependency_unavailable',
  '503 overloaded',
  '503 temporarily_unavailable',
  // Of a machine that is busy.
  '504 engine_timeout',
];

export async function tryFault(cluster: Cluster, fault: ClusterFault, options: LoadOptions): Promise<Outcome> {
  const { told, weather, tally } = options;
  const load = startLoad(options);
  await sleep(beforeMs);
  const begun = performance.now();
  const clear = weather.begin(explained);
  const firstFailure = told.failures.length;
  const mend = await fault.begin(cluster);
  const last = (): number => told.failures.slice(firstFailure).at(-1)?.answeredMs ?? begun;
  const isBack = (): boolean => {
    const now = performance.now();
    return now - begun > leastMs && now - last() > quietMs && now - told.lastGoodMs < quietMs / 2;
  };
  while (!isBack() && performance.now() - begun < longestMs) await sleep(100);
  const backMs = last() - begun;
  const mended = performance.now();
  const failuresBefore = told.failures.length;
  const expected = await mend();
  await cluster.settled(expected);
  const wholeMs = performance.now() - mended;
  const written = await cluster.writtenTo(afterMs);
  clear();
  await load.stop();
  const labels = told.failures.map(({ label }) => label);
  const judged = await judge(cluster, options);
  const failed = countOf(labels.slice(firstFailure, failuresBefore));
  const failedAfter = countOf(labels.slice(failuresBefore));
  const texts = tally.findings.map(({ text, times }) => `${text} (${times})`);
  const late = backMs > targetMs ? [`served again only after ${Math.round(backMs)} ms`] : [];
  const names = written.map(({ name }) => name).join(', ');
  const scattered = written.length === 1 ? [] : [`written to was not one node, but: ${names}`];
  const { differences, ...counts } = judged;
  return {
    cluster: cluster.kind,
    fault: fault.name,
    backMs,
    wholeMs,
    failed,
    failedAfter,
    ...counts,
    findings: [...texts, ...differences, ...scattered, ...late],
  };
}

const countOf = (labels: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
};

type Judged = Pick<Outcome, 'acknowledged' | 'lost' | 'twice' | 'misrouted' | 'resent'> & {
  readonly differences: readonly string[];
};

/** Holds what clients were told against each node that is a member, by itself. */
async function judge(cluster: Cluster, { world, told, messages, tally }: LoadOptions): Promise<Judged> {
  for (const end = performance.now() + longestMs; messages.waiting > 0 && performance.now() < end;) await sleep(200);
  const members = await cluster.members();
  await until('all nodes have the same rows', async () => new Set(await Promise.all(members.map(digestOf))).size === 1);
  const sent = messages.judge();
  const differences: string[] = [];
  let { lost, twice } = sent;
  for (const node of members) {
    const database = openDatabase(node.url('verdict', 'verdict'), { poolSize: 2, acquireTimeoutMs: 5000 });
    try {
      const audit = await world.ledger.audit(
        recordedIn(database, [world.scene.workspaceId, world.hostile.scene.workspaceId]),
        () => undefined,
      );
      lost += audit.lost;
      twice += audit.duplicated;
      for (const name of ['different', 'unasked'] as const)
        if (audit[name] > 0) differences.push(`${audit[name]} executions at ${node.name} are ${name}`);
      const rows = await database<{ readonly id: Buffer }>('deployments').select('id');
      const ids = new Set(rows.map(({ id }) => idFromBytes(id)));
      for (const [id, state] of told.deployments) {
        if (state === 'there' && !ids.has(id)) lost++;
        if (state === 'gone' && ids.has(id)) differences.push(`a removed deployment is at ${node.name}`);
      }
    } finally {
      await database.destroy();
    }
  }
  const misrouted = tally.findings.find(({ text }) => text.includes('older than promised'))?.times ?? 0;
  return {
    acknowledged: {
      executions: world.ledger.acknowledged,
      deployments: told.deployments.size,
      messages: sent.acknowledged,
    },
    lost,
    twice,
    misrouted,
    resent: sent.resent,
    differences,
  };
}

/** Of all rows that an answer told of. */
const digestOf = (node: DatabaseNode): Promise<string> =>
  node
    .query(async (connection) => {
      const tables = ['executions', 'deployments', 'routings', 'idempotency_keys', 'inquiries'];
      const [rows] = await connection.query(`CHECKSUM TABLE ${tables.map((table) => `verdict.${table}`).join(', ')}`);
      return JSON.stringify(rows);
    })
    .catch(() => node.name);
