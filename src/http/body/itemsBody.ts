import type { Problem } from '../../errors.js';
import { broken, maxViolations, pointerStep } from './violations.js';
import type { HttpContext } from '../server/context.js';
import type { ByteAccount } from './byteBudget.js';
import { unprocessable } from './jsonRules.js';
import { JsonScanner } from './jsonScanner.js';
import { maxJsonValues, malformed, requireUtf8, scanSlice } from './jsonText.js';
import { fileFormatOf, type FileBody } from './fileBody.js';
import { readShared, type ReadLarge } from './largeBody.js';
import { requireItems } from './mediaType.js';
import { bodyPieces } from './pieces.js';
import type { Slices } from '../../scheduler/slices.js';

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

export interface ItemsOptions {
  /** Reads a list's bytes, up to its limit. */
  readonly readLarge: ReadLarge;
  readonly maxBytes: number;
  readonly maxDepth: number;
  /** What one item may have; as many values are allowed for each of them. */
  readonly maxItemBytes: number;
  readonly slices: Slices;
}

export function createReadItems(options: ItemsOptions): ReadItems {
  return async (ctx, account, { list, files }) => {
    const format = files ? fileFormatOf(ctx) : undefined;
    if (format !== undefined) {
      return { form: 'file', file: { format, bytes: await readShared(ctx, account, options.maxBytes) } };
    }
    if (requireItems(ctx.req, files)) return { form: 'lines', pieces: bodyPieces(ctx.req, account) };
    const shared = await options.readLarge(ctx, account);
    return { form: 'list', items: await itemsOf(list, Buffer.from(shared.buffer, 0, shared.length), account, options) };
  };
}

/** Checks all of the body, and finds its items, none of which is parsed. */
async function itemsOf(
  name: string,
  bytes: Buffer,
  { owner }: ByteAccount,
  { maxBytes, maxItemBytes, maxDepth, slices }: ItemsOptions,
): Promise<Buffer[]> {
  requireUtf8(bytes);
  if (bytes.length === 0) throw malformed('The body is empty; a JSON object was expected.');
  const maxValues = maxJsonValues * Math.max(1, Math.ceil(maxBytes / maxItemBytes));
  const kept = { maxOutline: maxItems, list: { name, maxItems: maxItems + 1 } };
  // An item is two levels down, and may be as deep as it is alone.
  const scanner = new JsonScanner(bytes, { maxDepth: maxDepth + 2, maxValues }, kept);
  await slices.run(owner, () => scanSlice(scanner));
  requireList(scanner, name);
  const items: Buffer[] = [];
  for (let at = 0; at < scanner.items.length; at += 2) {
    items.push(bytes.subarray(scanner.items[at], scanner.items[at + 1]));
  }
  return items;
}

/** Faults within an item are left to the reader of the items, which reports the faults of all items. */
function requireList({ outline, items, lists, violations }: JsonScanner, list: string): void {
  const wrong = (pointer: string, message: string): Problem => broken([{ in: 'body', pointer, message }]);
  if (typeof outline !== 'object' || outline === null || Array.isArray(outline)) throw wrong('', 'must be object');
  const others = Object.keys(outline).filter((name) => name !== list);
  if (others.length > 0) {
    const named = others.slice(0, maxViolations);
    throw broken(named.map((name) => ({ in: 'body', pointer: pointerStep(name), message: 'is not a known field' })));
  }
  const listPointer = `/${list}`;
  if (!Object.hasOwn(outline, list)) throw wrong(listPointer, 'is required');
  if (!Array.isArray((outline as Readonly<Record<string, unknown>>)[list])) throw wrong(listPointer, 'must be array');
  if (lists > 1) throw malformed(`The body has \`${list}\` more than once.`);
  if (items.length === 0) throw wrong(listPointer, 'must have at least 1 item');
  if (items.length > 2 * maxItems) throw wrong(listPointer, `must have at most ${maxItems} items`);
  const own = violations.filter(({ pointer }) => !pointer.startsWith(`${listPointer}/`));
  if (own.length > 0) throw unprocessable(own);
}
