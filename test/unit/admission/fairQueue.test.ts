import { expect } from 'chai';
import fc from 'fast-check';
import { FairQueue } from '../../../src/admission/fairQueue.js';

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.take(turnOf(1))[0]; item !== undefined; item = queue.take(turnOf(1))[0]) items.push(item);
  return items;
}

function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>(1000);
  for (const item of items) queue.push(item.charAt(0), item);
  return queue;
}

const never = (): boolean => false;
const always = (): boolean => true;

const turnOf = (most: number, alone: (item: string) => boolean = never, may: (item: string) => boolean = always) => ({
  most: () => most,
  alone,
  may,
});

describe('FairQueue', () => {
  it('does not let one that is passed over lose its turn to another such, whoever is served meanwhile', () => {
    const queue = queueOf('g1', 'g2', 'g3', 'h1', 'l1', 'l2', 'l3');
    const onlyLight = turnOf(1, never, (item) => item.startsWith('l'));
    const taken: string[] = [];
    for (let round = 0; round < 2; round++) taken.push(...queue.take(turnOf(1)), ...queue.take(onlyLight));
    expect(taken).to.deep.equal(['g1', 'l1', 'h1', 'l2']);
    expect(drained(queue)).to.deep.equal(['g2', 'l3', 'g3']);
  });

  it('forgets what was used least: no number of newcomers has it forget who used much', () => {
    const queue = new FairQueue<string>(1000);
    queue.charge('greedy', 900);
    for (let n = 0; n < 3000; n++) queue.charge(`newcomer ${n}`, 1);
    queue.push('greedy', 'greedy');
    queue.push('late', 'late');
    expect(drained(queue)).to.deep.equal(['late', 'greedy']);
  });

  it('is first in, first out within a workspace', () => {
    expect(drained(queueOf('a1', 'a2', 'a3'))).to.deep.equal(['a1', 'a2', 'a3']);
  });

  it('goes round the workspaces that have waiting work', () => {
    const order = drained(queueOf('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'));
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
  });

  it('lets a workspace that comes back wait for the end of the round', () => {
    const queue = queueOf('a1', 'b1', 'c1');
    expect(queue.take(turnOf(1))[0]).to.equal('a1');
    queue.push('a', 'a2');
    expect(drained(queue)).to.deep.equal(['b1', 'c1', 'a2']);
  });

  it('takes several of one workspace in a turn, but nothing with what is to be alone', () => {
    const queue = queueOf('a1', 'a2!', 'a3', 'a4', 'a5', 'b1!', 'b2');
    const turns = Array.from({ length: 7 }, () => queue.take(turnOf(2, (item) => item.endsWith('!'))).join(' '));
    expect(turns).to.deep.equal(['a1', 'b1!', 'a2!', 'b2', 'a3 a4', 'a5', '']);
  });

  it('passes over workspaces that may not, and keeps their place', () => {
    const queue = queueOf('a1', 'b1', 'a2', 'c1');
    const notA = turnOf(1, never, (item) => !item.startsWith('a'));
    expect([1, 2, 3].map(() => queue.take(notA).join())).to.deep.equal(['b1', 'c1', '']);
    expect(drained(queue)).to.deep.equal(['a1', 'a2']);
  });

  it('lets work overtake what may not be taken, of its own workspace too, and takes nothing with it that may not', () => {
    const queue = queueOf('a1!', 'a2!', 'a3', 'a4', 'a5!', 'a6');
    const quick = turnOf(4, never, (item) => !item.endsWith('!'));
    expect([1, 2, 3].map(() => queue.take(quick).join(' '))).to.deep.equal(['a3 a4', 'a6', '']);
    expect(drained(queue)).to.deep.equal(['a1!', 'a2!', 'a5!']);
  });

  it('gives a workspace whose work takes long fewer turns, as many as take the same time', () => {
    const queue = new FairQueue<string>(1000, (item) => (item.startsWith('a') ? 10 : 1));
    for (let run = 0; run < 3; run++) queue.push('a', `a${run}`);
    for (let run = 0; run < 30; run++) queue.push('b', 'b');
    expect(
      drained(queue)
        .map((item, at) => (item === 'b' ? '' : at))
        .join(''),
    ).to.equal('01122');
  });

  it('counts what work took beyond what was expected of it, as soon as that is known', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'b2', 'b3', 'c1');
    expect(queue.take(turnOf(1))).to.deep.equal(['a1']);
    queue.charge('a', 5);
    expect(queue.take(turnOf(1))).to.deep.equal(['b1']);
    queue.charge('b', 2);
    expect(queue.take(turnOf(1))).to.deep.equal(['c1']);
    queue.charge('c', 1);
    expect(drained(queue)).to.deep.equal(['b2', 'b3', 'a2']);
  });

  it('remembers what a workspace has just had, but nobody saves up time', () => {
    const queue = new FairQueue<string>(1000);
    const serve = (): string[] => {
      const [item = ''] = queue.take(turnOf(1));
      queue.charge(item.charAt(0), 10);
      return [item];
    };
    for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
    expect([...serve(), ...serve(), ...serve()]).to.deep.equal(['a1', 'a2', 'a3']);
    // It was away while the other had thirty milliseconds, and has no right to as many at once.
    for (const item of ['a4', 'b1', 'b2', 'b3', 'a5']) queue.push(item.charAt(0), item);
    expect([1, 2, 3, 4, 5].flatMap(serve)).to.deep.equal(['b1', 'a4', 'b2', 'a5', 'b3']);
  });

  it('forgets what a workspace had beyond a limit', () => {
    const queue = new FairQueue<string>(20, () => 10);
    queue.charge('a', 1_000_000);
    queue.push('a', 'a');
    for (let run = 0; run < 5; run++) queue.push('b', `b${run}`);
    expect(drained(queue)).to.deep.equal(['b0', 'b1', 'a', 'b2', 'b3', 'b4']);
  });

  it('serves one that was passed over for long once, and then as the others', () => {
    const queue = new FairQueue<string>(1000, () => 10);
    const only = (workspace: string) => turnOf(1, never, (item) => item.startsWith(workspace));
    for (let run = 0; run < 8; run++) for (const workspace of ['a', 'b']) queue.push(workspace, `${workspace}${run}`);
    for (let run = 0; run < 5; run++) queue.take(only('b'));
    expect([1, 2, 3, 4, 5].flatMap(() => queue.take(turnOf(1)))).to.deep.equal(['a0', 'b5', 'a1', 'b6', 'a2']);
  });

  it('knows what the work of a workspace weighs', () => {
    const queue = new FairQueue<string>(1000, (item) => Number(item.slice(1)));
    for (const item of ['a2', 'a3', 'a4']) queue.push('a', item);
    queue.take(turnOf(1));
    expect([queue.weightOf('a'), queue.weightOf('b')]).to.deep.equal([7, 0]);
  });

  it('knows an upper bound of what comes before new work', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4', 'a5', 'b1');
    expect(queue.ahead('new', 1)).to.equal(2);
    expect(queue.ahead('b', 1)).to.equal(3);
    expect(queue.ahead('a', 1)).to.equal(6);
  });

  it('takes out what matches, wherever it stands', () => {
    const queue = queueOf('a1', 'b1', 'a2', 'a3', 'b2');
    expect(queue.extract((item) => item === 'a2' || item.startsWith('b'))).to.have.members(['a2', 'b1', 'b2']);
    expect([queue.size, queue.sizeOf('b')]).to.deep.equal([2, 0]);
    queue.push('b', 'b3');
    expect(drained(queue)).to.deep.equal(['a1', 'b3', 'a3']);
  });

  it('agrees with a plain model on any sequence of operations', () => {
    const operation = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), workspace: fc.constantFrom('a', 'b', 'c', 'd') }),
      fc.record({ kind: fc.constant('shift' as const), workspace: fc.constant('') }),
      fc.record({ kind: fc.constant('extract' as const), workspace: fc.constantFrom('a', 'b', 'c', 'd') }),
    );
    fc.assert(fc.property(fc.array(operation, { maxLength: 80 }), (operations) => agrees(operations)));
  });
});

/** The model: workspaces in the order of their turns, each with its items. */
function agrees(operations: readonly { kind: 'push' | 'shift' | 'extract'; workspace: string }[]): void {
  const queue = new FairQueue<string>(1000);
  let model: { workspace: string; items: string[] }[] = [];
  operations.forEach(({ kind, workspace }, index) => {
    const item = `${workspace}${index}`;
    if (kind === 'push') {
      queue.push(workspace, item);
      const known = model.find((entry) => entry.workspace === workspace);
      if (known) known.items.push(item);
      else model.push({ workspace, items: [item] });
    } else if (kind === 'shift') {
      const [turn, ...rest] = model;
      expect(queue.take(turnOf(1))[0]).to.equal(turn?.items.shift());
      model = turn ? [...rest, turn] : [];
    } else {
      queue.extract((candidate) => candidate.startsWith(workspace));
      model = model.filter((entry) => entry.workspace !== workspace);
    }
    model = model.filter(({ items }) => items.length > 0);
    expect(queue.size).to.equal(model.reduce((sum, { items }) => sum + items.length, 0));
  });
}
