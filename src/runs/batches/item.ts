import { Problem, type Violation } from '../../errors.js';
import { textBytes } from '../../admission/byteBudget.js';
import type { ReadText } from '../../http/body/jsonText.js';
import { createFinder } from '../../api/validate.js';
import { BatchItem } from './batches.schema.js';

/** An item that can be executed. Its text, as it was sent, is the body of its run. */
export interface Item {
  readonly index: number;
  readonly key: string | null;
  readonly reference: string | null;
  readonly text: string;
}

/** One that can't, and why. */
export interface FaultyItem {
  readonly index: number;
  readonly violations: readonly Violation[];
}

export const isRunnable = (item: Item | FaultyItem): item is Item => 'text' in item;

/** What the texts of items take in memory. */
export const bytesOf = (items: readonly (Item | FaultyItem)[]): number =>
  items.reduce((sum, item) => sum + (isRunnable(item) ? textBytes(item.text) : 0), 0);

export type ReadItem = (index: number, bytes: Buffer) => Item | FaultyItem | Promise<Item | FaultyItem>;

interface ItemRules {
  readonly readText: ReadText;
  readonly maxBytes: number;
  /** The workspace that the items belong to. */
  readonly owner: string;
}

const find = createFinder(BatchItem, 'body');

/** Checks items as the bodies of executions are checked. */
export function createReadItem({ readText, maxBytes, owner }: ItemRules): ReadItem {
  return (index, bytes) => {
    if (bytes.length > maxBytes) return faulty(index, `must have at most ${maxBytes} bytes`);
    try {
      const read = readText(bytes, owner, 'open');
      if (!(read instanceof Promise)) return itemOf(index, read);
      return read.then((body) => itemOf(index, body)).catch((error: unknown) => refused(index, error));
    } catch (error) {
      return refused(index, error);
    }
  };
}

function itemOf(
  index: number,
  { value, text, large }: { value: unknown; text: string; large: boolean },
): Item | FaultyItem {
  const violations = find(value, large);
  if (violations.length > 0) return { index, violations };
  // By the schema.
  const { key = null, reference = null } = value as { key?: string; reference?: string };
  return { index, key, reference, text };
}

/** @throws whatever does not lie in the item: where no thread has time for it now, it may be read later */
function refused(index: number, error: unknown): FaultyItem {
  if (!(error instanceof Problem) || error.code === 'overloaded') throw error;
  return error.options.errors === undefined
    ? faulty(index, error.message)
    : { index, violations: error.options.errors };
}

export const faulty = (index: number, message: string): FaultyItem => ({
  index,
  violations: [{ in: 'body', pointer: '', message }],
});
