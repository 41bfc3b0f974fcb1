import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { dayMs } from '../../src/runs/days/days.js';
import { ownContext, RecordCodes, type Codes } from '../../src/runs/recorder/codes.js';
import { idToBytes, newId } from '../../src/storage/ids.js';

/** What the rows are to name, all of it there already. */
export interface Subject {
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly decisionId: string;
}

const executionRows = 2000;
const deploymentRows = 500;
const deploymentsPerEnvironment = 10;
/** Different references of executions. */
const referenced = 2000;

/** When rows were made; the last days before now unless it is said. */
interface Span {
  /** Milliseconds since the epoch. */
  readonly from?: number;
  readonly days: number;
}

const lastDays: Span = { days: 29 };

/** Ids as the service makes them, ascending, spread over some days so that new ones come after them. */
export function oldIds(count: number, { from, days }: Span = lastDays): (index: number) => Buffer {
  const start = from ?? Date.now() - 30 * dayMs;
  const stepMs = (days * dayMs) / count;
  const random = randomBytes(10);
  return (index) => {
    const id = Buffer.alloc(16);
    random.copy(id, 6);
    id.writeUIntBE(Math.floor(start + index * stepMs), 0, 6);
    // Version 7, and a counter where ids share a millisecond.
    id.writeUInt16BE(0x7000 | (index & 0xfff), 6);
    return id;
  };
}

export const timeOf = (id: Buffer): Date => new Date(id.readUIntBE(0, 6));

/** Environments with ten deployments each, of the subject's decision, and their routing. */
export async function seedDeployments(
  database: Knex,
  { workspaceId, decisionId }: Subject,
  count: number,
  advance: (rows: number) => void,
): Promise<void> {
  const environments = Math.ceil(count / deploymentsPerEnvironment);
  const [environmentId, deploymentId] = [oldIds(environments), oldIds(count)];
  const common = { workspace_id: idToBytes(workspaceId) };
  const of = (id: Buffer): object => ({ id, ...common, created_at: timeOf(id), updated_at: timeOf(id) });
  await inChunks(environments, deploymentRows, async (indexes) => {
    const rows = indexes.map((index) => ({ ...of(environmentId(index)), name: `Place ${index}`, color: '#123456' }));
    await database('environments').insert(rows);
  });
  await inChunks(count, deploymentRows, async (indexes) => {
    const pairs = indexes.map((index) => ({
      id: deploymentId(index),
      pair: {
        ...common,
        environment_id: environmentId(Math.floor(index / deploymentsPerEnvironment)),
        decision_id: idToBytes(decisionId),
      },
    }));
    await database('deployments').insert(
      pairs.map(({ id, pair }) => ({ ...of(id), ...pair, version: 1, name: 'Deployment', deployed_by: 'seed' })),
    );
    await database('routings').insert(
      pairs.map(({ id, pair }) => ({ ...pair, deployment_id: id, version: 1, created_at: timeOf(id) })),
    );
    advance(indexes.length);
  });
}

const columns =
  'id, workspace_id, status, fact, result, engine_us, request_id, reference, principal, route, setting, run_context';

const context = { programId: '00'.repeat(32), configurationRevision: 1, clock: 0, seed: 0, factRedacted: false };

/** By which numbers records name the subject. */
function codesOf(database: Knex, subject: Subject, status: 'COMPLETED' | 'FAILED'): Codes | Promise<Codes> {
  const texts = { fact: null, result: '', error: null, trace: null, reference: null };
  const made = { id: newId(), requestId: newId(), createdAt: new Date(), engineUs: 0, principal: 'client:seed' };
  return new RecordCodes(database).of({ ...subject, ...texts, ...made, status, version: 1, context });
}

/** Recorded executions of the subject, as they would stand there after a month. */
export async function seedExecutions(
  database: Knex,
  subject: Subject,
  textsOf: (index: number) => { readonly fact: string; readonly result: string },
  count: number,
  advance: (rows: number) => void,
  span: Span = lastDays,
): Promise<void> {
  const idOf = oldIds(count, span);
  const workspace = idToBytes(subject.workspaceId);
  const codes = {
    COMPLETED: await codesOf(database, subject, 'COMPLETED'),
    FAILED: await codesOf(database, subject, 'FAILED'),
  };
  await inChunks(count, executionRows, async (indexes) => {
    const values = indexes.flatMap((index) => {
      const id = idOf(index);
      const status = index % 100 === 0 ? 'FAILED' : 'COMPLETED';
      const texts = textsOf(index);
      const reference = `customer-${index % referenced}`;
      const { route, setting } = codes[status];
      const ran = [id, workspace, status, texts.fact, texts.result, 120, id, reference, null];
      return [...ran, route, setting, ownContext(context)];
    });
    const bindings = indexes.map(() => '(?,?,?,?,?,?,?,?,?,?,?,?)').join();
    await database.raw(`INSERT INTO executions (${columns}) VALUES ${bindings}`, values as Knex.RawBinding[]);
    advance(indexes.length);
  });
}

export async function inChunks(
  count: number,
  size: number,
  write: (indexes: readonly number[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < count; from += size) {
    await write(Array.from({ length: Math.min(size, count - from) }, (_, index) => from + index));
  }
}
