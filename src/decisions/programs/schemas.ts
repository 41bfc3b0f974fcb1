import type { Knex } from 'knex';
import type { ModelWork } from '../../../workers/models/index.js';
import { Recent } from '../../../workers/recent/index.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { contentText, readVersion } from '../writing/versions.service.js';
import { stoppedWork } from './stoppedWork.js';

/** A version, 0 for the working copy. */
interface SchemasOf {
  readonly workspaceId: string;
  readonly id: string;
  readonly version: number;
}

/** `{input, output, inferred, about}` as JSON. Rejects with `decision_not_found`, `version_not_found`, or why the work was stopped. */
export type ReadSchemas = (of: SchemasOf, reservation: Pick<Reservation, 'grow'>) => Promise<string>;

/** Schemas that are remembered, and their UTF-16 units. */
const bounds = { maxCount: 20_000, maxWeight: 16 * 1024 * 1024 };

/** Computes the input and output schemas of models on worker threads, and caches them. */
export function createSchemas({ database, pool }: { database: Knex; pool: ModelWork }): ReadSchemas {
  const schemas = new Recent<string>(bounds);
  return async (of, reservation) => {
    const { contentHash } = await readVersion(database, of);
    const found = schemas.get(contentHash);
    if (found !== undefined) return found;
    const text = await contentText(database, contentHash, reservation);
    const answer = await pool.work(of.workspaceId, { kind: 'schema', text });
    if ('reason' in answer) throw stoppedWork(answer);
    schemas.set(contentHash, answer.schemas, answer.schemas.length, of.workspaceId);
    return answer.schemas;
  };
}
