import { maxViolations, shortStep } from '../../../workers/json/index.js';
import type { ModelWork } from '../../../workers/models/index.js';
import type { Problem } from '../../errors.js';
import { broken } from './violations.js';
import type { HttpContext } from '../server/context.js';
import type { ByteAccount } from '../../admission/byteBudget.js';
import { malformed, maxJsonDepth, maxJsonValues, requireItems, requireUtf8 } from './jsonText.js';
import { fileFormatOf, type FileBody } from './fileBody.js';
import { readShared, type ReadLarge } from './largeBody.js';
import { readList, type ListBody } from './listItems.js';
import { bodyPieces } from './pieces.js';

/** A body of many items: one JSON object with a list of them, a stream of lines (NDJSON), or a spreadsheet. */
export type ItemsBody =
  | { readonly form: 'list'; readonly items: readonly Buffer[] }
  | { readonly form: 'lines'; readonly pieces: AsyncIterable<Buffer> }
  | { readonly form: 'file'; readonly file: FileBody };

/** What an operation takes. */
interface ItemsShape {
  /** The name of the list in a JSON object. */
  readonly list: string;
  readonly files: boolean;
}

/** Reads the head of such a body; of a list all of it. Throws as `ReadJson` does. */
export type ReadItems = (ctx: HttpContext, account: ByteAccount, shape: ItemsShape) => Promise<ItemsBody>;

/** Most items of a list. */
export const maxItems = 1000;

interface ItemsOptions {
  /** Reads a list's bytes, up to its limit. */
  readonly readLarge: ReadLarge;
  readonly maxBytes: number;
  /** What one item may have; as many values are allowed for each of them. */
  readonly maxItemBytes: number;
  readonly models: ModelWork;
}

export function createReadItems(options: ItemsOptions): ReadItems {
  return async (ctx, account, { list, files }) => {
    const format = files ? fileFormatOf(ctx) : undefined;
    if (format !== undefined) {
      return { form: 'file', file: { format, bytes: await readShared(ctx, account, options.maxBytes) } };
    }
    if (requireItems(ctx.req, files)) return { form: 'lines', pieces: bodyPieces(ctx.req, account) };
    return { form: 'list', items: await itemsOf(list, await options.readLarge(ctx, account), account, options) };
  };
}

/** Checks all of the body, and finds its items. */
async function itemsOf(
  list: string,
  body: Uint8Array,
  { owner }: ByteAccount,
  { maxBytes, maxItemBytes, models }: ItemsOptions,
): Promise<Buffer[]> {
  const bytes = Buffer.from(body.buffer, 0, body.length);
  requireUtf8(bytes);
  if (bytes.length === 0) throw malformed('The body is empty; a JSON object was expected.');
  const maxValues = maxJsonValues * Math.max(1, Math.ceil(maxBytes / maxItemBytes));
  const limits = { maxBytes: maxItemBytes, maxDepth: maxJsonDepth, maxValues };
  const read = await readList(models, owner, body, { list, called: 'items', maxItems, limits });
  requireList(read, list);
  return read.items.map(({ from, to }) => bytes.subarray(from, to));
}

/** Faults within an item are left to the reader of the items, which reports the faults of all items. */
function requireList({ frame, items }: ListBody, list: string): void {
  const wrong = (pointer: string, message: string): Problem => broken([{ in: 'body', pointer, message }]);
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) throw wrong('', 'must be object');
  const others = Object.keys(frame).filter((name) => name !== list);
  if (others.length > 0) {
    const named = others.slice(0, maxViolations);
    throw broken(named.map((name) => ({ in: 'body', pointer: shortStep(name), message: 'is not a known field' })));
  }
  if (!Object.hasOwn(frame, list)) throw wrong(`/${list}`, 'is required');
  if (!Array.isArray((frame as Readonly<Record<string, unknown>>)[list])) throw wrong(`/${list}`, 'must be array');
  if (items.length === 0) throw wrong(`/${list}`, 'must have at least 1 item');
}
