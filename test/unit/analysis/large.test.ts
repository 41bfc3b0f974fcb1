import { expect } from 'chai';
import { analyse } from '../../../workers/analysis/analyse.js';
import { deadlineAt, noDeadline } from '../../../workers/analysis/deadline.js';
import { findingsOf } from '../../../workers/analysis/findings.js';
import { compile } from '../../../workers/engine/index.js';
import { Reader } from '../../../workers/engine/jdm/reader.js';
import { readTable } from '../../../workers/engine/nodes/table.js';
import { allowedMs } from '../../support/environment.js';

const columns = Array.from({ length: 10 }, (_, at) => `f${at}`);

/** Rows of ten columns: two say which row it is, the others test something else in each. */
function largeTable(count: number): object {
  const rules = Array.from({ length: count }, (_, row) => ({
    ...Object.fromEntries(columns.map((id, at) => [id, at > 1 && at - 2 === row % 8 ? `>= ${at}` : ''])),
    f0: `[${(row % 60) * 10}..${(row % 60) * 10 + 10})`,
    f1: `'k${Math.floor(row / 60)}'`,
    o: String(row),
  }));
  // Takes nothing that the row before it leaves.
  rules[count - 1] = { ...rules[count - 2], o: 'null' } as (typeof rules)[number];
  return {
    hitPolicy: 'first',
    inputs: columns.map((id) => ({ id, field: id })),
    outputs: [{ id: 'o', field: 'o' }],
    rules,
  };
}

/** Rows of ranges, texts and truth values at random, many of which meet: each cell is tested in two rows of three. */
function denseTable(count: number, hitPolicy: string): object {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const cellOf = (column: number): string => {
    if (random(3) === 0) return '';
    if (column >= 8) return random(2) === 0 ? 'true' : 'false';
    if (column >= 5) return `'v${random(40)}', 'v${random(40)}'`;
    const low = random(1000);
    return `[${low}..${low + 1 + random(300)})`;
  };
  const rules = Array.from({ length: count }, () => ({
    ...Object.fromEntries(columns.map((id, column) => [id, cellOf(column)])),
    o: String(random(50)),
  }));
  const inputs = columns.map((id) => ({ id, field: id }));
  return { hitPolicy, inputs, outputs: [{ id: 'o', field: 'o' }], rules };
}

/** Rows that leave one value of each of five columns, and divide what is left in exponentially many parts. */
function dividingTable(count: number): object {
  const ids = Array.from({ length: 40 }, (_, at) => `c${at}`);
  const steps = [1, 7, 11, 13, 17];
  const rules = Array.from({ length: count }, (_, row) => ({
    ...Object.fromEntries(ids.map((id) => [id, ''])),
    ...Object.fromEntries(steps.map((step) => [`c${(row * step + (row >> 3)) % 40}`, `$ != ${row % 50}`])),
    o: '1',
  }));
  const inputs = ids.map((id) => ({ id, field: id }));
  return { hitPolicy: 'first', inputs, outputs: [{ id: 'o', field: 'o' }], rules };
}

const tableOf = (content: object) => readTable(new Reader(content, 'content', () => undefined));

describe('findings about large tables', () => {
  it('take less than 2 s of the processor, and 64 MB, for 3,000 rows of 10 columns', () => {
    const table = tableOf(largeTable(3000));
    findingsOf(tableOf(largeTable(100)), noDeadline);
    const before = { time: process.cpuUsage(), heap: process.memoryUsage().heapUsed };
    const { findings, unreachable } = findingsOf(table, noDeadline);
    const { user, system } = process.cpuUsage(before.time);
    expect((user + system) / 1000).to.be.lessThan(allowedMs(2000));
    expect((process.memoryUsage().heapUsed - before.heap) / 1e6).to.be.lessThan(64);
    expect([...unreachable]).to.deep.equal([2999]);
    expect(findings.every(({ isProved }) => isProved)).to.equal(true);
  });

  for (const hitPolicy of ['first', 'collect']) {
    it(`take less than 2 s of the processor, and 64 MB, for 3,000 rows that meet at random (${hitPolicy})`, () => {
      const table = tableOf(denseTable(3000, hitPolicy));
      const before = { time: process.cpuUsage(), heap: process.memoryUsage().heapUsed };
      const { findings } = findingsOf(table, noDeadline);
      const { user, system } = process.cpuUsage(before.time);
      expect((user + system) / 1000).to.be.lessThan(allowedMs(2000));
      expect((process.memoryUsage().heapUsed - before.heap) / 1e6).to.be.lessThan(64);
      expect(findings.filter(({ isProved }) => isProved).length).to.be.greaterThan(100);
    });
  }

  it('end in time for more rows than can be compared with one another, and hold no table of all pairs', () => {
    const rules = Array.from({ length: 100_000 }, (_, row) => ({ x: `${row}`, o: '1' }));
    const [inputs, outputs] = [[{ id: 'x', field: 'x' }], [{ id: 'o', field: 'o' }]];
    const table = tableOf({ hitPolicy: 'first', inputs, outputs, rules });
    const before = { time: performance.now(), memory: process.memoryUsage() };
    const { findings } = findingsOf(table, deadlineAt(before.time + 1500));
    expect(performance.now() - before.time).to.be.lessThan(allowedMs(6000));
    expect((process.memoryUsage().arrayBuffers - before.memory.arrayBuffers) / 1e6).to.be.lessThan(32);
    expect(findings.filter(({ isProved }) => isProved)).to.deep.equal([]);
  });

  it('end in time where the rows divide the inputs into too many parts, and say so', () => {
    const table = tableOf(dividingTable(1000));
    const began = performance.now();
    const { findings } = findingsOf(table, deadlineAt(began + 500));
    expect(performance.now() - began).to.be.lessThan(allowedMs(2000));
    expect(findings.some(({ isProved, reason }) => !isProved && reason?.includes('too many parts'))).to.equal(true);
  });

  it('say of each kind that it is not decided, where there is no time left for it', () => {
    const began = performance.now();
    const { findings } = findingsOf(tableOf(dividingTable(100)), deadlineAt(began + 1000));
    const open = findings.filter(({ isProved }) => !isProved);
    expect(new Set(open.map(({ kind }) => kind))).to.deep.equal(new Set(['shadowed', 'gap', 'redundant']));
  });

  it('say so in whole sentences, also where no part of the inputs can be named', async () => {
    const document = {
      nodes: [
        { id: 'in', type: 'inputNode', name: 'request' },
        { id: 'table', type: 'decisionTableNode', name: 'Rates', content: dividingTable(100) },
      ],
      edges: [{ id: 'e', sourceId: 'in', targetId: 'table' }],
    };
    const program = compile(document, { resolve: () => undefined });
    const until = performance.now() + 1000;
    const { report } = await analyse({ version: { document, program, linked: '' }, until });
    const messages = report.tables.flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages.filter((message) => / [:;,]|\s$/.test(message))).to.deep.equal([]);
    expect(messages).to.include(
      'Inputs that no row takes: not decided, as the rows divide the inputs into too many parts',
    );
  });
});
