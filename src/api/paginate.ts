import Type, { type Static, type TSchema } from 'typebox';
import { oneOf } from './fields.js';
import { mapInTurns } from '../admission/pause.js';
import type { Violation } from '../errors.js';
import { isEmptySpan } from '../formats.js';
import type { Order, Page, PageAccount, PageRequest } from '../storage/pages.js';

const defaultPageSize = 50;
export const maxPageSize = 5000;

export const PageQuery = Type.Object(
  {
    size: Type.Optional(
      Type.String({
        description: 'Items per page',
        // A query holds text; the documented type is a number.
        documentedAs: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
      }),
    ),
    after: Type.Optional(Type.String({ description: 'Cursor: the page that follows it' })),
    before: Type.Optional(Type.String({ description: 'Cursor: the page that precedes it' })),
  },
  { additionalProperties: false },
);

export const OrderQuery = oneOf(['asc', 'desc'], {
  default: 'asc',
  description: 'Ascending (oldest first), or descending; `after` and `before` follow it',
});

/**
 * The page envelope of `source.md` around a resource's schema.
 * @param counted false for a list that is too long to be counted: its total is null
 */
export const pageOf = (item: TSchema, counted = true): TSchema =>
  Type.Object(
    {
      data: Type.Array(item),
      page: Type.Object(
        {
          size: Type.Integer({ minimum: 0, description: 'Items in this page' }),
          total: counted
            ? Type.Integer({ minimum: 0, description: 'Items in the workspace' })
            : Type.Null({ description: 'Not counted' }),
          after: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the last item' }),
          before: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the first item' }),
        },
        { title: counted ? 'PageInfo' : 'UncountedPageInfo' },
      ),
    },
    { title: `${String((item as { title?: string }).title)}Page` },
  );

/**
 * How the sort key of a list becomes a cursor (keyset pagination): opaque to clients, and valid after the item is
 * deleted.
 */
export interface CursorKind<Cursor> {
  readonly fromBytes: (bytes: Buffer) => Cursor;
  readonly isCursor: (cursor: Cursor) => boolean;
}

/** The 16 bytes of an id. */
export const idCursor: CursorKind<Buffer> = { fromBytes: (bytes) => bytes, isCursor: (bytes) => bytes.length === 16 };

/** Faults of a list's query beyond its schema, which refuses what is no text. */
export const findPageViolations =
  <Cursor>({ fromBytes, isCursor }: CursorKind<Cursor>) =>
  (query: Readonly<Record<string, unknown>>): Violation[] => {
    const { size, after, before } = query;
    const errors: Violation[] = [];
    const blame = (pointer: string, message: string): void => void errors.push({ in: 'query', pointer, message });
    if (typeof size === 'string' && !isSize(size)) blame('size', `must be a whole number from 1 to ${maxPageSize}`);
    for (const [name, text] of Object.entries({ after, before })) {
      if (typeof text !== 'string') continue;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.toString('base64url') !== text || !isCursor(fromBytes(bytes))) {
        blame(name, 'is not a cursor of this service');
      }
    }
    if (isEmptySpan(query)) blame('from', 'must be before `to`, which is not included');
    if (after !== undefined && before !== undefined) blame('before', 'cannot be combined with after');
    return errors;
  };

/** The fields of a list's query that say which page is meant. */
export type PageFields = { readonly [Name in keyof Static<typeof PageQuery>]?: string | undefined } & {
  readonly order?: Order;
};

/** Reads the query of a list in the order of ids, checked. */
export const readPageRequest = (query: PageFields): PageRequest => readPageRequestBy(idCursor, query);

/** The same, of a list in another order. @param account charged for what the page has of long texts */
export function readPageRequestBy<Cursor>(
  { fromBytes }: CursorKind<Cursor>,
  { size, after, before, order = 'asc' }: PageFields,
  account?: PageAccount,
): PageRequest<Cursor> {
  return {
    size: size === undefined ? defaultPageSize : Number(size),
    after: after === undefined ? null : fromBytes(Buffer.from(after, 'base64url')),
    before: before === undefined ? null : fromBytes(Buffer.from(before, 'base64url')),
    order,
    ...(account === undefined ? {} : { account }),
  };
}

/** A page as JSON, of items that are JSON in part already. */
export async function pageText<T>({ data, page }: Page<T>, text: (item: T) => string): Promise<string> {
  return `{"data":[${(await mapInTurns(data, text)).join()}],"page":${JSON.stringify(page)}}`;
}

const isSize = (text: string): boolean => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPageSize;
