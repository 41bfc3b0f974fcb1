import type { Static } from 'typebox';
import type { ModelWork } from '../../../workers/models/index.js';
import type { ReadSchemas } from '../../decisions/programs/schemas.js';
import type { Pair } from '../../deployments/routing.js';
import type { Violation } from '../../errors.js';
import type { Reservation } from '../../admission/byteBudget.js';
import type { ItemsBody } from '../../http/body/itemsBody.js';
import { largeBody, linesType, type ReadText } from '../../http/body/jsonText.js';
import type { LogicRequest } from '../../api/logicRoute.js';
import type { StreamedReply } from '../../http/server/answerSink.js';
import { maxViolations } from '../../../workers/json/index.js';
import { broken } from '../../http/body/violations.js';
import type { Pool } from '../../admission/pool/pool.js';
import { messageMs } from '../../admission/constants.js';
import { createPause } from '../../admission/pause.js';
import { findDeployed, type ExecutionDependencies } from '../execute.js';
import { readVisible } from '../../http/server/context.js';
import type { DeployedParams } from '../runs.schema.js';
import type { BatchQuery } from './batches.schema.js';
import { BatchRun, type Batch, type Framing, type ItemSource } from './batch.js';
import { bytesOf, createReadItem, faulty, isRunnable, type FaultyItem, type Item, type ReadItem } from './item.js';
import { readRows, typeOfFile, writeFile, type FileRows } from './fileBatch.js';
import { LineReader } from './lines.js';
import { runChunk, type ChunkDependencies } from './chunk.js';
import type { OpenStream } from './openStream.js';
import { retryWhileOverloaded } from '../../storage/retryWhileOverloaded.js';

export interface BatchDependencies extends ExecutionDependencies, ChunkDependencies {
  readonly pool: Pool;
  readonly readText: ReadText;
  /** Of one item. */
  readonly maxItemBytes: number;
  readonly stopping: Stopping;
  readonly openStream: OpenStream;
  /** Reads and writes spreadsheets. */
  readonly models: ModelWork;
  readonly schemasOf: ReadSchemas;
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

/** What is read of a stream before it is split into lines. */
const streamBytes = 128 * 1024;
/** How long the end of a line is waited for: as long as that of another request. */
const maxLineMs = 15_000;

type Request = LogicRequest<Static<typeof DeployedParams>, Static<typeof BatchQuery>, unknown>;

/** What the server, when it stops, gives a list that it has begun. */
const listGraceMs = 3000;
/** Bytes of a chunk's lines, about. */
const chunkBytes = 64 * 1024;

/** A batch from its checked head to its answer. What it throws has run nothing. */
export async function executeBatch(dependencies: BatchDependencies, request: Request): Promise<StreamedReply> {
  const { workspaceId, items, reservation, gone } = request;
  if (items === null) throw new Error('a batch without items');
  const { stopping, models } = dependencies;
  const idempotencyKey = readVisible('Idempotency-Key', request.header('Idempotency-Key'));
  const graceMs = items.form === 'list' ? listGraceMs : 0;
  const over = (): boolean => gone() || stopping.ms > graceMs;
  const maxBytes = dependencies.maxItemBytes;
  const readItem = createReadItem({ readText: dependencies.readText, maxBytes, owner: workspaceId });
  const { params, requestId, principal, path } = request;
  const pair = { workspaceId, ...params };
  const rules = { maxBytes, reservation, over };
  const { source, rows } = await readSource(
    dependencies,
    { pair, items, isMeant: request.query.meant === 'true', takesOthers: request.query.others === 'taken' },
    readItem,
    rules,
  );
  dependencies.recorder.admit();
  reservation.grow(dependencies.sizes.of(workspaceId));
  const deployed = await findDeployed(dependencies, pair, dependencies.routing.routeOf(pair));
  const origin = { workspaceId, params, requestId, principal };
  const batch = { ...deployed, origin, path, idempotencyKey, reservation, over };
  const { pool } = dependencies;
  const runsMs = (idempotencyKey === undefined ? 3 : 10) * messageMs;
  const refused = pool.requireRoom(workspaceId, batch.programId);
  if (refused !== undefined) await refused;
  const run = new BatchRun({
    batch,
    source,
    framing: framings[items.form](batch),
    chunkSize: () => pool.runsWithin(runsMs, workspaceId, batch.programId),
    runChunk: (chunk, held) => runChunk(dependencies, batch, chunk, held),
  });
  const end = items.form === 'lines' ? dependencies.openStream(workspaceId) : undefined;
  return {
    status: 200,
    contentType: contentTypeOf(items),
    headers: rows && (() => ({ 'X-Row-Count': String(rows.count), 'X-Nothing-Count': String(rows.answers.nothings) })),
    isWorking: () => run.isWorking || items.form === 'file',
    async write(sink) {
      try {
        if (items.form === 'file' && rows !== undefined)
          await writeFile(models, request, { run, file: items.file, rows, over }, sink);
        else await run.write(sink);
      } catch (error) {
        // Its client may have gone, which is no fault.
        if (!batch.over()) dependencies.log.error({ err: error, requestId: request.requestId }, 'a batch was cut off');
        throw error;
      } finally {
        end?.();
      }
    },
  };
}

const contentTypeOf = (items: ItemsBody): string =>
  items.form === 'file'
    ? typeOfFile(items.file)
    : items.form === 'lines'
      ? linesType
      : 'application/json; charset=utf-8';

interface Source {
  readonly source: ItemSource;
  /** Of a spreadsheet. */
  readonly rows?: FileRows;
}

interface ItemsOf {
  readonly pair: Pair;
  readonly items: ItemsBody;
  /** Of a file: its cells are read as they are meant, where that is sure. */
  readonly isMeant: boolean;
  /** Of such a file: what its columns have beside the decision's fields, and have not of them, is not asked about. */
  readonly takesOthers: boolean;
}

async function readSource(
  { models, routing, schemasOf }: BatchDependencies,
  { pair, items, ...asked }: ItemsOf,
  readItem: ReadItem,
  rules: LinesRules,
): Promise<Source> {
  const { reservation } = rules;
  if (items.form === 'list') return { source: await listSource(items, readItem, reservation) };
  if (items.form === 'lines') return { source: linesSource(items.pieces, readItem, rules) };
  const { workspaceId, decisionId: id } = pair;
  // That nothing is deployed is told after what is wrong with the file.
  const { value: deployed } = await routing.routeOf(pair);
  const schemas = deployed && (await schemasOf({ workspaceId, id, version: deployed.version }, reservation));
  const rows = await readRows(models, { workspaceId, reservation }, { file: items.file, schemas, ...asked });
  const lines = linesSource(rows.pieces, readItem, rules);
  const next = async (most: number): Promise<(Item | FaultyItem)[]> =>
    rows.answers.isFull ? [] : (await lines.next(most)).map((item) => refusedBy(rows, item));
  return { source: { next }, rows };
}

function refusedBy({ refused }: FileRows, item: Item | FaultyItem): Item | FaultyItem {
  const message = refused.get(item.index);
  return message === undefined ? item : faulty(item.index, message);
}

/** Checks all items before the first one runs. Throws `validation_failed` with what is wrong in them, and `overloaded`. */
async function listSource(
  { items: texts }: Extract<ItemsBody, { form: 'list' }>,
  readItem: ReadItem,
  reservation: Reservation,
): Promise<ItemSource> {
  const items: Item[] = [];
  const errors: Violation[] = [];
  const pause = createPause();
  for (const [index, text] of texts.entries()) {
    await pause();
    const read = readItem(index, text);
    const item = read instanceof Promise ? await read : read;
    if (isRunnable(item)) items.push(item);
    else errors.push(...item.violations.map((violation) => within(index, violation)));
    if (errors.length >= maxViolations) break;
  }
  if (errors.length > 0) throw broken(errors.slice(0, maxViolations));
  reservation.grow(bytesOf(items));
  return { next: (most) => Promise.resolve(items.splice(0, most)) };
}

const within = (index: number, { pointer, ...violation }: Violation): Violation => ({
  ...violation,
  pointer: `/items/${index}${pointer}`,
});

function linesSource(
  pieces: AsyncIterable<Buffer>,
  readItem: ReadItem,
  { maxBytes, reservation, over }: LinesRules,
): ItemSource {
  reservation.grow(streamBytes);
  const grow = (bytes: number): Promise<void> => retryWhileOverloaded(over, () => reservation.grow(bytes));
  const shrink = (bytes: number): void => reservation.shrink(bytes);
  const reader = new LineReader(pieces, { maxBytes, maxWaitMs: maxLineMs, grow, shrink });
  let index = 0;
  return {
    async next(most) {
      const lines = await reader.read({ lines: most, bytes: chunkBytes });
      const mostBytes = 2 * lines.reduce((sum, line) => sum + (line?.length ?? 0), 0);
      await grow(mostBytes);
      const items: (Item | FaultyItem)[] = [];
      for (const line of lines) {
        const at = index++;
        if (line === null) items.push(tooLong(at, maxBytes));
        else if (line.length < largeBody) items.push(await readItem(at, line));
        else items.push(await retryWhileOverloaded(over, () => readItem(at, line)));
      }
      shrink(mostBytes - bytesOf(items));
      return items;
    },
  };
}

interface LinesRules {
  readonly maxBytes: number;
  readonly reservation: Reservation;
  readonly over: () => boolean;
}

const tooLong = (index: number, maxBytes: number): FaultyItem => faulty(index, `must have at most ${maxBytes} bytes`);

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
  // Its answers are put into the file once all are there.
  file: () => ({ head: '', answers: (texts) => `${texts.join('\n')}\n`, end: () => '' }),
};

const routeText = ({ deploymentId, version }: Batch['route']): string =>
  `"deploymentId":"${deploymentId}","version":${version}`;
