import type { Knex } from 'knex';
import type { CheckAnswer, ModelWork } from '../../workers/models/index.js';
import type { Bundle, Manifest, RunDone, RunStopped } from '../../workers/protocol.js';
import { readContents } from '../decisions/contents.store.js';
import { readRevision } from '../decisions/decisions.store.js';
import type { WorkspaceReader } from '../decisions/directories.js';
import { newEntry } from '../decisions/directory.js';
import { faultDocument } from '../decisions/faults.js';
import { readKey } from '../decisions/keys.js';
import { reachOf, type NamesOf } from '../decisions/writing/manifest.js';
import { Problem } from '../errors.js';
import { logicRoute, type LogicRequest, type LogicRoute } from '../http/routes/logicRoute.js';
import { broken } from '../http/routes/validate.js';
import type { Pool } from '../pool/pool.js';
import { newId } from '../storage/ids.js';
import { evaluationBody, stoppedProblem } from './responseBody.js';
import type { ResultSizes } from './resultSizes.js';
import { randomSeed } from './runProgram.js';
import { DraftRequest, Evaluation } from './runs.schema.js';

export interface DraftDependencies extends WorkspaceReader {
  readonly database: Knex;
  readonly pool: ModelWork & Pick<Pool, 'run'>;
  readonly sizes: ResultSizes;
}

type Request = LogicRequest<unknown, unknown, unknown>;
type ModelDocument = NonNullable<CheckAnswer['document']>;

/** Runs a model that is not stored. */
export function draftRoutes(dependencies: DraftDependencies): LogicRoute[] {
  return [
    logicRoute({
      method: 'POST',
      path: '/logic/evaluations',
      operationId: 'evaluateDraft',
      tag: 'Runs',
      summary: 'Evaluate a draft, which is stored nowhere, with a trace',
      description: "Its sub-decisions are the workspace's working copies, seen from `key`.",
      scope: 'evaluation:write',
      body: DraftRequest,
      factAsText: true,
      replies: { 201: Evaluation },
      problems: ['model_has_faults', 'engine_failure', 'engine_timeout', 'overloaded'],
      async handle(request) {
        const key = keyOf(request.body.key);
        dependencies.sizes.reserve(request.workspaceId, request.reservation);
        const { document, check } = await readDraft(dependencies.pool, request);
        const program = await programOf(dependencies, request.workspaceId, {
          key,
          document,
          names: check.subDecisions,
        });
        const reply = await run(dependencies, request, program);
        if (reply.kind === 'stopped') throw stoppedProblem(reply);
        return { status: 201, body: evaluationBody(newId(), reply) };
      },
    }),
  ];
}

function keyOf(text: string | undefined): string {
  if (text === undefined) return '';
  const read = readKey(text);
  if ('key' in read) return read.key;
  throw broken([{ in: 'body', pointer: '/key', message: read.fault }]);
}

/** A draft with errors is not refused: like a working copy it runs until it reaches one. */
async function readDraft(
  pool: ModelWork,
  { workspaceId, bodyText }: Request,
): Promise<{ document: ModelDocument; check: CheckAnswer['check'] }> {
  const answer = await pool.work(workspaceId, { kind: 'check', text: bodyText, isItem: true });
  if ('reason' in answer) throw stoppedProblem(answer);
  const { document, check } = answer;
  if (document !== null) return { document, check };
  const faults = check.faults.map((fault) => faultDocument({ key: '', fault }));
  throw new Problem('model_has_faults', 'The draft can not be run.', { extensions: { faults } });
}

interface Draft {
  readonly key: string;
  readonly document: ModelDocument;
  readonly names: readonly string[];
}

interface DraftProgram {
  readonly programId: string;
  readonly bundle: string;
}

/**
 * The draft with the working copies that it can reach. The id contains the workspace, so that no other workspace shares
 * the program.
 */
async function programOf(
  { database, directoryOf, namesOf }: DraftDependencies,
  workspaceId: string,
  { key, document: { hash, text }, names }: Draft,
): Promise<DraftProgram> {
  const namesWithDraft: NamesOf = async (hashes) => {
    const others = await namesOf(hashes.filter((each) => each !== hash));
    return new Map([...others, [hash, names]]);
  };
  const revision = names.length === 0 ? undefined : await readRevision(database, workspaceId);
  const { directory } = await directoryOf(workspaceId, revision ?? 0);
  const root = newEntry(key, hash);
  const { decisions, manifest, programId } = await reachOf(root, directory, namesWithDraft);
  const contents = await readContents(
    database,
    decisions.slice(1).map(({ contentHash }) => contentHash),
  );
  contents.set(hash, Buffer.from(text).toString());
  const bundle: Bundle = { manifest: JSON.parse(manifest) as Manifest, contents: Object.fromEntries(contents) };
  return { programId: `draft:${workspaceId}:${programId}`, bundle: JSON.stringify(bundle) };
}

async function run(
  { pool, sizes }: DraftDependencies,
  { workspaceId, bodyText, gone, trace, reservation }: Request,
  { programId, bundle }: DraftProgram,
): Promise<RunDone | RunStopped> {
  const reply = await pool.run(
    workspaceId,
    {
      programId,
      workspaceId,
      configurationId: '',
      body: bodyText,
      traced: true,
      clock: Date.now(),
      seed: randomSeed(),
    },
    { gone: () => gone() || reservation.isAboveShare, trace, provide: () => Promise.resolve({ bundle }) },
  );
  sizes.settle(workspaceId, reservation, { bodyText, reply });
  return reply;
}
