import type { TSchema } from 'typebox';
import type { Reply, TextsReply } from '../http/server/response.js';
import type { Received } from '../api/operation.js';
import {
  findPageViolations,
  idCursor,
  pageOf,
  pageText,
  readPageRequestBy,
  type CursorKind,
  type PageFields,
} from '../api/paginate.js';
import { mapInTurns } from '../admission/pause.js';
import { Problem } from '../errors.js';
import { fileTypes } from '../http/body/fileTypes.js';
import type { Page, PageRequest } from '../storage/pages.js';
import { textOf } from './answers.js';
import { columnsOf, csvHeader, csvLines, type NamesOf } from './csv.js';

/** A cache on the way keeps the page and the file apart. */
const headers = { Vary: 'Accept' };

/** Items that are read at once for a file: few, so that no other request waits for long. */
const atOnce = 250;

type Asked = Pick<Received<unknown, PageFields, unknown>, 'query' | 'reservation' | 'wants'>;

/**
 * How all lists answer: a page as JSON, or, where Accept asks for `text/csv`, a file of all items that follow. An operation
 * spreads `declared` and answers with `answer`.
 * @param counted false for a list that is too long to be counted
 */
export class List<Cursor = Buffer> {
  readonly #item: TSchema;
  readonly #cursor: CursorKind<Cursor>;
  readonly #counted: boolean;

  constructor(item: TSchema, cursor: CursorKind<Cursor>, counted = true) {
    this.#item = item;
    this.#cursor = cursor;
    this.#counted = counted;
  }

  /** What the operation declares. */
  get declared() {
    return {
      findQueryViolations: findPageViolations(this.#cursor),
      replies: { 200: pageOf(this.#item, this.#counted) },
      fileReply: ['csv'],
    } as const;
  }

  /**
   * @param show an item, as JSON or what becomes it
   * @param namesOf what the file of a list has by name, beside the ids: people, decisions and environments. Left out: nothing
   */
  async answer<Item>(
    { query, reservation, wants }: Asked,
    read: (wanted: PageRequest<Cursor>) => Promise<Page<Item>>,
    show: (item: Item) => string | object = (item) => item as object,
    namesOf?: NamesOf,
  ): Promise<Reply | TextsReply> {
    const wanted = readPageRequestBy(this.#cursor, query, reservation);
    const text = (item: Item): string => textOf(show(item));
    if (!wants(fileTypes.csv)) return { status: 200, headers, body: await pageText(await read(wanted), text) };
    const isOnePage = query.size !== undefined || wanted.before !== null;
    const pages = this.#pages(read, isOnePage ? wanted : { ...wanted, size: atOnce }, isOnePage);
    const contentType = `${fileTypes.csv}; charset=utf-8; header=present`;
    const mayGoOn = (items: readonly Item[]): boolean => !isOnePage && items.length >= atOnce;
    return {
      status: 200,
      headers,
      contentType,
      texts: csvTexts(columnsOf(this.#item, namesOf !== undefined), { pages, mayGoOn }, text, namesOf ?? noNames),
    };
  }

  async *#pages<Item>(
    read: (wanted: PageRequest<Cursor>) => Promise<Page<Item>>,
    first: PageRequest<Cursor>,
    isOne: boolean,
  ): AsyncGenerator<readonly Item[], void> {
    for (let wanted = { ...first, uncounted: true }; ;) {
      const found = await read(wanted).catch(refusedOf(isOne ? 1 : wanted.size));
      if (found === undefined) {
        // Its items are large: the next page is a smaller one.
        wanted = { ...wanted, size: Math.ceil(wanted.size / 10) };
        continue;
      }
      const { data, page } = found;
      yield data;
      if (isOne || data.length < wanted.size || page.after === null) return;
      wanted = { ...wanted, after: this.#cursor.fromBytes(Buffer.from(page.after, 'base64url')) };
    }
  }
}

/** Undefined for a page that may be read in smaller ones. */
const refusedOf =
  (size: number) =>
  (error: unknown): undefined => {
    if (!(error instanceof Problem) || error.code !== 'overloaded' || size === 1) throw error;
  };

/** A list in the order of ids. */
export const listOf = (item: TSchema, { counted = true } = {}): List => new List(item, idCursor, counted);

const noNames: NamesOf = () => Promise.resolve(new Map());

interface Pages<Item> {
  readonly pages: AsyncIterable<readonly Item[]> | Iterable<readonly Item[]>;
  /** Whether others may follow the first one. */
  readonly mayGoOn: (first: readonly Item[]) => boolean;
}

/** The file of a list, some items at a time. */
export async function* csvTexts<Item>(
  columns: ReturnType<typeof columnsOf>,
  { pages, mayGoOn }: Pages<Item>,
  text: (item: Item) => string,
  namesOf: NamesOf,
): AsyncGenerator<string, void> {
  let head: string | undefined = csvHeader(columns);
  for await (const items of pages) {
    const lines = await csvLines(columns, await mapInTurns(items, text), namesOf);
    // Without the mark Excel takes UTF-8 for another encoding; what later pages have is not known yet.
    const isMarked = head !== undefined && (/[^\0-\x7f]/.test(lines) || mayGoOn(items));
    yield `${isMarked ? '\ufeff' : ''}${head ?? ''}${lines}`;
    head = undefined;
  }
}
