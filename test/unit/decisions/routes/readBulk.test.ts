import { expect } from 'chai';
import { createModelWork, type ModelTask, type ModelWork } from '../../../../workers/models/index.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { isError, isUnknown } from '../../../../src/decisions/diagnostics.js';
import { readBulk } from '../../../../src/decisions/routes/readBulk.js';
import { ByteBudget } from '../../../../src/admission/byteBudget.js';
import { Problem } from '../../../../src/errors.js';
import { doubling } from '../../../support/models.js';

/** Refuses the first check, as a full pool does: that item is read after the others. */
function refusingOnce(work: ModelWork): ModelWork {
  let hasRefused = false;
  return {
    work<K extends ModelTask['kind']>(workspaceId: string, task: Extract<ModelTask, { kind: K }>) {
      if (task.kind !== 'check' || hasRefused) return work.work<K>(workspaceId, task);
      hasRefused = true;
      return Promise.reject(new Problem('overloaded', 'Too many runs are waiting.'));
    },
  };
}

/** Its checks pass a limit, as on a machine that is too busy for them. */
const stopping = (work: ModelWork): ModelWork => ({
  work<K extends ModelTask['kind']>(workspaceId: string, task: Extract<ModelTask, { kind: K }>) {
    if (task.kind !== 'check') return work.work<K>(workspaceId, task);
    const message = 'The run passed its time limit and was stopped.';
    const cost = { engineUs: 1, recordedFact: null, factRedacted: false };
    return Promise.resolve({ kind: 'stopped', reason: 'timeout', message, ...cost } as const);
  },
});

describe('a body of many models', () => {
  it('has nothing against a model whose check was stopped, and says that it is not known', async () => {
    const body = Buffer.from(JSON.stringify({ decisions: [{ key: 'a', content: doubling(2) }] }));
    const reservation = new ByteBudget(1024 * 1024).reserve('w', 0);
    const caller = { workspaceId: 'w', gone: () => false, reservation };
    const { candidates, unread } = await readBulk(stopping(createModelWork(defaultRunLimits)), caller, body);
    expect(candidates).to.deep.equal([]);
    expect(unread.map((each) => [isError(each), isUnknown(each)])).to.deep.equal([[false, true]]);
  });

  it('has the later of two items with one key at fault, also where the first was read after it', async () => {
    const item = { key: 'a', content: doubling(2) };
    const body = Buffer.from(JSON.stringify({ decisions: [item, item, { ...item, key: 'b' }, item] }));
    const work = refusingOnce(createModelWork(defaultRunLimits));
    const reservation = new ByteBudget(1024 * 1024).reserve('w', 0);
    const caller = { workspaceId: 'w', gone: () => false, reservation };
    const error = await readBulk(work, caller, body).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Problem);
    const { errors = [] } = (error as Problem).options;
    expect(errors.map(({ pointer, message }) => [pointer, message])).to.deep.equal([
      ['/decisions/3/key', 'is the key of item 1 too'],
      ['/decisions/1/key', 'is the key of item 0 too'],
    ]);
  });

  const callerWith = (bytes: number, gone = (): boolean => false) => {
    const reservation = new ByteBudget(bytes).reserve('w', 0);
    return { workspaceId: 'w', gone, reservation };
  };
  const work = createModelWork(defaultRunLimits);
  /** `1e20` becomes 21 digits, which do not fit where it came from. */
  const growing = (items: number): Uint8Array => {
    const numbers = Array<string>(10_000).fill('1e20').join();
    const item = (n: number): string => `{"key":"k${n}","content":{"nodes":[],"edges":[],"numbers":[${numbers}]}}`;
    return Buffer.from(`{"decisions":[${Array.from({ length: items }, (_, n) => item(n)).join()}]}`);
  };

  it('is charged for what is held of it besides the body, and stops where that is too much', async () => {
    const caller = callerWith(64 * 1024 * 1024);
    const { candidates } = await readBulk(work, caller, growing(3));
    const held = candidates.reduce((sum, { document }) => sum + document.text.length, 0);
    expect(held).to.be.above(600_000);
    expect(caller.reservation.bytes).to.be.above(held);
    const error = await readBulk(work, callerWith(4 * 1024 * 1024), growing(30)).catch((reason: unknown) => reason);
    expect((error as Problem).code).to.equal('overloaded');
  });

  it('is charged for all that its faults say: each has the id and the name of its node', async () => {
    const name = 'n'.repeat(20_000);
    const position = { x: 0, y: 0 };
    const rules = Array.from({ length: 50 }, (_, row) => ({ _id: `r${row}`, a: '(', b: '1' }));
    const columns = { inputs: [{ id: 'a', field: 'a' }], outputs: [{ id: 'b', field: 'b' }] };
    const table = { id: name, name, type: 'decisionTableNode', position, content: { ...columns, rules } };
    const input = { id: 'in', name: 'in', type: 'inputNode', position, content: {} };
    const edges = [{ id: 'e', type: 'edge', sourceId: 'in', targetId: name }];
    const caller = callerWith(64 * 1024 * 1024);
    const content = { nodes: [input, table], edges };
    const body = Buffer.from(JSON.stringify({ decisions: [{ key: 'a', content }] }));
    const { candidates } = await readBulk(work, caller, body);
    expect(JSON.stringify(candidates[0]?.check?.diagnostics).length).to.be.above(2_000_000);
    expect(caller.reservation.bytes).to.be.above(2_000_000);
  });

  it('is read no further once its caller has gone away', async () => {
    let pieces = 0;
    const counting: ModelWork = {
      work<K extends ModelTask['kind']>(workspaceId: string, task: Extract<ModelTask, { kind: K }>) {
        pieces++;
        return work.work<K>(workspaceId, task);
      },
    };
    const caller = callerWith(64 * 1024 * 1024, () => pieces >= 10);
    const error = await readBulk(counting, caller, growing(30)).catch((reason: unknown) => reason);
    expect([(error as Problem).code, pieces]).to.deep.equal(['overloaded', 10]);
  });
});
