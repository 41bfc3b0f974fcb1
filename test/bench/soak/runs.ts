import { randomUUID } from 'node:crypto';
import type { Asker, Question, Reply } from './asker.js';
import type { Random } from './random.js';
import { logicHeaders } from '../../support/scene.js';
import type { DeployedPair, World } from './world.js';

/** One kind of request of the mix. It asks, and holds the answer against what it must be. */
export type Kind = (asker: Asker, world: World, random: Random) => Promise<void>;

/** Answers after which it is certain that nothing was recorded. */
const nothingRan = /^4|^503 overloaded/;

interface Run extends Omit<Question, 'method' | 'requestId'> {
  readonly kind: string;
  readonly group?: number | undefined;
  /** Of a decision whose routing does not change; an answer without a result does not say it. */
  readonly version?: number;
  readonly expected: (reply: Reply) => boolean;
}

/** Executes, and keeps in the ledger what the client was told. */
async function execute(
  asker: Asker,
  world: World,
  { kind, group, version, expected, ...question }: Run,
): Promise<Reply> {
  const { number, requestId } = world.ledger.open(group);
  const reply = await asker.ask(kind, { method: 'POST', ...question, requestId }, expected);
  const { id, status, result, executionId } = reply.json as unknown as Told;
  if (reply.label === '201') {
    const told = { id, status, version: result.v ?? 1, result: JSON.stringify(result) };
    world.ledger.acknowledge(number, told, replayed(reply));
  } else if (executionId !== undefined) {
    world.ledger.acknowledge(number, { id: executionId, status: 'FAILED', version, result: undefined });
  } else if (nothingRan.test(reply.label)) world.ledger.refuse(number);
  return reply;
}

interface Told {
  readonly id: string;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly result: { readonly v?: number; readonly y?: number; readonly error?: string };
  readonly executionId?: string;
}

const replayed = ({ headers }: Reply): boolean => headers['idempotency-replayed'] === 'true';

/** A run of the decision whose routing changes; 404 while what it ran on is deleted. */
const expectedAt =
  ({ promised }: DeployedPair) =>
  ({ label, sentMs, answeredMs }: Reply): boolean =>
    label === '201' || (label === '404 routing_not_found' && promised.allowsAbsence(sentMs, answeredMs));

/** The right result, of a version that routing may have chosen then. */
function checkPriced(asker: Asker, pair: DeployedPair, x: number, { json, sentMs, answeredMs }: Reply): void {
  const { status, result } = json as unknown as Told;
  const { v = 0, y } = result;
  if (status !== 'COMPLETED' || y !== x * v) asker.find('an execution answered a wrong result');
  if (!pair.promised.allows(v, sentMs, answeredMs)) asker.find('an execution ran on routing older than promised');
}

export const execution: Kind = async (asker, world, random) => {
  const pair = random.of(world.pairs);
  const x = random.upTo(1_000_000);
  const question = { path: pair.path, headers: logicHeaders(world.scene), body: { fact: { x } } };
  const reply = await execute(asker, world, { kind: 'execution', ...question, expected: expectedAt(pair) });
  if (reply.label === '201') checkPriced(asker, pair, x, reply);
};

interface ItemTold extends Partial<Omit<Told, 'id'>> {
  readonly id: string | null;
  readonly code?: string;
}

const unanswered: ItemTold = { id: null };

/** Many executions for one request; each is told of, and held against the records, by itself. */
export const batch: Kind = async (asker, world, random) => {
  const pair = random.of(world.pairs);
  const items = Array.from({ length: 1 + random.upTo(40) }, () => ({
    ...world.ledger.open(),
    x: random.upTo(1_000_000),
  }));
  const reply = await asker.ask(
    'batch',
    {
      method: 'POST',
      path: pair.path.replace(/executions$/, 'batches'),
      headers: logicHeaders(world.scene),
      body: { items: items.map(({ x, requestId }) => ({ fact: { x }, reference: requestId })) },
    },
    (each) => each.label === '200' || expectedAt(pair)(each),
  );
  const { items: told = [] } = reply.json as unknown as { items?: readonly ItemTold[] };
  items.forEach(({ number, x }, at) => {
    const { id, status, result, code } = told[at] ?? unanswered;
    if (id !== null && status !== undefined && result !== undefined) {
      world.ledger.acknowledge(number, { id, status, version: result.v, result: JSON.stringify(result) });
      checkPriced(asker, pair, x, { ...reply, json: { status, result } });
    } else if (code === 'routing_not_found' || nothingRan.test(reply.label)) world.ledger.refuse(number);
    else if (reply.label === '200') asker.find('an item of a batch was not answered');
  });
};

/** A key of the last moments, whose request others repeat, also while it runs. */
interface Keyed {
  readonly key: string;
  readonly pair: DeployedPair;
  readonly x: number;
  readonly group: number;
  id?: string;
}

const keysKept = 8;
const recent: Keyed[] = [];

/** With a key of its own, or one that another client uses just now: the same answer then, and one run. */
export const idempotent: Kind = async (asker, world, random) => {
  const again = random.upTo(2) === 0 && recent.length > 0 ? random.of(recent) : undefined;
  const { key, pair, x } = again ?? { key: randomUUID(), pair: random.of(world.pairs), x: random.upTo(1_000_000) };
  const keyed = again ?? { key, pair, x, group: world.ledger.open().number };
  if (again === undefined) recent.unshift(keyed);
  recent.length = Math.min(recent.length, keysKept);
  const reply = await execute(asker, world, {
    kind: 'idempotent execution',
    path: pair.path,
    headers: { ...logicHeaders(world.scene), 'Idempotency-Key': key },
    body: { fact: { x } },
    group: keyed.group,
    expected: (each) => expectedAt(pair)(each) || each.label === '409 idempotency_in_progress',
  });
  if (reply.label !== '201') return;
  const { id } = reply.json as unknown as Told;
  keyed.id ??= id;
  if (keyed.id !== id) asker.find('two executions for one idempotency key');
  if (!replayed(reply)) checkPriced(asker, pair, x, reply);
};

/** The key of another request. */
export const keyReused: Kind = async (asker, world, random) => {
  const used = recent.find(({ id }) => id !== undefined);
  if (used === undefined) return;
  await execute(asker, world, {
    kind: 'key reused',
    path: used.pair.path,
    headers: { ...logicHeaders(world.scene), 'Idempotency-Key': used.key },
    body: { fact: { x: -1 - random.upTo(1000) } },
    expected: ({ label }) => label === '422 idempotency_key_reused',
  });
};

export const failing: Kind = async (asker, world, random) => {
  const question = {
    path: world.failing.path,
    headers: logicHeaders(world.scene),
    body: { fact: { x: random.upTo(9) } },
  };
  const { label, json } = await execute(asker, world, {
    kind: 'failing execution',
    version: 1,
    ...question,
    expected: is201,
  });
  const { status, result } = json as unknown as Told;
  if (label === '201' && (status !== 'FAILED' || result.error === undefined))
    asker.find('a failing model did not fail');
};

export const scripted: Kind = async (asker, world, random) => {
  const x = random.upTo(1000);
  const question = { path: world.scripted.path, headers: logicHeaders(world.scene), body: { fact: { x } } };
  const { label, json } = await execute(asker, world, {
    kind: 'function node',
    version: 1,
    ...question,
    expected: is201,
  });
  if (label === '201' && (json as unknown as Told).result.y !== 3 * x)
    asker.find('a function node answered a wrong result');
};

/** Runs into the time limit. */
export const endless: Kind = async (asker, { hostile, ...world }) => {
  const question = { path: hostile.endless.path, headers: logicHeaders(hostile.scene), body: { fact: {} } };
  const expected = ({ label, json }: Reply): boolean =>
    label === '504 engine_timeout' && typeof json.executionId === 'string';
  await execute(asker, { hostile, ...world }, { kind: 'endless execution', version: 1, ...question, expected });
};

export const evaluation: Kind = async (asker, { priced, scene }, random) => {
  const version = 1 + random.upTo(priced.versions);
  const x = random.upTo(1_000_000);
  const path = `/logic/decisions/${priced.decisionId}/evaluations`;
  const question = { method: 'POST', path, headers: logicHeaders(scene), body: { version, fact: { x } } } as const;
  const { label, json } = await asker.ask('evaluation (traced)', question, is201);
  if (label !== '201') return;
  const { result, trace } = json as unknown as Told & { trace: object | null };
  if (result.v !== version || result.y !== x * version || trace === null) asker.find('an evaluation was wrong');
};

export const is201 = ({ label }: Reply): boolean => label === '201';
