import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { bootPool, closePools, give } from '../../../support/pools.js';
import { chain, expressions, script, taskOf } from '../../../support/tasks.js';
import { eventually } from '../../../support/eventually.js';
import { runOnThread } from '../../../../src/runs/runOnThread.js';
import type { Pool } from '../../../../src/admission/pool/pool.js';

/** Threads of this process at the lowest priority (proc(5): the 19th field of stat is the nice value). */
function lowThreads(): number {
  const nices = readdirSync('/proc/self/task').map((id) => {
    try {
      return Number(readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')[1]?.split(' ')[16]);
    } catch {
      // It has ended meanwhile.
      return 0;
    }
  });
  return nices.filter((nice) => nice === 19).length;
}

const worker = new URL('../../../../workers/thread/run.js', import.meta.url);
const { bundle = '', timeoutMs: _, ...request } = taskOf(chain(expressions({ a: '1' })));
const quick = (pool: Pool, workspace: string): Promise<unknown> =>
  runOnThread(pool, { ...request, workspaceId: workspace }, () => Promise.resolve({ bundle }));
const slow = taskOf(
  chain(
    script('export const handler = async () => { const t = Date.now(); while (Date.now() - t < 1000); return {}; }'),
  ),
);

describe('the priority of threads', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(closePools);

  it('is low for the runs of a slow workspace, on threads that have no others and end with its debt', async () => {
    const pool = await bootPool({ worker, poolMinThreads: 2, poolMaxThreads: 2, overflowMs: 50, runTimeoutMs: 60_000 });
    // Threads of tests before this one may still be ending.
    await eventually(() => lowThreads() === 0);
    const before = 0;
    const { bundle: slowBundle = '', timeoutMs: __, ...slowRequest } = slow;
    const provide = () => Promise.resolve({ bundle: slowBundle });
    let rounds = 0;
    const answers: unknown[] = [];
    while (lowThreads() === before) {
      if (++rounds > 20) expect.fail(`no run was slow: ${JSON.stringify({ ...pool.status(), answers })}`);
      // The second one meets the debt of the first.
      answers.push(await runOnThread(pool, { ...slowRequest, workspaceId: 'slow' }, provide));
      await quick(pool, 'slow');
    }
    expect(lowThreads()).to.equal(before + 1);
    for (let run = 0; run < 20; run++) await quick(pool, 'other');
    expect(pool.status().threads).to.be.within(2, 3);
    await eventually(() => lowThreads() === before);
    await eventually(() => pool.status().threads === 2 && pool.status().idle === 2);
    expect(pool.status()).to.include({ restarts: 0 });
  });

  it('does not keep a workspace waiting that is no longer slow', async () => {
    const pool = await bootPool({ overflowMs: 50 });
    await give(pool, { do: 'exit' });
    await give(pool, { do: 'answer' });
    expect(pool.status().restarts).to.be.within(1, 2);
  });
});
