import Type, { type Static, type TSchema } from 'typebox';
import type { Violation } from '../errors.js';
import { isCursor, readCursor, type PageRequest } from '../storage/pages.js';

export const defaultPageSize = 50;
export const maxPageSize = 5000;

export const PageQuery = Type.Object(
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
export const findPageFaults = (query: Readonly<Record<string, unknown>>): Violation[] =>
  findFaultsOfPage(query, isCursor);

/** The same for a list whose cursors are not made of ids. */
export function findFaultsOfPage(
  { size, after, before }: Readonly<Record<string, unknown>>,
  isOne: (cursor: string) => boolean,
): Violation[] {
  const errors: Violation[] = [];
  const blame = (pointer: string, message: string): void => void errors.push({ in: 'query', pointer, message });
  if (typeof size === 'string' && !isSize(size)) blame('size', `must be a whole number from 1 to ${maxPageSize}`);
  for (const [name, cursor] of Object.entries({ after, before })) {
    if (typeof cursor === 'string' && !isOne(cursor)) blame(name, 'is not a cursor of this service');
  }
  if (after !== undefined && before !== undefined) blame('before', 'cannot be combined with after');
  return errors;
}

/** What an operation that gives pages declares of its query. */
export const paged = { query: PageQuery, findQueryFaults: findPageFaults } as const;

/** Reads the query of a `paged` operation, checked. */
export function readPageRequest({ size, after, before }: Static<typeof PageQuery>): PageRequest {
  return readKeyedRequest({ size, after, before }, readCursor);
}

/** The same for a list whose cursors are not made of ids. */
export const readKeyedRequest = <Cursor>(
  { size, after, before }: { readonly [Name in 'size' | 'after' | 'before']?: string | undefined },
  readOne: (cursor: string) => Cursor,
): { size: number; after: Cursor | null; before: Cursor | null } => ({
  size: size === undefined ? defaultPageSize : Number(size),
  after: after === undefined ? null : readOne(after),
  before: before === undefined ? null : readOne(before),
});

const isSize = (text: string): boolean => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPageSize;
