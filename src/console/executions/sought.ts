import type { Operations } from '../api/operations.js';
import type { Query } from '../api/client.js';
import type { ExecutionSummary, Page } from '../api/types.js';
import { fits } from './fits.js';

/** A field of fact or result, and what it is to be. */
export interface Sought {
  readonly of: 'fact' | 'result';
  /** Names with dots between them. */
  readonly path: string;
  readonly value: string;
}

export interface SearchProgress {
  readonly found: readonly ExecutionSummary[];
  readonly looked: number;
  /** Facts and results that were not recorded, or not readable. */
  readonly withheld: number;
  /** Whether there are older ones that were not looked at. */
  readonly hasMore: boolean;
}

export const maxLooked = 500;
const pageSize = 50;
const atOnce = 4;

/**
 * Looks into the newest executions that fit the filters, one by one: facts are not indexed. Calls `onProgress` after each
 * page. Rejects where the service refuses.
 */
export async function search(
  api: Operations,
  { filter, sought }: { readonly filter: Query; readonly sought: Sought },
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: SearchProgress) => void },
): Promise<void> {
  let progress: SearchProgress = { found: [], looked: 0, withheld: 0, hasMore: true };
  for (let after: string | null = null; progress.looked < maxLooked && progress.hasMore;) {
    const { data, page }: Page<ExecutionSummary> = await api.ask(
      'GET /logic/executions',
      { ...filter, order: 'desc', size: pageSize, after },
      signal,
    );
    const fitting = await each(data, ({ id }) => isIn(api, id, sought, signal));
    progress = {
      found: [...progress.found, ...data.filter((_, index) => fitting[index] === true)],
      looked: progress.looked + data.length,
      withheld: progress.withheld + fitting.filter((fit) => fit === null).length,
      hasMore: data.length === pageSize && page.after !== null,
    };
    onProgress(progress);
    after = page.after;
  }
}

/** Null where it was not recorded. */
async function isIn(
  api: Operations,
  id: string,
  { of, path, value }: Sought,
  signal: AbortSignal,
): Promise<boolean | null> {
  const recorded = (await api.execution(id, signal))[of];
  return recorded === null ? null : fits(recorded, path, value);
}

/** Does something with each of a list, a few at once. */
async function each<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
