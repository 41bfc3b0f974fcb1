import { operations } from '#openapi/operations.gen.js';
import { allowed, type Operations } from './service.js';

/** Who did something, for people: a client by its name and the principal that it stands for. Others are named by their principal. */
type Called = (principal: string | null) => string | null;

/** What a command works with: the service is looked for where somebody is to be named. */
interface Asking {
  readonly service: Operations;
}

const clients = 'client:';

/** What the clients are called among these principals, as far as the client that asks may read it. */
export async function calledBy(call: Asking, principals: readonly (string | null)[]): Promise<Called> {
  const found = principals.some((principal) => principal?.startsWith(clients))
    ? await allowed([], () => call.service.all(operations.listPrincipals))
    : [];
  const names = new Map(found.map(({ principal, name }) => [principal, name]));
  return (principal) => {
    const name = principal === null ? undefined : names.get(principal);
    return name === undefined ? principal : `${name} (${principal})`;
  };
}

/** Items whose fields of these names say who did something, with that said for people. */
export async function byName<Item extends object>(
  call: Asking,
  items: readonly Item[],
  fields: readonly (keyof Item & string)[],
): Promise<Item[]> {
  const principalsOf = (item: Item) => fields.map((field) => [field, item[field] as string | null] as const);
  const called = await calledBy(
    call,
    items.flatMap((item) => principalsOf(item).map(([, principal]) => principal)),
  );
  return items.map((item) => ({
    ...item,
    ...Object.fromEntries(principalsOf(item).map(([field, principal]) => [field, called(principal)])),
  }));
}
