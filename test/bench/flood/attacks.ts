import { gzipSync } from 'node:zlib';
import { doubling, endless, expressing, type Model } from '../../support/models.js';
import type { Scene } from '../../support/scene.js';
import { chain, script } from '../../support/tasks.js';
import { requestBytes } from '../connection.js';
import { deployModel, type Executable } from '../decision.js';

/** What one connection of a flood sends, over and over. */
export interface Attack {
  /** The request of the nth turn. */
  readonly request: (turn: number) => Buffer;
  /** False where it never reads an answer, and begins anew with another connection now and then. */
  readonly reads: boolean;
}

const handler = (body: string): Model => chain(script(`export const handler = async () => { ${body} }`)) as Model;
const endlessLoop = handler('for (;;) {}');
const heapBomb = handler('const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))');

/** Thirty patterns of many instructions: as many as a model may have. */
const patterns = expressing(
  Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, `matches(t, '(\\\\pL|\\\\d){700}x${at}')`])),
);
const mebibyte = 1024 * 1024;
const zone = 'america/argentina/comodrivadavia';

/** The zone in the letter case of a number's bits. */
const spelt = (turn: number): string =>
  Array.from(zone, (letter, at) => ((turn >> (at % 29)) & 1 ? letter.toUpperCase() : letter)).join('');

const constant = (request: Buffer) => (): Buffer => request;

/** Runs that take all the time and memory they get. */
export async function attacksOnThreads(scene: Scene, baseUrl: string): Promise<Attack[]> {
  const targets = [
    await deployModel(scene, endlessLoop, {}, 'loop.json'),
    await deployModel(scene, heapBomb, {}, 'bomb.json'),
  ];
  return targets.map((target) => ({
    request: constant(requestBytes({ method: 'POST', baseUrl, ...target })),
    reads: true,
  }));
}

/**
 * What takes memory: bodies that unpack to many objects, on a slow decision and on a quick one; spellings of a time zone;
 * large facts with larger results; patterns that leave much in a thread; answers that nobody reads.
 */
export async function attacksOnMemory(scene: Scene, baseUrl: string): Promise<Attack[]> {
  const text = 'x'.repeat(mebibyte - 1000);
  const slow = await deployModel(scene, endless(), {}, 'slow.json');
  const quick = await deployModel(scene, doubling(2), { x: 1 }, 'quick.json');
  const zones = await deployModel(scene, expressing({ y: "d('2024-05-01', z).hour()" }), {}, 'zones.json');
  const large = await deployModel(scene, expressing({ y: 'map([1..4], t)' }), { t: text }, 'large.json');
  const matching = await deployModel(scene, patterns, { t: 'abc' }, 'patterns.json');
  const unpacking = gzipSync(`{"fact":{"x":1,"l":[${Array<string>(190_000).fill('{}').join()}]}}`.padEnd(mebibyte));
  const whole = (target: Executable): Buffer => requestBytes({ method: 'POST', baseUrl, ...target });
  return [
    { request: constant(packed(slow, baseUrl, unpacking)), reads: true },
    { request: constant(packed(quick, baseUrl, unpacking)), reads: true },
    { request: (turn) => whole({ ...zones, body: JSON.stringify({ fact: { z: spelt(turn) } }) }), reads: true },
    { request: constant(whole(large)), reads: true },
    { request: constant(whole(matching)), reads: true },
    { request: constant(whole(large)), reads: false },
  ];
}

function packed(target: Executable, baseUrl: string, bytes: Buffer): Buffer {
  const headers = { ...target.headers, 'Content-Encoding': 'gzip', 'Content-Length': String(bytes.length) };
  return Buffer.concat([requestBytes({ method: 'POST', baseUrl, ...target, headers, body: '' }), bytes]);
}
