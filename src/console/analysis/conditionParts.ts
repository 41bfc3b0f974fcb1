import { ApiError, errorsIn } from '../api/client.js';
import type { Operations } from '../api/operations.js';
import type { Analysis, Model } from '../api/types.js';
import { askedConditions, askedNames } from './askedConditions.js';

// What is wanted once somebody asks whether a condition holds.
export { exampleOf } from './example.js';

/** The version that is asked. */
interface Asked {
  readonly api: Operations;
  readonly decisionId: string;
  readonly version: number;
  readonly model: Model;
}

/** All that a typed condition may mean. */
export async function meantBy(
  source: string,
  { api, decisionId: id, version, model }: Asked,
): Promise<readonly string[]> {
  const schemas = await api.ask('GET /logic/decisions/{id}/versions/{version}/schema', { id, version });
  return askedConditions(source, askedNames(model, schemas), (asked) => api.validate('asked', asked));
}

/** What is proved of a condition. Rejects with what is wrong with it alone: nobody knows of the body that it is sent in. */
export async function proved(
  kind: 'never' | 'always',
  source: string,
  { api, decisionId, version }: Asked,
): Promise<Analysis['properties'][number] | null> {
  try {
    const properties = [{ name: `${kind} ${source}`.slice(0, 255), [kind]: source }];
    return (await api.analyse({ decisionId, version, properties })).properties[0] ?? null;
  } catch (error) {
    const [fault] = error instanceof ApiError ? errorsIn(error.body) : [];
    throw fault === undefined ? error : new Error(`It cannot be read: ${fault.message}.`);
  }
}
