import { expect } from 'chai';
import Type from 'typebox';
import { maxJsonValues } from '../../../src/http/body/jsonText.js';
import { createBodyFinder } from '../../../src/api/receive.js';
import { createFinder } from '../../../src/api/validate.js';
import { maxViolations } from '../../../workers/json/index.js';
import { UpdateInquiry } from '../../../src/inquiries/inquiries.schema.js';
import { ExecutionRequest } from '../../../src/runs/runs.schema.js';

const fields = (count: number, of: Record<string, unknown> = {}): Record<string, unknown> => {
  for (let at = 0; at < count; at++) of[`field ${at}`] = at;
  return of;
};
const empty = (count: number): object => ({ notifications: Array.from({ length: count }, () => ({})) });

describe('finding what is wrong with a request', () => {
  const inExecution = createFinder(ExecutionRequest, 'body');
  const inInquiry = createFinder(UpdateInquiry, 'body');

  it('finds all of a small body, in its order', () => {
    expect(inExecution({ a: 1, b: 2 }).map(({ pointer, message }) => `${pointer} ${message}`)).to.have.members([
      '/fact is required',
      '/a is not a known field',
      '/b is not a known field',
    ]);
    expect(inExecution({ fact: {} })).to.deep.equal([]);
  });

  it('tells the first fifty of many, wherever the known fields stand', () => {
    const unknown = inExecution({ ...fields(3000), fact: {} });
    expect(unknown.map(({ pointer }) => pointer)).to.deep.equal(
      Array.from({ length: maxViolations }, (_, at) => `/field ${at}`),
    );
    expect(inInquiry(empty(21)).map(({ message }) => message)).to.include('must have at most 20 items');
    expect(inInquiry(empty(3000)).map(({ message }) => message)).to.include('must have at most 20 items');
    expect(inInquiry(empty(3000))).to.have.length(maxViolations);
  });

  it('tells no more where some are such as no schema can say', () => {
    const fault = { in: 'body', pointer: '/a', message: 'is wrong' } as const;
    const find = createBodyFinder(
      { findBodyViolations: () => Array<typeof fault>(1000).fill(fault) },
      ExecutionRequest,
    );
    expect(find({ fact: {} })).to.deep.equal(Array(maxViolations).fill(fault));
    expect(find({ fact: 1 })).to.have.length(maxViolations);
    expect(find({ fact: {} }, true)).to.deep.equal(Array(maxViolations).fill(fault));
    expect(find({ fact: 1 }, true)).to.have.length(maxViolations);
  });

  it('says in words how many items and which types there may be', () => {
    const items = Type.Array(Type.Unsafe({ type: ['string', 'boolean'] }), { minItems: 1, uniqueItems: true });
    const find = createFinder(Type.Object({ items }), 'body');
    const messages = [[], [1], ['a', 'b', 'a']].flatMap((value) =>
      find({ items: value }).map(({ message }) => message),
    );
    expect(messages).to.deep.equal([
      'must have at least 1 item',
      'must be string or boolean',
      'must not have an item twice: those at 0 and 2 are the same',
    ]);
  });

  it('finds one that lies beyond what is looked at for all', () => {
    const notifications = Array.from({ length: 20 }, () => ({ type: 'SMS', to: '+358401234567', message: 'x' }));
    const last = { ...notifications[0], xxx: 1 };
    expect(inInquiry({ notifications: [...notifications.slice(1), last] })).to.deep.equal([
      { in: 'body', pointer: '/notifications/19/xxx', message: 'is not a known field' },
    ]);
  });

  it('tells the first alone of a large body', () => {
    expect(inExecution(fields(100_000), true)).to.have.length(1);
    expect(inInquiry(empty(100_000), true)).to.have.length(1);
  });

  it('takes hardly longer the more is wrong, beyond what is told', () => {
    const timeOf = (value: unknown, large: boolean, find = inInquiry): number => {
      const times = Array.from({ length: 9 }, () => {
        const before = process.cpuUsage();
        for (let time = 0; time < 20; time++) find(value, large);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 20;
      });
      return Math.min(...times);
    };
    expect(timeOf(empty(20_000), false)).to.be.below(10 * timeOf(empty(100), false));
    expect(timeOf(empty(maxJsonValues), true)).to.be.below(10 * timeOf(empty(1), true) + 200);
    // To look through the names takes its time; to tell each would take ten times that.
    const names = fields(5000, { fact: {} });
    const looking = timeOf(names, false, (value) => {
      for (const name in value as object) if (name === '') return [];
      return [];
    });
    expect(timeOf(names, false, inExecution)).to.be.below(10 * looking + timeOf(fields(60), false, inExecution));
  });
});
