import { expect } from 'chai';
import type { Pool } from '../../../../src/admission/pool/pool.js';
import { runOnThread } from '../../../../src/runs/runOnThread.js';
import type { RunDone, RunStopped } from '../../../../workers/protocol.js';
import { bootPool, closePools } from '../../../support/pools.js';
import { chain, expressions, script, taskOf, type TaskParts } from '../../../support/tasks.js';

const worker = new URL('../../../../workers/thread/run.js', import.meta.url);

/** Runs a model as a request does: without bundle and configuration, which are fetched when they are missing. */
async function runIn(
  pool: Pool,
  model: object,
  parts: TaskParts & { workspace?: string } = {},
): Promise<RunDone | RunStopped> {
  const { bundle = '', configuration = '{}', timeoutMs: _, ...request } = taskOf(model, parts);
  const owned = { ...request, workspaceId: parts.workspace ?? 'w' };
  return runOnThread(pool, owned, () => Promise.resolve({ bundle, configuration }));
}

const double = chain(expressions({ doubled: 'n * 2' }));

describe('Pool: with the engine', () => {
  afterEach(closePools);

  it('runs models on all threads, each with its own fact', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, worker });
    const runs = Array.from({ length: 50 }, (_, n) => runIn(pool, double, { fact: { n }, workspace: `w${n % 3}` }));
    const results = (await Promise.all(runs)).map((reply) => reply.kind === 'done' && reply.result);
    expect(results).to.deep.equal(Array.from({ length: 50 }, (_, n) => `{"doubled":${n * 2}}`));
  });

  it('ends code that QuickJS itself cannot interrupt', async () => {
    const pool = await bootPool({ worker, runTimeoutMs: 300 });
    const stuck = script('export const handler = async () => [].reverse.call({ length: 2 ** 40 })');
    expect(await runIn(pool, chain(stuck))).to.include({ kind: 'stopped', reason: 'timeout' });
    pool.resize({ runTimeoutMs: 60_000 });
    expect(await runIn(pool, double, { fact: { n: 1 } })).to.include({ status: 'COMPLETED' });
    expect(pool.status()).to.include({ timedOut: 1 });
  });

  it('keeps its threads where code recurses deeper than their stacks', async () => {
    const pool = await bootPool({ worker, runTimeoutMs: 60_000 });
    for (const body of ['const f = () => 1 + f(); return f()', 'const f = () => [2, 1].sort(f); return f()']) {
      const reply = await runIn(pool, chain(script(`export const handler = async () => { ${body} }`)));
      expect(reply).to.have.property('result').that.includes('stack overflow');
    }
    expect(pool.status()).to.include({ restarts: 0, timedOut: 0 });
  });

  it('lets nothing of a run live on', async () => {
    const pool = await bootPool({ worker, runTimeoutMs: 60_000 });
    const floating = script(`export const handler = async () => {
      console.sleep(30).then(() => { throw new Error('late'); });
      Promise.reject(new Error('unhandled'));
      console.sleep(10).then(async () => { for (;;) await null; });
      return { ok: true };
    }`);
    for (let round = 0; round < 5; round++) {
      await runIn(pool, chain(floating));
      const next = chain(script('export const handler = async (input) => { await console.sleep(40); return input; }'));
      expect(await runIn(pool, next, { fact: { round } })).to.include({ result: `{"round":${round}}` });
    }
    expect(pool.status()).to.include({ restarts: 0, timedOut: 0 });
  });

  it('holds programs by what they take, not by their text, so that no thread dies of a hundred tables', async () => {
    const pool = await bootPool({ worker, runMaxHeapMb: 64, runTimeoutMs: 60_000 });
    const table = (seed: number) => ({
      type: 'decisionTableNode',
      content: {
        hitPolicy: 'first',
        inputs: [
          { id: 'a', name: 'a', field: 'a' },
          { id: 'b', name: 'b', field: 'b' },
        ],
        outputs: [{ id: 'o', name: 'o', field: 'o' }],
        rules: Array.from({ length: 300 }, (_, row) => ({
          _id: `r${row}`,
          a: `> ${row + seed}`,
          b: `"x${row}", "y${seed}"`,
          o: `a * ${row} + ${seed}`,
        })),
      },
    });
    for (let seed = 0; seed < 150; seed++) {
      const reply = await runIn(pool, chain(table(seed)), { fact: { a: 500, b: 'x3' } });
      expect(reply).to.include({ kind: 'done', result: `{"o":${1500 + seed}}` });
    }
    expect(pool.status()).to.include({ restarts: 0 });
  });

  it('survives a heap bomb of expressions', async () => {
    const pool = await bootPool({ worker, runMaxHeapMb: 48, runTimeoutMs: 15_000 });
    const bomb = chain(expressions({ x: 'map([1..900000], map([1..900000], { a: #, b: [#, #] }))' }));
    const reply = await runIn(pool, bomb);
    expect(reply).to.include({ kind: 'stopped', reason: 'memory' });
    expect(await runIn(pool, double, { fact: { n: 1 } })).to.include({ status: 'COMPLETED' });
  });
});
