import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLog } from '../../../src/log.js';
import { Problem } from '../../../src/errors.js';
import { Outage, withoutOutages } from '../../../src/storage/outage.js';
import { eventually } from '../../support/eventually.js';

describe('an outage', () => {
  const steadyMs = { away: 40, back: 80 };
  let said: string[];
  let fields: Record<string, unknown>[];
  let outage: Outage;
  beforeEach(() => {
    [said, fields] = [[], []];
    const say = (more: object, line: string): void => {
      said.push(line);
      fields.push({ ...more });
    };
    outage = new Outage({ log: { warn: say, info: say }, name: 'It', consequence: 'we wait', steadyMs });
  });
  afterEach(() => outage.close());
  const begun = 'It is not reachable: we wait';

  it('does not end with an answer now and then', async () => {
    outage.note(false);
    await eventually(() => said.length === 1);
    for (let times = 0; times < 20; times++) {
      outage.note(true);
      outage.note(false);
      await sleep(5);
    }
    await sleep(5 * steadyMs.back);
    expect(said).to.deep.equal([begun]);
  });

  it('is none once it is closed, as by a server that stops', async () => {
    outage.note(false);
    outage.close();
    outage.note(false);
    await sleep(5 * steadyMs.away);
    expect(said).to.deep.equal([]);
  });

  it('is none where this process stood still, and what it hears next is an answer', async () => {
    outage.note(false);
    const until = performance.now() + 1000;
    while (performance.now() < until) Math.sqrt(until);
    setTimeout(() => outage.note(true), steadyMs.away / 4);
    await sleep(5 * steadyMs.away);
    expect(said).to.deep.equal([]);
  });
});

describe('the log of what waits for the database', () => {
  it('has no line for that, and one for each other failure', () => {
    const lines: string[] = [];
    const log = withoutOutages(createLog('info', { write: (line) => void lines.push(line) }));
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
    log.warn({ err: refused }, 'waits');
    log.error({ err: new Problem('dependency_unavailable', 'away', { cause: refused }) }, 'waits');
    log.warn({ err: new Error('a fault') }, 'fails');
    log.error({ err: new Problem('dependency_unavailable', 'away', { cause: new Error('a fault') }) }, 'fails');
    log.warn({ id: 1 }, 'fails');
    log.warn('fails');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal(Array(4).fill('fails'));
  });
});
