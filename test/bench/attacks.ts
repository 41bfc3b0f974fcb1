import { gzipSync } from 'node:zlib';
import { doubling, endless, expressing, type Model } from '../support/models.js';
import { logicHeaders, type Scene } from '../support/scene.js';
import { chain, script } from '../support/tasks.js';
import { deployModel, type Executable } from './decision.js';
import { tableModel } from './engine/tables.js';
import { tenantAttacks } from './tenantAttacks.js';

/** What one connection of a flood sends, over and over. */
export interface Attack {
  /** The request of the nth turn. */
  readonly request: (turn: number) => Request;
  /** Of whose answer nothing is read: so many connections, which begin anew now and then. */
  readonly unread?: number;
  /** Its last byte never comes: it is sent again when the server has given it up. */
  readonly isUnfinished?: boolean;
  /** So many requests has each connection, however long the flood goes on. */
  readonly turns?: number;
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const handler = (body: string): Model => chain(script(`export const handler = async () => { ${body} }`)) as Model;
const mebibyte = 1024 * 1024;

/** Thirty patterns of many instructions: as many as a model may have. */
const patterns = expressing(
  Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, `matches(t, '(\\\\pL|\\\\d){700}x${at}')`])),
);
const zone = 'america/argentina/comodrivadavia';

/** The zone in the letter case of a number's bits. */
const spelt = (turn: number): string =>
  Array.from(zone, (letter, at) => ((turn >> (at % 29)) & 1 ? letter.toUpperCase() : letter)).join('');

const execution = ({ path, headers, body }: Executable): Request => ({ method: 'POST', path, headers, body });
const always =
  (request: Request): Attack['request'] =>
  () =>
    request;

/** Runs that take all the time and memory they get. */
async function threads(scene: Scene): Promise<Attack[]> {
  const loop = await deployModel(scene, handler('for (;;) {}'), {}, 'loop.json');
  const bomb = handler('const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))');
  return [loop, await deployModel(scene, bomb, {}, 'bomb.json')].map((each) => ({ request: always(execution(each)) }));
}

/**
 * What takes memory: bodies that unpack to many objects, on a slow decision and on a quick one; spellings of a time zone;
 * large facts with larger results; patterns that leave much in a thread; answers that nobody reads.
 */
async function memory(scene: Scene): Promise<Attack[]> {
  const text = 'x'.repeat(mebibyte - 1000);
  const slow = await deployModel(scene, endless(), {}, 'slow.json');
  const quick = await deployModel(scene, doubling(2), { x: 1 }, 'quick.json');
  const zones = await deployModel(scene, expressing({ y: "d('2024-05-01', z).hour()" }), {}, 'zones.json');
  const large = await deployModel(scene, expressing({ y: 'map([1..4], t)' }), { t: text }, 'large.json');
  const matching = await deployModel(scene, patterns, { t: 'abc' }, 'patterns.json');
  const packed = gzipSync(`{"fact":{"x":1,"l":[${Array<string>(190_000).fill('{}').join()}]}}`.padEnd(mebibyte));
  const unpacking = ({ path, headers }: Executable): Request => ({
    method: 'POST',
    path,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
    body: packed,
  });
  return [
    { request: always(unpacking(slow)) },
    { request: always(unpacking(quick)) },
    { request: (turn) => execution({ ...zones, body: JSON.stringify({ fact: { z: spelt(turn) } }) }) },
    { request: always(execution(large)) },
    { request: always(execution(matching)) },
    { request: always(execution(large)), unread: 10 },
  ];
}

/** Answers of 10 MB that nobody reads: the differences of two tables of which every row has changed. */
async function differences(scene: Scene): Promise<Attack[]> {
  const rows = 8000;
  const note = (letter: string): Model => {
    const model = tableModel(rows) as Model & { nodes: { content?: { rules: { note: string }[] } }[] };
    for (const rule of model.nodes[1]?.content?.rules ?? []) rule.note = `'${letter.repeat(540)}'`;
    return model;
  };
  const decisionId = await scene.decision('large.json', note('a'));
  await scene.decision('large.json', note('b'));
  const path = `/logic/decisions/${decisionId}/versions/1/differences/2`;
  return [{ request: always({ method: 'GET', path, headers: logicHeaders(scene) }), unread: 60 }];
}

const importBytes = 64 * mebibyte;
/** Models of an import: as many as one may have, then a few large ones, in turns. */
const sizes = [10_000, 200];
/** Stands in every model, in place of the import's number: what is imported is new each time. */
const mark = '0000000000';

/** Imports as large as they may be, one after the other. */
function imports(scene: Scene): Promise<Attack[]> {
  const headers = { ...logicHeaders(scene), 'Content-Type': 'application/json' };
  const bodies = sizes.map(importOf);
  const body = (turn: number): string =>
    bodies[turn % bodies.length]?.replaceAll(mark, String(turn + 1).padStart(mark.length, '0')) ?? '';
  return Promise.resolve([
    { request: (turn) => ({ method: 'POST', path: '/logic/imports', headers, body: body(turn) }) },
  ]);
}

function importOf(models: number): string {
  const row = (number: number): string => `{"_id":"r${number}","in":"> ${number}","out":"${number} * 2"}`;
  const modelBytes = Math.floor((importBytes - 1000) / models) - 700;
  const rows: string[] = [];
  for (let bytes = 0; bytes < modelBytes; bytes += (rows.at(-1)?.length ?? 0) + 1) rows.push(row(rows.length));
  rows.pop();
  const item = (index: number): string =>
    `{"key":"m${models}/${index}.json","content":{"nodes":[{"id":"i","type":"inputNode","name":"Request"},` +
    `{"id":"t","type":"decisionTableNode","name":"Table ${mark} ${index}","content":{"hitPolicy":"first",` +
    '"inputs":[{"id":"in","name":"In","field":"x"}],"outputs":[{"id":"out","name":"Out","field":"y"}],' +
    `"rules":[${rows.join()}]}},{"id":"o","type":"outputNode","name":"Response"}],` +
    '"edges":[{"id":"a","sourceId":"i","targetId":"t"},{"id":"b","sourceId":"t","targetId":"o"}]}}';
  return `{"decisions":[${Array.from({ length: models }, (_, index) => item(index)).join()}]}`;
}

const floods = { threads, memory, differences, imports };
export type FloodKind = keyof typeof floods;
/** By the name of the flood; each is of one workspace, unless it makes more of the same tenant. */
export const attacks = { ...floods, ...tenantAttacks };
export type AttackKind = keyof typeof attacks;
