import type { Analysis, Model } from '../api/types.js';
import { isObject, rowsOf, ruleIndexes, textOf, type Fields } from '../graph/fields.js';
import { isAny } from './collecting.js';

// Rows of a table that takes the first one may hold together. Where one is within the other, that is how such tables are
// written: the special case before the usual one. Where each goes beyond the other, one may have been meant to end earlier.

/** Two rows of which each takes something that the other does not, and other results. */
export interface Together {
  readonly nodeId: string;
  /** The one that counts, then the other, from 0. */
  readonly rows: readonly [number, number];
  /** Where they hold together, in the words of the analysis. */
  readonly message: string;
}

export interface AllTogether {
  readonly found: readonly Together[];
  /** Of which it was not decided. */
  readonly open: readonly Together[];
  /** Whether all pairs of rows were looked at. */
  readonly isAll: boolean;
}

/**
 * What an analysis has found of a model, and whether that is all.
 * @param asked what was analysed: the model as `collecting` makes it
 */
export function togetherIn(model: Model, { tables }: Pick<Analysis, 'tables'>, asked: Model): AllTogether {
  const [found, open]: [Together[], Together[]] = [[], []];
  let isAll = true;
  for (const { nodeId, findings } of tables) {
    const node = model.nodes.find(({ id }) => id === nodeId);
    if (node === undefined || !isObject(node.content) || asked.nodes.includes(node)) continue;
    const { content } = node;
    const rules = rowsOf(content, 'rules');
    const indexes = ruleIndexes(rules);
    for (const { kind, status, rules: ids, message } of findings) {
      if (kind !== 'overlap') continue;
      const [first, second] = ids.map((id) => indexes.get(id) ?? -1).sort((one, other) => one - other);
      const [one, other] = [rules[first ?? -1], rules[second ?? -1]];
      if (one === undefined || other === undefined) isAll = false;
      else if (isCrossing(content, one, other))
        (status === 'proved' ? found : open).push({ nodeId, rows: [first ?? 0, second ?? 0], message });
    }
  }
  return { found, open, isAll };
}

function isCrossing(content: Fields, one: Fields, other: Fields): boolean {
  const idsIn = (list: 'inputs' | 'outputs'): readonly string[] => rowsOf(content, list).map(({ id }) => textOf(id));
  const isSame = (id: string): boolean => textOf(one[id]).trim() === textOf(other[id]).trim();
  if (idsIn('outputs').every(isSame)) return false;
  const isWithin = (inner: Fields, outer: Fields): boolean =>
    idsIn('inputs').every((id) => cellWithin(textOf(inner[id]).trim(), textOf(outer[id]).trim()));
  return !isWithin(one, other) && !isWithin(other, one);
}

/** Whether all that one cell takes is taken by another one, as far as two cells say it. */
function cellWithin(inner: string, outer: string): boolean {
  if (isAny(outer) || inner === outer) return true;
  const [low, high] = [intervalOf(inner), intervalOf(outer)];
  if (low !== null && high !== null) return low.from >= high.from && low.to <= high.to;
  const [few, many] = [textsOf(inner), textsOf(outer)];
  return few !== null && many !== null && [...few].every((text) => many.has(text));
}

const number = String.raw`(-?\d+(?:\.\d+)?)`;
const range = new RegExp(String.raw`^([[(]) *${number} *\.\. *${number} *([\])])$`);
const comparison = new RegExp(`^([<>]=?|==)? *${number}$`);

/** Ends of a cell of numbers; what is not within is as good as a little before it. */
function intervalOf(cell: string): { readonly from: number; readonly to: number } | null {
  const little = 1e-9;
  const [, open, low, high, close] = range.exec(cell) ?? [];
  if (low !== undefined)
    return { from: Number(low) + (open === '(' ? little : 0), to: Number(high) - (close === ')' ? little : 0) };
  const [, sign = '', value] = comparison.exec(cell) ?? [];
  if (value === undefined) return null;
  const bound = Number(value);
  if (sign.startsWith('<')) return { from: -Infinity, to: bound - (sign === '<' ? little : 0) };
  if (sign.startsWith('>')) return { from: bound + (sign === '>' ? little : 0), to: Infinity };
  return { from: bound, to: bound };
}

const texts = /^"[^"]*"(?: *, *"[^"]*")*$/;

const textsOf = (cell: string): ReadonlySet<string> | null =>
  texts.test(cell) ? new Set([...cell.matchAll(/"[^"]*"/g)].map(([text]) => text)) : null;
