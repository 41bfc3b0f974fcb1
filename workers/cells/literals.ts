// Cells in the plain notation of ZEN: literals, comparisons and intervals of them, lists of these.

/** What the operands of a plain cell are. */
export type ValueKind = 'number' | 'text' | 'date' | 'dateTime' | 'time' | 'boolean';

export interface PlainCell {
  /** Of all operands; `mixed` of several kinds, undefined where there is nothing but `null`. */
  readonly kind: ValueKind | 'mixed' | undefined;
  /** The texts that it names, without quotes. */
  readonly texts: readonly string[];
  /** A text is compared by its order, which texts have not: this never holds. */
  readonly ordersTexts: boolean;
  /** Its interval is empty. */
  readonly isInverted: boolean;
  /** `5 and 6`, `< 5 and > 6`: no value passes both of what `and` joins. */
  readonly isContradiction: boolean;
}

/** A text as ZEN writes it, which has no escapes; of two kinds of quotes in it one is given up. */
export const zenText = (text: string): string => (text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`);

const text = `"[^"]*"|'[^']*'`;
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+(?:e[+-]?\\d+)?|e[+-]\\d+)?';
const operand = `(?:${text}|${number}|true|false|null|(?:d|time)\\((?:${text})\\))`;
const list = `\\[ *${operand}(?: *, *${operand})* *\\]`;
/** One test, as the source of an expression. */
export const test = [
  `(?:(?:[<>]=?|==|!=) *)?${operand}`,
  `[[(] *${operand} *\\.\\. *${operand} *[\\])]`,
  `(?:not +)?in +${list}`,
  `(?:d|time)\\(\\$\\) *(?:[<>]=?|==|!=) *${operand}`,
].join('|');
const part = `(?:${test})(?: +(?:and|or) +(?:${test}))*`;
const plain = new RegExp(`^(?:${part})(?: *, *(?:${part}))*$`);
/** Two numbers, or one as half of Europe writes it. */
const tightComma = /\d,\d/;
const operands = new RegExp(`(d|time)\\((${text})\\)|(${text})|(true|false)|null|${number}`, 'g');
const oneInterval = new RegExp(`^[[(](${number})\\.\\.(${number})[\\])]$`);
const interval = /[[(] *(-?\d+(?:\.\d+)?) *\.\. *(-?\d+(?:\.\d+)?) *[\])]/g;
const textOrder = new RegExp(`(?<![)$]) *[<>]=? *(?:${text})|(?:${text}) *\\.\\.|\\.\\. *(?:${text})`);
const longest = 4000;

/** What nearly all cells of large tables are. */
const oneNumber = new RegExp(`^(?:[<>]=? *)?${number}$`);
const oneText = /^"([^"]*)"$/;
const numbers: PlainCell = { kind: 'number', texts: [], ordersTexts: false, isInverted: false, isContradiction: false };

/** Undefined for a cell in any other notation. */
export function readPlain(cell: string): PlainCell | undefined {
  const one = oneText.exec(cell)?.[1];
  if (one !== undefined) return { ...numbers, kind: kindOfText(one) ?? 'text', texts: [one] };
  if (oneNumber.test(cell)) return numbers;
  const [, low, high] = oneInterval.exec(cell) ?? [];
  if (high !== undefined) return Number(low) <= Number(high) ? numbers : { ...numbers, isInverted: true };
  const bare = cell.replace(/\s+/g, ' ');
  if (bare.length > longest || !plain.test(bare)) return undefined;
  const withoutTexts = bare.replace(/"[^"]*"|'[^']*'/g, '""');
  if (tightComma.test(withoutTexts)) return undefined;
  const texts: string[] = [];
  const kinds = new Set<ValueKind>();
  for (const [whole, call, inner, literal, truth] of bare.matchAll(operands)) {
    if (call !== undefined) kinds.add(call === 'time' ? 'time' : (kindOfText(unquoted(inner)) ?? 'date'));
    else if (literal !== undefined) {
      texts.push(unquoted(literal));
      kinds.add(kindOfText(unquoted(literal)) ?? 'text');
    } else if (truth !== undefined) kinds.add('boolean');
    else if (whole !== 'null') kinds.add('number');
  }
  return {
    kind: kindOf(kinds),
    texts,
    ordersTexts: textOrder.test(bare.replace(/(?:d|time)\((?:"[^"]*"|'[^']*')\)/g, '0')),
    isInverted: [...withoutTexts.matchAll(interval)].some(([, low, high]) => Number(low) > Number(high)),
    isContradiction: withoutTexts.includes(' and ') && withoutTexts.split(/,| or /).some(isContradiction),
  };
}

const valueAlone = new RegExp(`^${operand}$`);
const comparison = new RegExp(`^([<>])(=?) *(${number})$`);

/** Whether no value passes all that `and` joins: values alone, or comparisons of which one ends before the other begins. */
function isContradiction(alternative: string): boolean {
  const parts = alternative.split(' and ').map((part) => part.trim());
  if (parts.length === 1) return false;
  if (parts.some((part) => valueAlone.test(part))) return true;
  const bounds = parts.map((part) => comparison.exec(part) ?? []);
  return bounds.some(([, low, fromIt, least]) =>
    bounds.some(([, high, toIt, most]) => {
      if (low !== '>' || high !== '<') return false;
      return Number(least) > Number(most) || (Number(least) === Number(most) && (fromIt === '' || toIt === ''));
    }),
  );
}

const unquoted = (literal = ''): string => literal.slice(1, -1);

function kindOf(kinds: ReadonlySet<ValueKind>): PlainCell['kind'] {
  const [first, ...others] = kinds;
  if (others.length === 0) return first;
  const all = [...kinds];
  if (all.every((kind) => kind === 'date' || kind === 'dateTime')) return 'dateTime';
  return all.every((kind) => kind !== 'number' && kind !== 'boolean') ? 'text' : 'mixed';
}

const kindOfText = (text: string): ValueKind | undefined =>
  /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? 'date'
    : /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:\d{2})?$/.test(text)
      ? 'dateTime'
      : /^\d{2}:\d{2}(?::\d{2})?$/.test(text)
        ? 'time'
        : undefined;
