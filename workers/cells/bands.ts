import type { Written } from './forms.js';
import { operandsOf, side, type Operand, type OrderedKind } from './operands.js';
import type { Style } from './style.js';
import { ands, buts, closings, readComparison } from './words.js';

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
  ` ?(?:&&?|,) ?(?=[<>≤≥])| (?:${ands}|${buts}) (?!(?:${closings})(?:$| \\p{L}))| (?=[<>≤≥])(?<=[^<>=≤≥] )|(?<=[\\d%\\p{L}])(?=[<>≤≥])`,
  'iu',
);

/** That its last value is within it is said of most ranges without a word. */
const within =
  '(?:(?:and )?(?:including|incl\\.?)|einschl\\.?|einschließlich|inkl\\.?|inklusive|inclusief|(?:og|och|en) me[dt]|zu)';
const tos = [
  "up to|to|bis|till|through|thru|until|à|au|jusqu[’']à|jusqu[’']au",
  'a(?:l|i|d|lle)?|fino a(?:l|i|d)?|hasta|até|do|tot|t/m|opp? til|til|upp till',
].join('|');
const separators = new RegExp(` ?(?:\\.{2,3}|…|–|—|~|-) ?| (?:${tos})(?: ${within})? |,? (?:${ands}|${buts}) `, 'giu');
/** Words before the first of two values; those of the second line are answered by an *and*. */
const froms = 'from|von|från|de|du|da(?:l|i|lle)?|fra|desde|od|van|vanaf';
const betweens = 'between|zwischen|mellan|entre|tra|fra|tussen|mellem|mellom|między|pomiędzy';
const leading = new RegExp(`^(?:${froms}|${betweens}) (?!o(?:ch|g) med)`, 'iu');
/** `fra` is *between* in Italian, and *from* in Danish; *a* is *and* in Polish. */
const between = new RegExp(`^(?:${betweens}) .+ (?:${ands}|a) `, 'iu');
const andBetween = new RegExp(` (?:${ands}|a) `, 'giu');
/** What joins two values as well as a value and a comparison: `5 and 6` is no range. */
const joint = new RegExp(`^,? (?:${ands}|${buts}) $`, 'iu');
const isJoint = (sign: string): boolean => joint.test(sign);

/** The two words that a range of words is between: `Mon-Fri`, `du lundi au vendredi`. */
export function partsOfRange(cell: string): readonly [string, string] | undefined {
  const inner = cell.replace(leading, '');
  const [sign, ...others] = [...inner.matchAll(separators)].filter(([text]) => !isJoint(text));
  if (sign === undefined || others.length > 0) return undefined;
  return [inner.slice(0, sign.index), inner.slice(sign.index + sign[0].length)];
}

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
export function readRange(cell: string, kind: OrderedKind, given: Style): readonly Written[] | undefined {
  const style = kind === 'time' && isNight(cell) ? { ...given, hasHours: true } : given;
  const bracketed = /^([[(])(.+)([\])])$/.exec(cell);
  const inner = (bracketed?.[2] ?? cell).trim().replace(leading, '');
  const isBetween = between.test(cell);
  const found: Written[] = [];
  let isRange = false;
  for (const { index, 0: sign } of inner.matchAll(isBetween ? andBetween : separators)) {
    const [from, to] = [inner.slice(0, index), inner.slice(index + sign.length)];
    for (const high of endsIn(to, '<')) {
      if (isJoint(sign) && !isBetween && high.isWithin === undefined) continue;
      let isFound = false;
      for (const low of likeIts(from, to, kind).flatMap((text) => endsIn(text, '>'))) {
        isRange = true;
        // A day without a year is in the year before only where it can't be in the same one.
        if (isFound && kind === 'date') break;
        const isOpen = low.isWithin === undefined ? bracketed?.[1] === '(' : !low.isWithin;
        const isEndless = high.isWithin === undefined ? bracketed?.[3] === ')' : !high.isWithin;
        const [first, last] = [low.operand, high.operand];
        const text = rangeText(first, last, kind, [isOpen ? '(' : '[', isEndless ? ')' : ']']);
        if (text === undefined) continue;
        isFound = true;
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

const hours = /^(?:\p{L}+ )?(\d\d?) ?h .*?(\d\d?) ?h$/iu;

/** `22h-6h`: no time that passes ends before it begins. */
function isNight(cell: string): boolean {
  const [, first, last] = hours.exec(cell.replace(/[-–—]/, ' - ')) ?? [];
  return last !== undefined && Number(first) > Number(last);
}

/** `5-10%` is five to ten percent, `1-5k` is from one, or from a thousand, and `1.1.–31.3.2026` is in one year. */
function likeIts(low: string, high: string, kind: OrderedKind): readonly string[] {
  if (kind === 'date') return withoutYear(low) ? datesLike(low, high) : [low];
  if (high.endsWith('%') && !low.includes('%')) return [`${low}%`];
  const scale = /\d ?([kKmM]|mio|mn|bn)$/.exec(high)?.[1];
  return scale === undefined || /[\p{L}]$/u.test(low) ? [low] : [low, `${low}${scale}`];
}

const withoutYear = (day: string): boolean =>
  /^\d{1,2}\.?$|^\d{1,2}([./-])\d{1,2}\1?$|^\d{1,2}\p{L}{0,2}\.? \p{L}{3,}\.?$|^\p{L}{3,}\.? \d{1,2}$/u.test(day);

/** A first day with the year of the last one, or with the year before that, and with its month where it is a day alone. */
function datesLike(day: string, last: string): readonly string[] {
  const year = /(?<!\d)(\d{4})$/.exec(last)?.[1];
  if (year === undefined) return [];
  const ofMonth = /^\d{1,2}(?=[. ])/;
  if (/^\d{1,2}\.?$/.test(day)) return ofMonth.test(last) ? [last.replace(ofMonth, day.replace('.', ''))] : [];
  const [sign = ' '] = /[./-]/.exec(/\p{L}/u.test(day) ? '' : day) ?? [];
  const own = day.replace(/(?<=\d)[./-]$/, '');
  return [Number(year), Number(year) - 1].map((each) => `${own}${sign}${each}`);
}

function rangeText(
  low: Operand,
  high: Operand,
  kind: OrderedKind,
  [open, close]: readonly [string, string],
): string | undefined {
  const isHalfOpen = (open === '(') !== (close === ')');
  const isNight = kind === 'time' && low.order > high.order;
  if (!isNight && (low.order > high.order || (low.order === high.order && isHalfOpen && low.period === undefined)))
    return undefined;
  if (kind === 'number') return `${open}${low.compared}..${high.compared}${close}`;
  const first = low.period?.[open === '(' ? 1 : 0] ?? String(low.order);
  const last = high.period?.[close === ')' ? 0 : 1] ?? String(high.order);
  const of = (text: string): string => `${kind === 'date' ? 'd' : 'time'}("${text}")`;
  const joint = isNight ? 'or' : 'and';
  return `${side(kind)}>${open === '(' ? '' : '='} ${of(first)} ${joint} ${side(kind)}<${close === ')' ? '' : '='} ${of(last)}`;
}
