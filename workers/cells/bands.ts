import type { Written } from './forms.js';
import { operandsOf, side, type Operand, type OrderedKind } from './operands.js';
import type { Style } from './style.js';
import { closings, readComparison } from './words.js';

// From one value to another, in words and signs: `18-24`, `over 18 up to 24`, `5 % bis unter 10 %`.

/** `>= 5 and < 10`, `>=5 <10` and `5 < x < 10`, as two comparisons. */
export function bothOf(cell: string): readonly string[] | undefined {
  const around = /^(.+?) ?(<=?|≤) ?[a-z$]\w* ?(<=?|≤) ?(.+)$/i.exec(cell);
  if (around !== null) {
    const [, low = '', first = '', last = '', high = ''] = around;
    return [`${first === '<' ? '>' : '>='} ${low}`, `${last} ${high}`];
  }
  const parts = cell.split(joints);
  return parts.length === 2 && parts.every((part) => /^[<>≤≥=]|^[\p{L}]/u.test(part)) ? parts : undefined;
}

const joints = new RegExp(
  ` ?(?:&&?|,) ?(?=[<>≤≥])| (?:and|und|ja|och|et|but|aber|men|mutta|mais) (?!(?:${closings})(?:$| \\p{L}))| (?=[<>≤≥])(?<=[^<>=≤≥] )|(?<=[\\d%\\p{L}])(?=[<>≤≥])`,
  'iu',
);

/** That its last value is within it is said of most ranges without a word. */
const within = '(?:(?:and )?(?:including|incl\\.?)|einschl\\.?|einschließlich|inkl\\.?|inklusive|och med|zu)';
const separators = new RegExp(
  ` ?(?:\\.{2,3}|…|–|—|~|-) ?| (?:up to|to|bis|till|through|thru|until|à|au|jusqu[’']à|jusqu[’']au)(?: ${within})? |,? (?:and|und|ja|och|et|but|aber|men|mutta|mais) `,
  'giu',
);
/** What joins two values as well as a value and a comparison: `5 and 6` is no range. */
const isJoint = (sign: string): boolean => /^,? (?:and|und|ja|och|et|but|aber|men|mutta|mais) $/iu.test(sign);

const amount = "(?:\\p{Sc} ?)?\\d[\\d.,'’]*(?: \\d{3})*(?: ?(?:%|\\p{Sc}))?";
const bandInWords = new RegExp(
  `^(?:\\p{Ll}+ ){0,2}${amount}(?: \\p{Ll}[\\p{Ll}.'’]*){1,5} ${amount}(?: \\p{L}+)?$`,
  'u',
);

/** Whether words stand between two numbers, as in a range: in all languages, also those that nobody reads here. */
export const maybeBand = (cell: string): boolean => bandInWords.test(cell);

/** One end of a range. */
interface End {
  readonly operand: Operand;
  /** Whether it is within, where a word or a sign says so. */
  readonly isWithin: boolean | undefined;
}

/** Undefined where it is no range; no way to read it where nothing is between its ends. */
export function readRange(cell: string, kind: OrderedKind, style: Style): readonly Written[] | undefined {
  const bracketed = /^([[(])(.+)([\])])$/.exec(cell);
  const inner = (bracketed?.[2] ?? cell)
    .trim()
    .replace(/^(?:from|between|von|zwischen|mellan|från|entre|de|du) (?!och med)/i, '');
  const isBetween = /^(?:between|zwischen|mellan|entre) /i.test(cell);
  const found: Written[] = [];
  let isRange = false;
  for (const { index, 0: sign } of inner.matchAll(isBetween ? / (?:and|und|och|et) /giu : separators)) {
    const [from, to] = [inner.slice(0, index), inner.slice(index + sign.length)];
    for (const high of endsIn(to, '<')) {
      if (isJoint(sign) && !isBetween && high.isWithin === undefined) continue;
      for (const low of likeIts(from, to).flatMap((text) => endsIn(text, '>'))) {
        isRange = true;
        const isOpen = low.isWithin === undefined ? bracketed?.[1] === '(' : !low.isWithin;
        const isEndless = high.isWithin === undefined ? bracketed?.[3] === ')' : !high.isWithin;
        const [first, last] = [low.operand, high.operand];
        const text = rangeText(first, last, kind, [isOpen ? '(' : '[', isEndless ? ')' : ']']);
        if (text !== undefined)
          found.push({ text, form: 'range', units: [first.unit, last.unit].flatMap((unit) => unit ?? []) });
      }
    }
  }
  return isRange ? found : undefined;

  function endsIn(text: string, sign: '<' | '>'): readonly End[] {
    const values = operandsOf[kind](text, style);
    if (values.length > 0) return values.map((operand) => ({ operand, isWithin: undefined }));
    const { operators: [operator, ...others] = [], rest = '' } = readComparison(text) ?? {};
    if (operator?.startsWith(sign) !== true || others.length > 0) return [];
    return operandsOf[kind](rest, style).map((operand) => ({ operand, isWithin: operator !== sign }));
  }
}

/** `5-10%` is five to ten percent, and `1-5k` is from one, or from a thousand. */
function likeIts(low: string, high: string): readonly string[] {
  if (high.endsWith('%') && !low.includes('%')) return [`${low}%`];
  const scale = /\d ?([kKmM]|mio|mn|bn)$/.exec(high)?.[1];
  return scale === undefined || /[\p{L}]$/u.test(low) ? [low] : [low, `${low}${scale}`];
}

function rangeText(
  low: Operand,
  high: Operand,
  kind: OrderedKind,
  [open, close]: readonly [string, string],
): string | undefined {
  if (low.order > high.order || (low.order === high.order && open !== close && low.period === undefined))
    return undefined;
  if (kind === 'number') return `${open}${low.compared}..${high.compared}${close}`;
  const first = low.period?.[open === '(' ? 1 : 0] ?? String(low.order);
  const last = high.period?.[close === ')' ? 0 : 1] ?? String(high.order);
  const of = (text: string): string => `${kind === 'date' ? 'd' : 'time'}("${text}")`;
  return `${side(kind)}>${open === '(' ? '' : '='} ${of(first)} and ${side(kind)}<${close === ')' ? '' : '='} ${of(last)}`;
}
