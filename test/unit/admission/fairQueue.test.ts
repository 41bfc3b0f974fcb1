import { expect } from 'chai';
import fc from 'fast-check';
import { FairQueue } from '../../../src/admission/fairQueue.js';
import type { Owner } from '../../../src/admission/owners.js';

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.take(turnOf(1))[0]; item !== undefined; item = queue.take(turnOf(1))[0]) items.push(item);
  return items;
}

/** Whose the work is: of a tenant of that name, or of a workspace of the only tenant. */
type Naming = (name: string) => Owner;
const namings: Readonly<Record<string, Naming>> = {
  tenants: (name) => ({ tenantId: name, workspaceId: name }),
  'workspaces of one tenant': (name) => ({ tenantId: 'one', workspaceId: name }),
};

function queueIn(of: Naming, ...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>(1000);
  for (const item of items) queue.push(of(item.charAt(0)), item);
  return queue;
}
const never = (): boolean => false;
const always = (): boolean => true;

const turnOf = (most: number, alone: (item: string) => boolean = never, may: (item: string) => boolean = always) => ({
  most: () => most,
  alone,
  may,
});

for (const [form, of] of Object.entries(namings)) {
  describe(`FairQueue, by ${form}`, () => {
    const queueOf = (...items: string[]): FairQueue<string> => queueIn(of, ...items);

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
      queue.charge(of('greedy'), 900);
      for (let n = 0; n < 3000; n++) queue.charge(of(`newcomer ${n}`), 1);
      queue.push(of('greedy'), 'greedy');
      queue.push(of('late'), 'late');
      expect(drained(queue)).to.deep.equal(['late', 'greedy']);
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
      for (let run = 0; run < 3; run++) queue.push(of('a'), `a${run}`);
      for (let run = 0; run < 30; run++) queue.push(of('b'), 'b');
      expect(
        drained(queue)
          .map((item, at) => (item === 'b' ? '' : at))
          .join(''),
      ).to.equal('01122');
    });

    it('counts what work took beyond what was expected of it, as soon as that is known', () => {
      const queue = queueOf('a1', 'a2', 'b1', 'b2', 'b3', 'c1');
      expect(queue.take(turnOf(1))).to.deep.equal(['a1']);
      queue.charge(of('a'), 5);
      expect(queue.take(turnOf(1))).to.deep.equal(['b1']);
      queue.charge(of('b'), 2);
      expect(queue.take(turnOf(1))).to.deep.equal(['c1']);
      queue.charge(of('c'), 1);
      expect(drained(queue)).to.deep.equal(['b2', 'b3', 'a2']);
    });

    it('remembers what a workspace has just had, but nobody saves up time', () => {
      const queue = new FairQueue<string>(1000);
      const serve = (): string[] => {
        const [item = ''] = queue.take(turnOf(1));
        queue.charge(of(item.charAt(0)), 10);
        return [item];
      };
      for (const item of ['a1', 'a2', 'a3']) queue.push(of('a'), item);
      expect([...serve(), ...serve(), ...serve()]).to.deep.equal(['a1', 'a2', 'a3']);
      // It was away while the other had thirty milliseconds, and has no right to as many at once.
      for (const item of ['a4', 'b1', 'b2', 'b3', 'a5']) queue.push(of(item.charAt(0)), item);
      expect([1, 2, 3, 4, 5].flatMap(serve)).to.deep.equal(['b1', 'a4', 'b2', 'a5', 'b3']);
    });

    it('forgets what a workspace had beyond a limit', () => {
      const queue = new FairQueue<string>(20, () => 10);
      queue.charge(of('a'), 1_000_000);
      queue.push(of('a'), 'a');
      for (let run = 0; run < 5; run++) queue.push(of('b'), `b${run}`);
      expect(drained(queue)).to.deep.equal(['b0', 'b1', 'a', 'b2', 'b3', 'b4']);
    });

    it('serves one that was passed over for long once, and then as the others', () => {
      const queue = new FairQueue<string>(1000, () => 10);
      const only = (workspace: string) => turnOf(1, never, (item) => item.startsWith(workspace));
      for (let run = 0; run < 8; run++)
        for (const workspace of ['a', 'b']) queue.push(of(workspace), `${workspace}${run}`);
      for (let run = 0; run < 5; run++) queue.take(only('b'));
      expect([1, 2, 3, 4, 5].flatMap(() => queue.take(turnOf(1)))).to.deep.equal(['a0', 'b5', 'a1', 'b6', 'a2']);
    });

    it('knows what the work of a workspace weighs', () => {
      const queue = new FairQueue<string>(1000, (item) => Number(item.slice(1)));
      for (const item of ['a2', 'a3', 'a4']) queue.push(of('a'), item);
      queue.take(turnOf(1));
      expect([queue.weightOf(of('a')), queue.weightOf(of('b'))]).to.deep.equal([7, 0]);
    });

    it('knows an upper bound of what comes before new work', () => {
      const queue = queueOf('a1', 'a2', 'a3', 'a4', 'a5', 'b1');
      expect(queue.ahead(of('new'), 1)).to.equal(2);
      expect(queue.ahead(of('b'), 1)).to.equal(3);
      expect(queue.ahead(of('a'), 1)).to.equal(6);
    });

    it('takes out what matches, wherever it stands', () => {
      const queue = queueOf('a1', 'b1', 'a2', 'a3', 'b2');
      expect(queue.extract((item) => item === 'a2' || item.startsWith('b'))).to.have.members(['a2', 'b1', 'b2']);
      expect([queue.size, queue.sizeOf(of('b'))]).to.deep.equal([2, 0]);
      queue.push(of('b'), 'b3');
      expect(drained(queue)).to.deep.equal(['a1', 'b3', 'a3']);
    });

    it('agrees with a plain model on any sequence of operations', () => {
      const operation = fc.oneof(
        fc.record({ kind: fc.constant('push' as const), workspace: fc.constantFrom('a', 'b', 'c', 'd') }),
        fc.record({ kind: fc.constant('shift' as const), workspace: fc.constant('') }),
        fc.record({ kind: fc.constant('extract' as const), workspace: fc.constantFrom('a', 'b', 'c', 'd') }),
      );
      fc.assert(fc.property(fc.array(operation, { maxLength: 80 }), (operations) => agrees(of, operations)));
    });
  });
}

describe('FairQueue, by tenants and their workspaces', () => {
  const place = (name: string): Owner => ({ tenantId: name.charAt(0), workspaceId: name.slice(0, 2) });
  const placed = (...items: string[]): FairQueue<string> => {
    const queue = new FairQueue<string>(1000);
    for (const item of items) queue.push(place(item), item);
    return queue;
  };

  it('gives each tenant its turn, however many workspaces another has, and each of these its turn within', () => {
    const queue = placed('a1x', 'a1y', 'a2x', 'a3x', 'a3y', 'b1x', 'b1y', 'b2x');
    expect(drained(queue).join(' ')).to.equal('a1x b1x a2x b2x a3x b1y a1y a3y');
  });

  it('counts what a workspace has used as used by its tenant', () => {
    const queue = placed('a1x', 'a2x', 'b1x', 'b2x', 'c1x');
    queue.charge(place('a1'), 10);
    expect(drained(queue).join(' ')).to.equal('b1x c1x b2x a2x a1x');
  });

  it('does not have new work wait for the workspaces of another tenant, but for its turn', () => {
    const queue = new FairQueue<string>(1000);
    for (let workspace = 10; workspace < 70; workspace++)
      for (let item = 0; item < 10; item++) queue.push({ tenantId: 'a', workspaceId: `${workspace}` }, 'a');
    expect(queue.ahead({ tenantId: 'b', workspaceId: 'b' }, 1)).to.equal(1);
    expect(queue.ahead({ tenantId: 'a', workspaceId: 'new' }, 1)).to.equal(60);
    expect(queue.ahead({ tenantId: 'a', workspaceId: '10' }, 1)).to.equal(600);
  });

  it('pushes out the last of who has most, for who has less, and nothing for who has as much', () => {
    const queue = placed('a1x', 'a2x', 'a2y', 'a3x', 'b1x', 'b1y');
    expect(queue.pushOut(place('c1')), 'another tenant').to.equal('a2y');
    expect(queue.pushOut(place('b1')), 'as many').to.equal(undefined);
    expect(queue.pushOut(place('a1')), 'as many in the tenant').to.equal(undefined);
    queue.push(place('a3'), 'a3y');
    expect(queue.pushOut(place('a4')), 'another workspace').to.equal('a3y');
    expect(queue.size).to.equal(5);
    expect(drained(queue).join(' ')).to.equal('a1x b1x a2x b1y a3x');
  });
});

/** The model: workspaces in the order of their turns, each with its items. */
function agrees(of: Naming, operations: readonly { kind: 'push' | 'shift' | 'extract'; workspace: string }[]): void {
  const queue = new FairQueue<string>(1000);
  let model: { workspace: string; items: string[] }[] = [];
  operations.forEach(({ kind, workspace }, index) => {
    const item = `${workspace}${index}`;
    if (kind === 'push') {
      queue.push(of(workspace), item);
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
