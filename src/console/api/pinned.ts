import { modelOf } from './contents.js';
import type { Operations } from './operations.js';
import type { Model } from './types.js';

interface Place {
  /** Of the decision whose version it is. */
  readonly id: string;
  readonly version: number;
  /** Of the decision that the version runs. */
  readonly dependencyId: string;
}

/** What a version runs of another decision, whatever became of that since. */
export async function readPinned(api: Operations, place: Place, signal?: AbortSignal): Promise<Model> {
  const route = 'GET /logic/decisions/{id}/versions/{version}/dependencies/{dependencyId}';
  return modelOf((await api.ask(route, place, signal)).content as unknown as Model);
}
