import { expect } from 'chai';
import { ByteBudget } from '../../../../src/admission/byteBudget.js';
import type { ModelTask } from '../../../../workers/models/index.js';
import { eventually } from '../../../support/eventually.js';
import { bootPool, closePools } from '../../../support/pools.js';
import { chain, expressions, programOf } from '../../../support/tasks.js';

const worker = new URL('../../../../workers/thread/run.js', import.meta.url);
const mebibyte = 1024 * 1024;
const model = JSON.stringify(chain(expressions({ a: '1' })));
const bytes = new Uint8Array(0);
const program = { programId: 'p', bundle: '{}', workspaceId: 'w' };
const { bundle } = programOf(chain(expressions({ a: '1' })));

/** A task of each kind: none gets as far as a thread. */
const tasks: { readonly [K in ModelTask['kind']]: object } = {
  scan: { body: bytes, list: 'items' },
  body: { text: '{}', limits: { maxDepth: 1, maxValues: 1 }, shape: 'closed' },
  check: { text: model, isItem: false },
  test: { ...program, from: 0, hits: new Uint32Array(0) },
  schema: { bundle },
  find: { texts: [model], search: 'a' },
  fields: { texts: [model] },
  differences: { from: { version: 1, text: bytes }, to: { version: 2, text: bytes } },
  compare: program,
  analyse: { ...program, against: null, request: '{}', suggest: false, stop: null },
  narrate: { bundle: '{}', trace: '{}', languages: [] },
  changesInWords: { from: bytes, to: bytes },
  exportSheet: { text: model },
  importSheet: { text: model, bytes },
  convertSheet: { bytes },
  readFacts: { bytes },
  writeAnswers: { bytes, schemas: null, answers: [] },
};

describe('Pool: what threads answer', () => {
  afterEach(closePools);

  for (const [kind, task] of Object.entries(tasks)) {
    it(`is reserved before the work: ${kind}`, async () => {
      const budget = new ByteBudget(64 * mebibyte);
      const pool = await bootPool({ worker, budget });
      const hog = budget.reserve('w', 0);
      for (let step = mebibyte; step > 1; step /= 2) {
        try {
          for (;;) hog.grow(step);
        } catch {
          // As much as there is.
        }
      }
      const refused = await pool.work('w', { kind, ...task } as never).catch((error: unknown) => error);
      expect(refused).to.have.property('code', 'overloaded');
      expect(budget.status().bytesInFlight).to.equal(hog.bytes);
    });
  }

  it('is held while it is made, by its real size from the second time on, and given back', async () => {
    const budget = new ByteBudget(64 * mebibyte);
    const pool = await bootPool({ worker, budget });
    const text = JSON.stringify(chain(expressions({ a: `"${'x'.repeat(mebibyte)}"` })));
    const held: number[] = [];
    for (let time = 0; time < 2; time++) {
      const answer = pool.work('w', { kind: 'check', text: new TextEncoder().encode(text), isItem: false });
      held.push(budget.status().bytesInFlight);
      expect(await answer).to.not.have.property('reason');
      expect(budget.status().bytesInFlight).to.equal(0);
    }
    expect(held[0]).to.be.at.least(mebibyte);
    expect(held[1]).to.be.at.least(mebibyte);
  });

  it('in the background waits until there is room for it', async () => {
    const budget = new ByteBudget(64 * mebibyte);
    const pool = await bootPool({ worker, budget });
    const hog = budget.reserve('w', 0);
    hog.resize(40 * mebibyte);
    let done = false;
    const work = pool.background<'schema'>({ kind: 'schema', workspaceId: 'w', bundle }).then(() => (done = true));
    await pool.work('other', { kind: 'schema', bundle });
    expect(done).to.equal(false);
    hog.release();
    await work;
    await eventually(() => budget.status().bytesInFlight === 0);
  });
});
