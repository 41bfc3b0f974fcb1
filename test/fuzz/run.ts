import { setTimeout as sleep } from 'node:timers/promises';
import { compareWith, type OpenApi } from '../support/openapi.js';
import { createCases, type Case } from './cases.js';
import type { Operation } from './document.js';
import { createJudge } from './judge.js';
import { openWire, curlOf, type Timed } from './wire.js';
import type { World } from './world.js';

export interface FuzzOptions {
  readonly baseUrl: string;
  readonly world: World;
  readonly seed: number;
  readonly requests: number;
  readonly concurrency: number;
  readonly advance: () => void;
}

export interface Fuzzed {
  readonly requests: number;
  /** All that the document describes. */
  readonly operations: readonly Operation[];
  /** Answers of each operation, by status, such as `listEnvironments 200`. */
  readonly answers: ReadonlyMap<string, number>;
  /** Of each kind of fault the first request that showed it, with its curl line and answer, and how many there were. */
  readonly faults: readonly string[];
  readonly slowestMs: number;
}

/** After so many kinds of faults there is enough to look at. */
const maxKinds = 20;

/** Makes requests of every operation of the server's own document, and judges every answer. */
export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const { baseUrl, world, seed, requests, concurrency, advance } = options;
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi;
  const cases = createCases(document);
  const judge = createJudge(world, compareWith(document), document);
  const wire = openWire(baseUrl, concurrency);
  const answers = new Map<string, number>();
  const faults = new Map<string, { readonly example: string; count: number }>();
  let slowestMs = 0;
  let next = 0;
  let done = 0;

  const report = (request: Case, found: readonly string[], answer?: Timed): void => {
    const kind = `${request.operation.id}: ${found.join(', ').replaceAll(/[0-9a-f-]{36}|\d+/g, '#')}`;
    const fault = faults.get(kind) ?? { example: describe(options, request, found, answer), count: 0 };
    fault.count++;
    faults.set(kind, fault);
  };
  const one = async (request: Case): Promise<void> => {
    try {
      const answer = await wire.send(request);
      slowestMs = Math.max(slowestMs, answer.ms);
      const key = `${request.operation.id} ${answer.status}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      const found = judge.faultsOf(request, answer);
      if (found.length > 0) report(request, found, answer);
      remember(request, answer);
    } catch (error) {
      report(request, [`no answer: ${(error as Error).message}`]);
    }
  };
  const loop = async (): Promise<void> => {
    while (next < requests && faults.size < maxKinds) {
      await one(cases.make(world, seed, next++));
      done++;
      advance();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  await Promise.race([wire.close(), sleep(1000)]);
  const examples = [...faults.values()].map(({ example, count }) => `${count} times: ${example}`);
  return { requests: done, operations: cases.operations, answers, faults: examples, slowestMs };
}

function describe({ baseUrl, seed }: FuzzOptions, request: Case, found: readonly string[], answer?: Timed): string {
  const lines = [
    `request ${request.index} of seed ${seed}, ${request.operation.id}:`,
    ...found,
    curlOf(baseUrl, request),
  ];
  if (answer !== undefined) lines.push(`${answer.status} ${answer.text.slice(0, 1000)}`);
  return lines.join('\n    ');
}

const kept = 30;

/** What was made can be named by later requests of either side. */
function remember({ operation, side, method }: Case, { status, body }: Timed): void {
  if (method !== operation.method) return;
  const [collection = ''] = /[a-z-]+$/.exec(operation.path) ?? [];
  const { id } = (body ?? {}) as { id?: unknown };
  if (method === 'POST' && status < 300 && typeof id === 'string') keep((side.made[collection] ??= []), id);
  if (!['listEnvironments', 'listDeployments', 'listRoutings'].includes(operation.id) || status !== 200) return;
  const { page } = body as { page: { after: string | null; before: string | null } };
  for (const cursor of [page.after, page.before]) if (cursor !== null) keep(side.cursors, cursor);
}

function keep(list: string[], item: string): void {
  list.push(item);
  if (list.length > kept) list.shift();
}
