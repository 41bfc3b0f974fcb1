import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { appendAuditEntries, changeEntry } from '../audit/audit.store.js';
import type { Programs } from '../decisions/programs/programs.js';
import { type Violation, notInWorkspace } from '../errors.js';
import { parseTimestamp } from '../formats.js';
import { textBytes, type Reservation } from '../admission/byteBudget.js';
import { mapInTurns } from '../admission/pause.js';
import { broken } from '../http/body/violations.js';
import { refOf } from '../resource/kinds.js';
import { inTransaction } from '../storage/database.js';
import { hourMs } from './counter.js';
import { eachPart } from './eachPart.js';
import { Measured, Measurements, MeasuresQuery } from './measures.schema.js';
import { holdDecision, keyOf, readMeasured, writeMeasured, type MeasuresFilter } from './measures.store.js';
import { Measurement, measurementText } from './measurementText.js';

interface Dependencies {
  readonly database: Knex;
  readonly programs: Pick<Programs, 'requireDecision'>;
}

const tag = 'History';
const dayMs = 24 * hourMs;
/** The longest time of a report, by its step. */
const longest = { hour: 31 * dayMs, day: 366 * dayMs };
/** Parts that are added up for one request, at most. */
const maxParts = 50_000;

/** What was counted of executions. */
export const measureRoutes = (parts: Dependencies): LogicRoute[] => [readRoute(parts), setRoute(parts)];

const readRoute = ({ database, programs }: Dependencies): LogicRoute =>
  logicRoute({
    method: 'GET',
    path: '/logic/measures',
    operationId: 'getMeasures',
    tag,
    summary: 'What a decision answered, by version and hour or day, as it was counted while it ran',
    scope: 'executions:read',
    query: MeasuresQuery,
    findQueryViolations: findSpanViolations,
    replies: { 200: Measurements },
    problems: ['decision_not_found'],
    async handle({ workspaceId, query, reservation }) {
      const { step = 'hour', pointer } = query;
      const span = spanOf(query);
      const [decisionId, environmentId] = [query.decisionId.toLowerCase(), query.environmentId?.toLowerCase()];
      await programs.requireDecision(workspaceId, decisionId);
      const decision = { workspaceId, decisionId };
      const measured = (await readMeasured(database, [decision])).get(keyOf(decision)) ?? [];
      const filter = { ...decision, environmentId, ...span };
      const data = await measurements(database, {
        filter,
        stepMs: step === 'day' ? dayMs : hourMs,
        pointer,
        reservation,
      });
      const head = JSON.stringify({ decisionId, measured, step, ...span });
      return { status: 200, body: `${head.slice(0, -1)},"data":[${data.join()}]}` };
    },
  });

type Span = Pick<MeasuresQuery, 'from' | 'to' | 'step'>;

/** Whole steps of time. */
function spanOf({ from, to, step = 'hour' }: Span): { readonly from: Date; readonly to: Date } {
  const stepMs = step === 'day' ? dayMs : hourMs;
  const until = to === undefined ? Date.now() : (parseTimestamp(to)?.getTime() ?? 0);
  const end = Math.ceil(until / stepMs) * stepMs;
  const since = from === undefined ? end - dayMs : (parseTimestamp(from)?.getTime() ?? 0);
  const start = Math.floor(since / stepMs) * stepMs;
  return { from: new Date(start), to: new Date(end) };
}

/** That they are too many, or none. */
function findSpanViolations({ from, to, step }: Readonly<Record<string, unknown>>): readonly Violation[] {
  const [since, until] = [from, to].map((time) => (isTime(time) ? time : undefined));
  if (since !== from || until !== to) return [];
  const unit = step === 'day' ? 'day' : 'hour';
  const span = spanOf({ from: since, to: until, step: unit } as Span);
  const violation = (message: string): Violation => ({ in: 'query', pointer: 'from', message });
  if (span.from >= span.to) return [violation('must be before `to`')];
  if (span.from.getTime() < 0) return [violation('must be 1970-01-01 or later')];
  const isLong = span.to.getTime() - span.from.getTime() > longest[unit];
  return isLong ? [violation(`must be at most ${longest[unit] / dayMs} days before \`to\``)] : [];
}

const isTime = (text: unknown): text is string => typeof text === 'string' && parseTimestamp(text) !== undefined;

interface MeasuresRequest {
  readonly filter: MeasuresFilter;
  readonly stepMs: number;
  readonly pointer: string | undefined;
  readonly reservation: Reservation;
}

/** Texts of all versions in each step of time, in order. Rejects as `eachPart` does, and with `validation_failed` where parts are too many. */
async function measurements(
  database: Knex,
  { filter, stepMs, pointer, reservation }: MeasuresRequest,
): Promise<string[]> {
  const found = new Map<string, Measurement>();
  const withFields = pointer !== undefined;
  let parts = 0;
  await eachPart(database, filter, { withFields, reservation }, ({ version, hour, ...part }) => {
    if (++parts > maxParts) throw tooMuch();
    const at = Math.floor(hour.getTime() / stepMs) * stepMs;
    const key = `${new Date(at).toISOString()} ${String(version).padStart(10, '0')}`;
    let measurement = found.get(key);
    if (measurement === undefined) found.set(key, (measurement = new Measurement()));
    measurement.add(part, pointer, reservation);
  });
  const keys = [...found.keys()].sort();
  return mapInTurns(keys, (key) => {
    const [at = '', version] = key.split(' ');
    const place = { at: new Date(at), version: Number(version) };
    const text = measurementText(place, found.get(key) ?? new Measurement(), pointer);
    reservation.grow(textBytes(text));
    return text;
  });
}

const tooMuch = () =>
  broken([{ in: 'query', pointer: 'from', message: 'asks for more than can be added up: ask for a shorter time' }]);

const setRoute = ({ database }: Pick<Dependencies, 'database'>): LogicRoute =>
  logicRoute({
    method: 'PUT',
    path: '/logic/decisions/{id}/measured',
    operationId: 'setMeasured',
    tag,
    summary: 'Say which fields of a decision’s results are measured; none at first, as they may be about people',
    scope: 'decision:update',
    params: IdParams,
    body: Measured,
    replies: { 200: Measured },
    problems: ['decision_not_found'],
    async handle(request) {
      const { workspaceId, id: decisionId } = refOf(request);
      const { pointers } = request.body;
      const decision = { workspaceId, decisionId };
      await inTransaction(database, async (transaction) => {
        if (!(await holdDecision(transaction, decision))) throw notInWorkspace('decision', decisionId);
        const before = (await readMeasured(transaction, [decision])).get(keyOf(decision)) ?? [];
        await writeMeasured(transaction, decision, pointers);
        const resource = { type: 'measured', id: decisionId } as const;
        const states = { before: { pointers: before }, after: { pointers } };
        await appendAuditEntries(transaction, [changeEntry(actorOf(request), workspaceId, { resource, ...states })]);
      });
      return { status: 200, body: { pointers } };
    },
  });
