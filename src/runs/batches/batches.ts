import type { Static } from 'typebox';
import type { Violation } from '../../errors.js';
import { linesType, type ItemsBody } from '../../http/body/itemsBody.js';
import type { ReadText } from '../../http/body/jsonText.js';
import type { LogicRequest, StreamedReply } from '../../http/routes/logicRoute.js';
import { broken } from '../../http/routes/validate.js';
import { maxViolations } from '../../http/routes/violations.js';
import { routeOf, type ExecutionDependencies } from '../execute.js';
import { readIdempotencyKey } from '../idempotency.js';
import type { DeployedParams } from '../runs.schema.js';
import { BatchRun, type Batch, type Framing, type ItemSource } from './batch.js';
import { createReadItem, type FaultyItem, type Item, type ReadItem } from './item.js';
import { LineReader } from './lines.js';
import { createRunPack, isRunnable, type PackDependencies } from './pack.js';

export interface BatchDependencies extends ExecutionDependencies, PackDependencies {
  readonly readText: ReadText;
  /** Of one item. */
  readonly maxItemBytes: number;
  readonly stopping: Stopping;
}

/** When the server was told to stop: streams end then, and lists a little later. */
export class Stopping {
  #since = Infinity;

  begin(): void {
    this.#since = performance.now();
  }

  /** For how long, in milliseconds; negative before. */
  get ms(): number {
    return performance.now() - this.#since;
  }
}

type Request = LogicRequest<Static<typeof DeployedParams>, unknown, unknown>;

/** What the server, when it stops, gives a list that it has begun. */
const listGraceMs = 3000;
/**
 * What the runs of a pack take together. A pack is read, recorded and answered as one; threads get it in turns of a
 * millisecond, so that others wait no longer for it: measured, 3 give a third more executions than 1. One with keys has
 * a transaction of its own, which costs more than most runs.
 */
const usualPackMs = 3;
const keyedPackMs = 10;
/** Bytes of a pack's lines, about. */
const packBytes = 64 * 1024;

/** A batch from its checked head to its answer. What it throws has run nothing. */
export async function executeBatch(dependencies: BatchDependencies, request: Request): Promise<StreamedReply> {
  const { workspaceId, items, reservation, gone } = request;
  if (items === null) throw new Error('a batch without items');
  const { stopping } = dependencies;
  const idempotencyKey = readIdempotencyKey(request.header('Idempotency-Key'));
  const rules = { maxBytes: dependencies.maxItemBytes, owner: workspaceId };
  const readItem = createReadItem({ readText: dependencies.readText, ...rules });
  const source = items.form === 'list' ? await listSource(items, readItem) : linesSource(items, readItem, rules);
  dependencies.recorder.admit();
  dependencies.sizes.reserve(workspaceId, reservation);
  const graceMs = items.form === 'list' ? listGraceMs : 0;
  const batch = {
    ...(await fix(dependencies, request)),
    idempotencyKey,
    reservation,
    over: () => gone() || stopping.ms > graceMs,
  };
  const { pool } = dependencies;
  const packMs = idempotencyKey === undefined ? usualPackMs : keyedPackMs;
  const refused = pool.requireRoom(workspaceId, batch.programId);
  if (refused !== undefined) await refused;
  const run = new BatchRun({
    batch,
    source,
    framing: framings[items.form](batch),
    packSize: () => pool.runsWithin(packMs, workspaceId, batch.programId),
    runPack: createRunPack(dependencies, batch),
  });
  return {
    status: 200,
    contentType: items.form === 'list' ? 'application/json; charset=utf-8' : linesType,
    isWorking: () => run.isWorking,
    async write(sink) {
      try {
        await run.write(sink);
      } catch (error) {
        // Its client may have gone, which is no fault.
        if (!batch.over()) dependencies.log.error({ err: error, requestId: request.requestId }, 'a batch was cut off');
        throw error;
      }
    },
  };
}

/** Which version runs, with which variables: for all items the same. Throws the 404 of what is absent. */
async function fix(
  dependencies: BatchDependencies,
  { workspaceId, params, requestId, principal, path }: Request,
): Promise<Omit<Batch, 'idempotencyKey' | 'reservation' | 'over'>> {
  const route = await routeOf(dependencies, { workspaceId, params });
  const configuration = await dependencies.configurations.of(workspaceId, params.environmentId);
  const { programId } = await dependencies.programs.programOf(workspaceId, params.decisionId, route.version);
  return { asked: { workspaceId, params, requestId, principal }, route, configuration, programId, path };
}

/** Checks all items before the first one runs. Throws `validation_failed` with what is wrong in them. */
async function listSource(
  { items: texts }: Extract<ItemsBody, { form: 'list' }>,
  readItem: ReadItem,
): Promise<ItemSource> {
  const items: Item[] = [];
  const errors: Violation[] = [];
  for (const [index, text] of texts.entries()) {
    const read = readItem(index, text);
    const item = read instanceof Promise ? await read : read;
    if (isRunnable(item)) items.push(item);
    else errors.push(...item.violations.map((violation) => within(index, violation)));
    if (errors.length >= maxViolations) break;
  }
  if (errors.length > 0) throw broken(errors.slice(0, maxViolations));
  let at = 0;
  return { next: (most) => Promise.resolve(items.slice(at, (at += most))) };
}

const within = (index: number, { pointer, ...violation }: Violation): Violation => ({
  ...violation,
  pointer: `/items/${index}${pointer}`,
});

function linesSource(
  { stream }: Extract<ItemsBody, { form: 'lines' }>,
  readItem: ReadItem,
  { maxBytes }: { readonly maxBytes: number },
): ItemSource {
  const reader = new LineReader(stream, maxBytes);
  let index = 0;
  return {
    async next(most) {
      const lines = await reader.read({ lines: most, bytes: packBytes });
      const items: (Item | FaultyItem)[] = [];
      for (const line of lines) {
        const read = line === null ? tooLong(index, maxBytes) : readItem(index, line);
        items.push(read instanceof Promise ? await read : read);
        index++;
      }
      return items;
    },
  };
}

const tooLong = (index: number, maxBytes: number): FaultyItem => ({
  index,
  violations: [{ in: 'body', pointer: '', message: `must have at most ${maxBytes} bytes` }],
});

const framings: Readonly<Record<ItemsBody['form'], (batch: Pick<Batch, 'route'>) => Framing>> = {
  list: ({ route }) => ({
    head: `{${routeText(route)},"items":[`,
    answers: (texts, first) => (first ? '' : ',') + texts.join(','),
    end: ({ completed, failed }) => `],"completed":${completed},"failed":${failed}}`,
  }),
  lines: ({ route }) => ({
    head: '',
    answers: (texts) => `${texts.join('\n')}\n`,
    end: ({ completed, failed }) => `{"summary":{${routeText(route)},"completed":${completed},"failed":${failed}}}\n`,
  }),
};

const routeText = ({ deploymentId, version }: Batch['route']): string =>
  `"deploymentId":"${deploymentId}","version":${version}`;
