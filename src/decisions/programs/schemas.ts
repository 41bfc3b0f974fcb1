import type { ModelWork } from '../../../workers/models/index.js';
import { Recent } from '../../../workers/recent/index.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { Problem } from '../../errors.js';
import { readBundledProgram, findProgram } from './bundledProgram.js';
import type { Programs } from './programs.js';
import { requireFinished } from './requireFinished.js';

/** A version, 0 for the working copy. */
interface SchemasOf {
  readonly workspaceId: string;
  readonly id: string;
  readonly version: number;
}

/** `{input, output, inferred, about}` as JSON. Rejects with `decision_not_found`, `version_not_found`, or why the work was stopped. */
export type ReadSchemas = (of: SchemasOf, reservation: Pick<Reservation, 'grow'>) => Promise<string>;

/** Of a model of which nothing is said: they allow everything. */
export const openSchemas = '{"input":{},"output":{},"inferred":true,"about":""}';

/** Schemas that are remembered, and their UTF-16 units. */
const bounds = { maxCount: 20_000, maxWeight: 16 * 1024 * 1024 };

/**
 * Computes the input and output schemas of models on worker threads, with those of the decisions that they run, and caches
 * them by programs.
 */
export function createSchemas({ programs, models }: { programs: Programs; models: ModelWork }): ReadSchemas {
  const schemas = new Recent<string>(bounds);
  return async ({ workspaceId, ...version }, reservation) => {
    const found = schemas.get(await findProgram(programs, workspaceId, version));
    if (found !== undefined) return found;
    const program = await readBundledProgram(programs, { workspaceId, reservation }, version).catch(unlessTooLarge);
    // No run of it would begin: one such decision must not take the list of all tools with it.
    if (program === undefined) return openSchemas;
    const answer = requireFinished(await models.work(workspaceId, { kind: 'schema', bundle: program.bundle }));
    schemas.set(program.programId, answer.schemas, answer.schemas.length, workspaceId);
    return answer.schemas;
  };
}

function unlessTooLarge(error: unknown): undefined {
  if (!(error instanceof Problem) || error.code !== 'model_too_large') throw error;
}
