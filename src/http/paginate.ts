import type { Knex } from 'knex';
import Type, { type Static, type TSchema } from 'typebox';
import type { Violation } from '../errors.js';
import { idToBytes } from '../storage/ids.js';

export const defaultPageSize = 50;
export const maxPageSize = 5000;

/** Which page a list request asks for. At most one of the cursors is set. */
export interface PageRequest {
  readonly size: number;
  readonly after: Buffer | null;
  readonly before: Buffer | null;
}

export interface Page<T> {
  readonly data: T[];
  readonly page: { size: number; total: number; after: string | null; before: string | null };
}

const PageQuery = Type.Object(
  {
    size: Type.Optional(
      Type.String({
        description: 'Items per page',
        // A query holds text; what this one says is a number.
        documentedAs: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
      }),
    ),
    after: Type.Optional(Type.String({ description: 'Cursor: the page that follows it' })),
    before: Type.Optional(Type.String({ description: 'Cursor: the page that precedes it' })),
  },
  { additionalProperties: false },
);

/** The page envelope of `source.md` around a resource's schema. */
export const pageOf = (item: TSchema): TSchema =>
  Type.Object(
    {
      data: Type.Array(item),
      page: Type.Object(
        {
          size: Type.Integer({ minimum: 0, description: 'Items in this page' }),
          total: Type.Integer({ minimum: 0, description: 'Items in the workspace' }),
          after: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the last item' }),
          before: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the first item' }),
        },
        { title: 'PageInfo' },
      ),
    },
    { title: `${String((item as { title?: string }).title)}Page` },
  );

/** What is wrong with a list's query beyond its schema; what is no text is the schema's to refuse. */
export function findPageFaults({ size, after, before }: Readonly<Record<string, unknown>>): Violation[] {
  const errors: Violation[] = [];
  const blame = (pointer: string, message: string): void => void errors.push({ in: 'query', pointer, message });
  if (typeof size === 'string' && !isSize(size)) blame('size', `must be a whole number from 1 to ${maxPageSize}`);
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (typeof cursor === 'string' && !isCursor(cursor)) blame(name, 'is not a cursor of this service');
  }
  if (after !== undefined && before !== undefined) blame('before', 'cannot be combined with after');
  return errors;
}

/** What an operation that gives pages declares of its query. */
export const paged = { query: PageQuery, findQueryFaults: findPageFaults } as const;

/** Reads the query of a `paged` operation, checked. */
export function readPageRequest({ size, after, before }: Static<typeof PageQuery>): PageRequest {
  return {
    size: size === undefined ? defaultPageSize : Number(size),
    after: after === undefined ? null : Buffer.from(after, 'base64url'),
    before: before === undefined ? null : Buffer.from(before, 'base64url'),
  };
}

const isSize = (text: string): boolean => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPageSize;

/** A cursor is the 16 bytes of an id, as base64url: opaque to clients, and valid after the resource is gone. */
const cursorOf = (id: string): string => idToBytes(id).toString('base64url');

function isCursor(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 16 && bytes.toString('base64url') === text;
}

/**
 * Reads one page by key, never by offset, so that every page costs the same. Page and total are of one moment.
 * @param scoped a query of all rows of the workspace, from a table `inIdOrder`
 */
export async function readPage<T extends { id: string }>(
  scoped: Knex.QueryBuilder,
  request: PageRequest,
  mapRow: (row: never) => T,
): Promise<Page<T>> {
  const counting = scoped.clone().clearSelect().count({ page_total: '*' });
  // One statement sees one state of the table; two would count what the page does not hold, or the other way round.
  const reading = scoped.clone().select({ page_total: counting.clone() }).limit(request.size);
  if (request.before === null) {
    if (request.after !== null) reading.where('id', '>', request.after);
    reading.orderBy('id', 'asc');
  } else {
    reading.where('id', '<', request.before).orderBy('id', 'desc');
  }
  const rows = (await reading) as never[];
  // No row, no total beside it.
  const [counted] = (rows.length > 0 ? rows : await counting) as { page_total: number | string }[];
  if (request.before !== null) rows.reverse();
  const data = rows.map(mapRow);
  const first = data[0];
  const last = data.at(-1);
  return {
    data,
    page: {
      size: data.length,
      total: Number(counted?.page_total ?? 0),
      after: last === undefined ? null : cursorOf(last.id),
      before: first === undefined ? null : cursorOf(first.id),
    },
  };
}
