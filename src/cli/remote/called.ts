import { operations } from '#openapi/operations.gen.js';
import { isUuid } from '../../storage/ids.js';
import { allowed, type Operations } from './service.js';

/** What something is called for people: a client by its name and the principal that it stands for, what has an id by its name. */
type Called = (named: string | null) => string | null;

/** What a command works with: the service is looked for where somebody is to be named. */
interface Asking {
  readonly service: Operations;
}

const clients = 'client:';

/**
 * What principals are called, and decisions and environments where these fields of items name some, as far as the client that
 * asks may read it.
 */
export async function namesIn(
  call: Asking,
  named: readonly (string | null)[],
  fields: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (named.some((each) => each?.startsWith(clients))) {
    const found = await allowed([], () => call.service.all(operations.listPrincipals));
    for (const { principal, name } of found) names.set(principal, name);
  }
  if (named.length > 0 && fields.includes('decisionId')) {
    const found = await allowed([], () => call.service.all(operations.listDecisions));
    for (const { id, key } of found) names.set(id, key);
  }
  if (named.length > 0 && fields.includes('environmentId')) {
    const found = await allowed([], () => call.service.all(operations.listEnvironments));
    for (const { id, name } of found) names.set(id, name);
  }
  return names;
}

/** How these are called in a text. Others are named by their principal, or their id. */
export async function calledBy(
  call: Asking,
  named: readonly (string | null)[],
  fields: readonly string[] = [],
): Promise<Called> {
  const names = await namesIn(call, named, fields);
  return (each) => {
    const name = each === null ? undefined : names.get(each);
    if (each === null || name === undefined) return each;
    return isUuid(each) ? name : `${name} (${each})`;
  };
}

/** Items whose fields of these names say who did something, or of what, with that said for people. */
export async function byName<Item extends object>(
  call: Asking,
  items: readonly Item[],
  fields: readonly (keyof Item & string)[],
): Promise<Item[]> {
  const namedIn = (item: Item) => fields.map((field) => [field, item[field] as string | null] as const);
  const called = await calledBy(
    call,
    items.flatMap((item) => namedIn(item).map(([, named]) => named)),
    fields,
  );
  return items.map((item) => ({
    ...item,
    ...Object.fromEntries(namedIn(item).map(([field, named]) => [field, called(named)])),
  }));
}
