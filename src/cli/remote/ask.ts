import { formatJson } from '../../../workers/models/exactJson.js';
import type { Operation } from '#openapi/operations.gen.js';
import type { Call, Values } from '../command.js';
import type { Params } from '../params.js';
import type { Request, Service } from './service.js';

/** How a command asks for operations with the values of its parameters. @param service found when it is first needed */
export function createAsking(service: () => Service, params: Params): Pick<Call, 'ask' | 'all' | 'resolved'> {
  return {
    resolved: (values) => resolved(service(), params, values),
    async ask(operation, values) {
      const asked = await resolved(service(), params, values);
      return { ...(await service().send(operation, requestOf(operation, asked))), asked };
    },
    async all(operation, values) {
      return service().all(operation, requestOf(operation, await resolved(service(), params, values)));
    },
  };
}

/** One after the other, so that the first name that is wrong is the one that is told. */
async function resolved(service: Service, params: Params, values: Values): Promise<Values> {
  const asked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const { resolve, own = false } = params[name] ?? {};
    if (value === undefined || own) continue;
    if (value instanceof Date) asked[name] = value.toISOString();
    else asked[name] = resolve === undefined || typeof value !== 'string' ? value : await resolve(service, value);
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
