import { formatJson } from '../../../workers/json/index.js';
import type { Operation } from '#openapi/operations.gen.js';
import type { Call, Values } from '../command.js';
import type { Params } from '../params.js';
import type { Operations, Request } from './service.js';

/** How a command asks for operations with the values of its parameters. @param operations found when it is first needed */
export function createAsking(
  operations: Call['operations'],
  params: Params,
): Pick<Call, 'ask' | 'all' | 'file' | 'resolved'> {
  return {
    resolved: async (values) => resolved(await operations(), params, values),
    async ask(operation, values, headers = {}) {
      const found = await operations();
      const asked = await resolved(found, params, values);
      return { ...(await found.send(operation, { ...requestOf(operation, asked), headers })), asked };
    },
    async all(operation, values) {
      const found = await operations();
      return found.all(operation, requestOf(operation, await resolved(found, params, values)));
    },
    async file(operation, values) {
      const found = await operations();
      const request = requestOf(operation, await resolved(found, params, values));
      return found.file(operation, { ...request, headers: { Accept: 'text/csv' } });
    },
  };
}

/** One after the other, so that the first name that is wrong is the one that is told. */
async function resolved(operations: Operations, params: Params, values: Values): Promise<Values> {
  const asked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const { resolve, own = false } = params[name] ?? {};
    if (value === undefined || own) continue;
    if (value instanceof Date) asked[name] = value.toISOString();
    else asked[name] = resolve === undefined || typeof value !== 'string' ? value : await resolve(operations, value);
  }
  return asked;
}

/** Where the API has each value: in the path, else in the body or, of an operation without one, in the query. */
function requestOf({ path, hasBody }: Operation<unknown>, values: Values): Request {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const all = Object.entries(values) as [string, string | number][];
  const params = Object.fromEntries(all.filter(([name]) => inPath.has(name)));
  const rest = Object.fromEntries(all.filter(([name]) => !inPath.has(name)));
  return hasBody ? { params, body: formatJson(rest) } : { params, query: rest };
}
