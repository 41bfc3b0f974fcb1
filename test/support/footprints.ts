import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compile, Footprint, type ValueObject } from '../../workers/engine/index.js';
import { expressions, frozen, graph, input, table } from './engine.js';

/** A model, and the fact with which it is run once. */
interface Shape {
  readonly model: (index: number) => unknown;
  readonly fact?: ValueObject;
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const listed = (sources: readonly string[]): unknown => {
  const pairs = Object.fromEntries(sources.map((source, at) => [`k${at}`, source]));
  return graph([input, expressions('e', pairs)], ['in>e']);
};
const checked = (schema: object): unknown =>
  graph([{ id: 'in', type: 'inputNode', content: { schema: JSON.stringify(schema) } }], []);
const tabled = (rows: number, cells: (row: number) => Record<string, string>): unknown =>
  graph([input, table('t', { inputs: ['a', 'b'], outputs: ['x', 'y'] }, many(rows, cells))], ['in>t']);

/** Models of the kinds whose memory their text says least about. */
export const shapes: Readonly<Record<string, Shape>> = {
  'repeated patterns': { model: (n) => listed(many(5, (at) => `matches(a, '(\\pL|\\d){700}x${n}.${at}')`)) },
  'patterns of classes': { model: (n) => listed(many(3, (at) => `matches(a, '${'\\PL'.repeat(300)}${n}.${at}')`)) },
  'patterns from the start': {
    model: (n) => listed(many(3, (at) => `matches(a, '^${'[\\pL]\\d'.repeat(100)}${n}.${at}$')`)),
  },
  'patterns for other texts': {
    model: (n) => listed(many(3, (at) => `matches(a, '^[\\w.-]{1,60}@\\w{1,60}${n}.${at}$')`)),
    fact: { a: 'Ж' },
  },
  'patterns of a schema': {
    model: (n) =>
      checked({
        properties: Object.fromEntries(many(6, (at) => [`k${at}`, { pattern: `(\\pL|\\d){700}x${n}.${at}` }])),
      }),
  },
  'properties of a schema': {
    model: (n) =>
      checked({
        properties: Object.fromEntries(many(200, (at) => [`k${n}x${at}`, { type: 'string', maxLength: 9 }])),
      }),
  },
  'choices of a schema': { model: (n) => checked({ enum: many(5000, (at) => `choice ${n} ${at}`) }) },
  'small schemas': { model: (n) => checked({ required: [`k${n}`] }) },
  'small expressions': { model: (n) => listed(many(1000, (at) => `a + ${n} * b - c.d${at}`)) },
  'long expressions': {
    model: (n) => listed(many(5, (at) => many(2000, (i) => `a${i}.b + ${n + i + at}`).join(' + '))),
  },
  'lists of constants': { model: (n) => listed(many(5, (at) => `a in [${many(4000, (i) => n + i + at).join(',')}]`)) },
  'lists of texts': {
    model: (n) => listed(many(5, (at) => `a in [${many(3000, (i) => `'t${n}.${i}.${at}'`).join(',')}]`)),
  },
  'split constants': { model: (n) => listed(many(5, (at) => `a in split('${n}${at}${'a,'.repeat(4000)}', ',')`)) },
  'a plain table': {
    model: (n) => tabled(3000, (at) => ({ i0: `'k${n}.${at}'`, i1: `> ${at}`, o0: String(at), o1: `'v${at}'` })),
    fact: { a: 'none', b: 1 },
  },
  'a table that was run': {
    model: (n) => tabled(1000, (at) => ({ i0: `$ != 'k${n}.${at}'`, i1: `contains($, 'x${at}')`, o0: String(at) })),
    fact: { a: 'none', b: 'y' },
  },
  'a table of lists': {
    model: (n) => tabled(200, (at) => ({ i0: many(50, (i) => `'k${n}.${at}.${i}'`).join(','), o0: String(at) })),
    fact: { a: 'none' },
  },
  'a table of ranges': {
    model: (n) => tabled(2000, (at) => ({ i0: `[${at}..${at + 500 + n}]`, o0: String(at) })),
    fact: { a: -1 },
  },
  'many nodes': {
    model: () =>
      graph(
        [input, ...many(1000, (at) => expressions(`e${at}`, { [`k${at}`]: `a + ${at}` }))],
        many(1000, (at) => `in>e${at}`),
      ),
  },
};

export interface Measured {
  /** Bytes that the footprints say. */
  readonly counted: number;
  /** Bytes of the heap, and of buffers beside it. */
  readonly taken: number;
}

/**
 * Compiles several models of each shape, in a process of its own for all of them, runs each once, and weighs them. V8 would
 * throw away code that has not run for a while, and compile beside it: both move what is weighed.
 */
export async function measuredShapes(): Promise<Readonly<Record<string, Measured>>> {
  const execArgv = ['--expose-gc', '--no-flush-bytecode', '--single-threaded'];
  const child = fork(new URL(import.meta.url), [], { execArgv });
  const [answer] = (await once(child, 'message')) as [Record<string, Measured>];
  await once(child, 'exit');
  return answer;
}

async function measure(name: string): Promise<Measured> {
  const { model, fact = {} } = shapes[name] ?? { model: () => ({}) };
  const made = async (index: number): Promise<{ footprint: Footprint; program: unknown }> => {
    const footprint = new Footprint();
    const program = compile(JSON.parse(JSON.stringify(model(index))), { resolve: () => undefined, footprint });
    await program.run(fact, frozen);
    return { footprint, program };
  };
  await made(1000);
  // V8 compiles and flushes code in the background, which disturbs one measurement now and then; so the median of three, where one is not plain.
  const one = async (round: number): Promise<Measured> => {
    const before = used();
    const kept = await Promise.all(many(3, (at) => made(3 * round + at)));
    return { taken: used() - before, counted: kept.reduce((sum, { footprint }) => sum + footprint.bytes, 0) };
  };
  const first = await one(0);
  if (Math.max(first.counted / first.taken, first.taken / first.counted) < 2) return first;
  const rounds = [first, await one(1), await one(2)];
  return rounds.sort((a, b) => a.taken - b.taken)[1] ?? first;
}

function used(): number {
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const [, main] = process.argv;
if (process.send !== undefined && main?.endsWith('/footprints.js') === true) {
  const all: Record<string, Measured> = {};
  for (const name of Object.keys(shapes)) all[name] = await measure(name);
  process.send(all);
  process.disconnect();
}
