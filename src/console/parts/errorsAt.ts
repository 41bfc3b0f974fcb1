import { ApiError } from '../api/client.js';

/** What the service says of fields of a body that it refused, by their pointers (`/measure/pointer`). */
export function errorsAt(error: unknown): ReadonlyMap<string, string> {
  const list: unknown = error instanceof ApiError ? error.body['errors'] : undefined;
  const found = new Map<string, string>();
  for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
    if (typeof entry !== 'object' || entry === null || !('pointer' in entry) || !('message' in entry)) continue;
    found.set(String(entry.pointer), String(entry.message));
  }
  return found;
}
