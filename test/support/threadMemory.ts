import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compile, type ValueObject } from '../../workers/engine/index.js';
import { expressions, frozen, graph, input } from './engine.js';

/** A model whose one expression is `source`, and the facts that it is run on, by their number. */
export interface Flood {
  readonly source: string;
  readonly fact: (index: number) => ValueObject;
  /** 20,000 where nothing is said. */
  readonly runs?: number;
}

const number = (index: number): string => index.toString(36);

/** The letters of a text, each in the case that a bit of `index` says. */
function spelling(text: string, index: number): string {
  let letters = 0;
  return text.replace(/[a-z]/gi, (letter) =>
    ((index >> letters++) & 1) === 0 ? letter.toLowerCase() : letter.toUpperCase(),
  );
}

const zones = ['Europe/Berlin', 'US/Pacific', ...Intl.supportedValuesOf('timeZone')];

/** What facts may put into every place of the language where a library or the platform could remember it. */
export const floods: Readonly<Record<string, Flood>> = {
  'spellings of time zones': {
    source: "d('2024-07-01 12:00', 'UTC').diff(d(zone))",
    fact: (index) => ({ zone: spelling('America/Argentina/ComodRivadavia', index) }),
  },
  'every time zone': {
    source: "d('2024-07-01 12:00:00').tz(zone).format('%Z %c')",
    fact: (index) => ({ zone: zones[index % zones.length] ?? '' }),
  },
  'patterns of dates': {
    source: 'd(1700000000000).format(pattern)',
    fact: (index) => ({ pattern: `%Y-%m-%d %A %B %Z ${number(index)}` }),
  },
  dates: {
    source: 'd(text).format()',
    fact: (index) => ({ text: `${2000 + (index % 7000)}-03-${(index % 28) + 1}` }),
  },
  durations: {
    source: 'string(d(0).add(text).timestamp()) + string(duration(text))',
    fact: (index) => ({ text: `${index}h ${index}s` }),
  },
  units: { source: 'd(0).startOf(unit)', fact: (index) => ({ unit: number(index) }) },
  'regular expressions': {
    runs: 1000,
    source: 'matches(text, pattern) or len(extract(text, pattern)) > 1',
    fact: (index) => ({ text: 'a text', pattern: `(\\pL|\\d){700}x${number(index)}` }),
  },
  'classes of regular expressions': {
    runs: 5000,
    source: 'matches(text, pattern)',
    fact: (index) => ({ text: 'a text', pattern: `\\p{L}[[:alpha:]]\\p{U${number(index)}}?` }),
  },
  keys: { source: '{ [key]: 1 }', fact: (index) => ({ key: `key ${number(index)}` }) },
  numbers: { source: "number(text) ^ 2 + number('1.5')", fact: (index) => ({ text: `${index}.${index}` }) },
};

/** Runs a flood in a process of its own and gives by how much its resident memory grows after the first tenth, in bytes. */
export async function growthUnder(name: string): Promise<number> {
  // The young generation's size differs by version of Node, and would grow within what is measured.
  const execArgv = ['--max-old-space-size=128', '--max-semi-space-size=16'];
  const child = fork(new URL(import.meta.url), [name], { execArgv });
  const [growth] = (await once(child, 'message')) as [number];
  return growth;
}

function flood(name: string): number {
  const { source, fact, runs = 20_000 } = floods[name] ?? { source: '0', fact: () => ({}) };
  const program = compile(graph([input, expressions('e', { x: source })], ['in>e']), { resolve: () => undefined });
  let warm = 0;
  for (let index = 0; index < runs; index++) {
    if (index === runs / 10) warm = process.memoryUsage.rss();
    void program.run(fact(index), frozen);
  }
  return process.memoryUsage.rss() - warm;
}

const [, main, name = ''] = process.argv;
if (process.send !== undefined && main?.endsWith('/threadMemory.js') === true) {
  process.send(flood(name));
  process.disconnect();
}
