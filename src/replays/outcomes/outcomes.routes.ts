import type { Knex } from 'knex';
import Type from 'typebox';
import { actorOf } from '../../api/actor.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import type { Writer } from '../../audit/audit.store.js';
import { type Violation, Problem } from '../../errors.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { linesType, type ReadText } from '../../http/body/jsonText.js';
import { maxViolations, formatJson, losesDigits, parseExactly } from '../../../workers/json/index.js';
import { broken } from '../../http/body/violations.js';
import type { AnswerSink, StreamedReply } from '../../http/server/answerSink.js';
import { LineReader } from '../../runs/batches/lines.js';
import type { OpenStream } from '../../runs/batches/openStream.js';
import { createPause } from '../../admission/pause.js';
import type { Scheduler } from '../../admission/scheduler.js';
import { Outcome, OutcomesSummary, OutcomesWritten, RefusedOutcome, WriteOutcomes } from './outcomes.schema.js';
import { mostAtOnce, storeOutcomes, type StoredCounts, type ReportedOutcome } from './outcomes.store.js';
import { retryWhileOverloaded } from '../../storage/retryWhileOverloaded.js';
import { createFinder } from '../../api/validate.js';
import { parseTimestamp } from '../../formats.js';

interface Dependencies {
  readonly database: Knex;
  readonly readText: ReadText;
  readonly openStream: OpenStream;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
}

/** How much of a stream is read and written at once. */
const most = { lines: 500, bytes: 128 * 1024 };
/** What a stream holds: what was read of it, the lines as texts and values, and the statement. */
const streamBytes = 8 * most.bytes;
/** How long the end of a line is waited for. */
const maxLineMs = 15_000;

/** What really happened to what was decided. */
export const outcomeRoutes = (parts: Dependencies): LogicRoute[] => [
  logicRoute({
    method: 'PUT',
    path: '/logic/outcomes',
    operationId: 'putOutcomes',
    tag: 'Replays',
    summary: 'Tell what really happened: the same again changes nothing, a later value is kept beside the earlier',
    description:
      'As one JSON object of up to 1,000 outcomes, all of which are kept or none, or as `application/x-ndjson`: one ' +
      'outcome a line, any number of lines. Of lines those that were refused are answered, and at the end the summary.',
    scope: 'outcome:write',
    body: WriteOutcomes,
    itemsBody: 'outcomes',
    lines: { body: Outcome, reply: Type.Union([RefusedOutcome, OutcomesSummary], { title: 'OutcomesAnswer' }) },
    replies: { 200: OutcomesWritten },
    problems: [],
    async handle(request) {
      const { workspaceId, items, reservation, gone } = request;
      const writer = { database: parts.database, actor: actorOf(request) };
      if (items?.form === 'list') return { status: 200, body: await tellAll(parts, writer, workspaceId, items.items) };
      if (items?.form !== 'lines') throw new Error('outcomes without a body');
      return streamed(parts, { writer, workspaceId, pieces: items.pieces, reservation, gone });
    },
  }),
];

/** Throws `validation_failed` with what is wrong in them. */
async function tellAll(
  { readText, scheduler }: Dependencies,
  writer: Writer,
  workspaceId: string,
  texts: readonly Buffer[],
): Promise<StoredCounts> {
  const outcomes: ReportedOutcome[] = [];
  const errors: Violation[] = [];
  const pause = createPause();
  for (const [index, text] of texts.entries()) {
    const read = await readOutcome(text, readText, workspaceId);
    if (!('violations' in read)) outcomes.push(read);
    else errors.push(...read.violations.map((one) => ({ ...one, pointer: `/outcomes/${index}${one.pointer}` })));
    if (errors.length >= maxViolations) break;
    await pause();
  }
  if (errors.length > 0) throw broken(errors.slice(0, maxViolations));
  const refuse = (index: number): Problem => broken(tooManyValues(`/outcomes/${index}`).violations);
  const { added, unchanged } = await scheduler.yieldToLive(workspaceId, () =>
    storeOutcomes(writer, workspaceId, outcomes, refuse),
  );
  return { added, unchanged };
}

interface Stream {
  readonly writer: Writer;
  readonly workspaceId: string;
  readonly pieces: AsyncIterable<Buffer>;
  readonly reservation: Reservation;
  readonly gone: () => boolean;
}

function streamed(parts: Dependencies, stream: Stream): StreamedReply {
  stream.reservation.grow(streamBytes);
  const end = parts.openStream(stream.workspaceId);
  let working = false;
  return {
    status: 200,
    contentType: linesType,
    isWorking: () => working,
    write: (sink) => tellLines(parts, stream, { sink, working: (is) => (working = is) }).finally(end),
  };
}

interface Answering {
  readonly sink: AnswerSink;
  /** Says whether the client has to wait. */
  readonly working: (is: boolean) => void;
}

/** Reads, keeps and answers some lines after the other, so that no more is held however many there are. */
async function tellLines(
  { readText, scheduler }: Dependencies,
  { writer, workspaceId, pieces, reservation, gone }: Stream,
  { sink, working }: Answering,
): Promise<void> {
  const grow = (bytes: number): Promise<void> => retryWhileOverloaded(gone, () => reservation.grow(bytes));
  const shrink = (bytes: number): void => reservation.shrink(bytes);
  const reader = new LineReader(pieces, { maxBytes: maxOutcomeBytes, maxWaitMs: maxLineMs, grow, shrink });
  const pause = createPause();
  const summary = { added: 0, unchanged: 0, refused: 0 };
  for (let index = 0; ;) {
    const lines = await reader.read(most);
    if (lines.length === 0) break;
    const outcomes: ReportedOutcome[] = [];
    const indexes: number[] = [];
    const refusals: Refusal[] = [];
    for (const line of lines) {
      const read = line === null ? tooLong : await readOutcome(line, readText, workspaceId);
      if ('violations' in read) refusals.push({ index, ...read });
      else {
        outcomes.push(read);
        indexes.push(index);
      }
      index++;
      await pause();
    }
    working(true);
    const store = () => storeOutcomes(writer, workspaceId, outcomes);
    const counts = await retryWhileOverloaded(gone, () => scheduler.yieldToLive(workspaceId, store));
    working(false);
    for (const at of counts.refused) refusals.push({ index: indexes[at] ?? 0, ...tooManyValues('') });
    summary.added += counts.added;
    summary.unchanged += counts.unchanged;
    summary.refused += refusals.length;
    if (refusals.length > 0) await sink.write(linesOf(refusals), () => undefined);
  }
  await sink.write(`${JSON.stringify({ summary })}\n`, () => undefined);
}

/** Why a line was refused. */
interface Refusal {
  readonly index: number;
  readonly violations: readonly Violation[];
}

const linesOf = (refusals: Refusal[]): string =>
  refusals
    .sort((one, other) => one.index - other.index)
    .map(({ index, violations }) => `${JSON.stringify({ index, code: 'validation_failed', errors: violations })}\n`)
    .join('');

/** Of one outcome, as it is sent. */
const maxOutcomeBytes = 8192;

type ReadOutcome = ReportedOutcome | { readonly violations: readonly Violation[] };

/** Clocks differ. What lies further ahead is a mistake, and as the latest value it would outweigh all that is told until then. */
const clockToleranceMs = 5 * 60_000;

const find = createFinder(Outcome, 'body');

/** Reads an outcome, and says what is wrong with it. @param owner whose it is */
async function readOutcome(bytes: Buffer, readText: ReadText, owner: string): Promise<ReadOutcome> {
  if (bytes.length > maxOutcomeBytes) return tooLong;
  try {
    const { value, text, large } = await readText(bytes, owner, 'closed');
    const violations = find(value, large);
    return violations.length > 0 ? { violations } : toldOf(value as Outcome, text);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.options.errors === undefined ? faulty('', error.message) : { violations: error.options.errors };
  }
}

function toldOf(outcome: Outcome, text: string): ReadOutcome {
  const { reference, executionId, name, at } = outcome;
  if ((reference === undefined) === (executionId === undefined)) {
    return faulty('', 'must have either reference or executionId');
  }
  const time = at === undefined ? undefined : parseTimestamp(at);
  if (time !== undefined && time.getTime() < 0) return faulty('/at', 'must be 1970-01-01 or later');
  const latest = new Date(Date.now() + clockToleranceMs);
  if (time !== undefined && time > latest)
    return faulty('/at', `must not be in the future: ${latest.toISOString()} at most`);
  const { value } = losesDigits(text) ? (parseExactly(text) as { value: unknown }) : outcome;
  return {
    subject: reference === undefined ? { executionId: executionId?.toLowerCase() ?? '' } : { reference },
    name: name.trim(),
    value: formatJson(value),
    at: time,
  };
}

const faulty = (pointer: string, message: string): ReadOutcome => ({ violations: [{ in: 'body', pointer, message }] });

const tooManyValues = (pointer: string): Pick<Refusal, 'violations'> => ({
  violations: [{ in: 'body', pointer: `${pointer}/at`, message: `is the time of ${mostAtOnce} other values of it` }],
});

const tooLong = faulty('', `must have at most ${maxOutcomeBytes} bytes`);
