import { expect } from 'chai';
import { createModelWork, type ModelTask, type ModelWork } from '../../../../workers/models/index.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { runTests, type TestedProgram } from '../../../../src/decisions/programs/testReport.js';
import { Problem } from '../../../../src/errors.js';
import { ByteBudget } from '../../../../src/admission/byteBudget.js';
import { deciding } from '../../../support/models.js';

const rows = 500;
const count = 3000;
const model = {
  ...deciding(Array.from({ length: rows }, (_, n) => ({ _id: `r${n}`, age: String(n), fee: String(n) }))),
  tests: Array.from({ length: count }, (_, n) => ({ input: { age: n % rows }, output: { fee: n % rows } })),
};
/** Made ready in no time, so that a first piece ends long before its last test. */
const quickest = {
  ...deciding([{ _id: 'r0', age: '0', fee: '0' }]),
  tests: Array.from({ length: 9000 }, () => ({ input: { age: 0 }, output: { fee: 0 } })),
};
const program = (content: object): TestedProgram => ({
  programId: 'p',
  workspaceId: 'w',
  bundle: JSON.stringify({
    manifest: { entries: [{ content: 'c', links: {} }] },
    contents: { c: JSON.stringify(content) },
  }),
});

/** Counts the pieces that begin. */
function counting(): { readonly work: ModelWork; readonly pieces: () => number } {
  const inner = createModelWork(defaultRunLimits);
  let pieces = 0;
  return {
    pieces: () => pieces,
    work: {
      work<K extends ModelTask['kind']>(workspaceId: string, task: Extract<ModelTask, { kind: K }>) {
        pieces++;
        return inner.work<K>(workspaceId, task);
      },
    },
  };
}

describe('the tests of a model', () => {
  const codeOf = (error: unknown): unknown => (error instanceof Problem ? error.code : error);
  const budget = new ByteBudget(64 * 1024 * 1024);
  const caller = (gone = (): boolean => false) => ({ gone, reservation: budget.reserve('w', 0) });

  it('are added up over pieces, each place once, and charged for what is kept', async () => {
    const { work, pieces } = counting();
    const { reservation, gone } = caller();
    const { tests, passed, failed, coverage } = await runTests(work, program(model), { gone, reservation });
    expect([tests.length, passed, failed]).to.deep.equal([count, count, 0]);
    const { nodes, rules } = JSON.parse(coverage) as { nodes: { hits: number }[]; rules: { hits: number }[] };
    expect(nodes.map(({ hits }) => hits)).to.deep.equal([count, count, count]);
    expect(rules.map(({ hits }) => hits)).to.deep.equal(Array<number>(rows).fill(count / rows));
    expect(pieces()).to.be.above(1);
    const kept = tests.reduce((sum, { length }) => sum + 2 * length, 2 * coverage.length);
    const sums = 4 * (nodes.length + rules.length);
    expect(reservation.bytes).to.equal(kept + sums);
    reservation.release();
    expect(budget.status().bytesInFlight).to.equal(0);
  });

  it('end with their caller: no further piece begins', async () => {
    const { work, pieces } = counting();
    const error = await runTests(
      work,
      program(quickest),
      caller(() => pieces() === 1),
    ).catch((reason: unknown) => reason);
    expect([codeOf(error), pieces()]).to.deep.equal(['overloaded', 1]);
  });

  it('are refused beyond their number, their time and the length of their report', async () => {
    const limits = { tests: quickest.tests.length, ms: Infinity, length: Infinity };
    const codes = [];
    for (const fewer of [{ tests: limits.tests - 1 }, { ms: 1 }, { length: 1000 }]) {
      const { work, pieces } = counting();
      const error = await runTests(work, program(quickest), caller(), { ...limits, ...fewer }).catch((e: unknown) => e);
      codes.push([codeOf(error), pieces()]);
    }
    expect(codes).to.deep.equal([
      ['model_too_large', 1],
      ['engine_timeout', 1],
      ['model_too_large', 1],
    ]);
  });

  it('stop where the workspace may not hold their report', async () => {
    const { work, pieces } = counting();
    const { gone } = caller();
    const reservation = new ByteBudget(64 * 1024).reserve('w', 0);
    const error = await runTests(work, program(quickest), { gone, reservation }).catch((reason: unknown) => reason);
    expect(codeOf(error)).to.equal('overloaded');
    const whole = counting();
    await runTests(whole.work, program(quickest), caller());
    expect(pieces()).to.be.below(whole.pieces());
  });
});
