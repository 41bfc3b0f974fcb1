import { readDay, readTime } from './dates.js';

/** How a value alone may be meant in a column. */
export type Bound = '>=' | '<=' | '>' | '<';
export type Bounds = readonly Bound[];

type Named = readonly (readonly [Bound, RegExp])[];

/** Names of columns of first and of last days and times, and of those that lie beyond. */
const bounds: Named = [
  [
    '>=',
    /(?:^|[ ._-])(?:from|since|as[ ._-]of|(?:on[ ._-]or|and)[ ._-]after|not[ ._-]before|earliest|starting|begins?|ab|von|seit|depuis|vanaf|od|dal|beginn|alkaen|alkaa|från|du|dès|début|desde|inicio|inizio|opens|effective|opening|first|start(?:ing)?)$/iu,
  ],
  [
    '<=',
    /(?:^|[ ._-])(?:until|till|to|(?:on[ ._-]or|and)[ ._-]before|(?:not|no)[ ._-](?:after|later[ ._-]than)|latest|through|ends?|bis|tot|do|al|ende|asti|saakka|päättyy|au|jusqu[’']au|fin|hasta|fine|closes|by|expires|expiry|closing|last|deadline|cut-?off|end(?:ing)?)$/iu,
  ],
  [
    '<',
    /(?:^|[ ._-])(?:before|(?:earlier|sooner)[ ._-]than|prior[ ._-]to|vor|ennen|före|før|avant|antes(?:[ ._-]de)?)$/iu,
  ],
  [
    '>',
    /(?:^|[ ._-])(?:after|later[ ._-]than|nach|jälkeen|efter|etter|après|después(?:[ ._-]de)?|depois(?:[ ._-]de)?)$/iu,
  ],
];

/** Names of columns of lowest and of highest numbers: of a first or last word, or of a last one alone, as an account may be one `to`. */
const numberBounds: Named = [
  [
    '>=',
    /^(?:min|minimum|lower|lowest)\b|(?:^|[ ._-])(?:min\.?|minimum|lower|lowest|at least|from|von|ab|mindestens|alkaen|från|de|à partir de|desde)$/iu,
  ],
  [
    '<=',
    /^(?:max|maximum|upper|highest)\b|(?:^|[ ._-])(?:max\.?|maximum|upper|highest|at most|(?:not|no) (?:over|more than)|to|bis|höchstens|asti|till|à|jusqu[’']à|hasta)$/iu,
  ],
  [
    '>',
    /(?:^|[ ._-])(?:over|above|(?:more|greater|larger|higher|older) than|über|mehr als|yli|över|plus de|más de|più di)$/iu,
  ],
  [
    '<',
    /(?:^|[ ._-])(?:under|below|(?:less|fewer|smaller|lower|younger) than|unter|weniger als|moins de|menos de|meno di)$/iu,
  ],
];

/** What a name may have behind such a word: `Valid from (date)`, `until incl.` */
const tail = /[ ._-]+(?:date|day|time|hour|datum|uhrzeit|incl\.?|inclusive|including|inkl\.?|inklusive)$/iu;
const exclusive = /[ ._-]+(?:excl\.?|exclusive|excluding|exkl\.?|exklusive)$/iu;

/** What a column of the name takes by one value alone, where the name says so. */
function boundNamed(name: string, named: Named): Bound | undefined {
  let words = name.replaceAll(/[()[\]]/g, ' ').trim();
  const isExclusive = exclusive.test(words);
  words = words.replace(exclusive, '');
  for (let shorter = words.replace(tail, ''); shorter !== words; shorter = words.replace(tail, '')) words = shorter;
  const [bound] = named.find(([, pattern]) => pattern.test(words)) ?? [];
  return isExclusive && bound !== undefined ? (bound.startsWith('>') ? '>' : '<') : bound;
}

/** Whether a column of days is called after first or last ones, or what lies beyond. */
export const namesBound = (title: string): boolean => boundNamed(title, bounds) !== undefined;

/** @param cells those of the column, in their order */
export function boundsOf(
  { name }: { readonly name?: unknown },
  cells: readonly string[],
  { kind, isStored }: { readonly kind: string; readonly isStored: boolean },
): Bounds {
  const text = typeof name === 'string' ? name : '';
  if (kind === 'number') {
    // `minScore` and `score_max` are words, too.
    const words = text.trim().replace(/(\p{Ll})(?=\p{Lu})|_/gu, '$1 ');
    const named = isStored ? undefined : boundNamed(words, numberBounds);
    return named === undefined ? [] : [named];
  }
  const named = boundNamed(text, bounds);
  if (named !== undefined) return [named];
  // Who has said that these are dates means each day by itself, as in a list of holidays.
  return !isStored && haveOrder(cells) ? ['>=', '<='] : [];
}

const oneDate = /^(?:[<>]=? *d\()?"(\d{4}-\d\d-\d\d)"\)?$/;
const oneTime = /^(?:time\(\$\) *[<>]=? *time\()?"(\d\d:\d\d(?::\d\d)?)"\)?$/;
const fewest = 3;
const fewestAgain = 2;

/** A moment that a cell is, as ZEN has it and as people write it. */
const moments: readonly ((cell: string) => string | undefined)[] = [
  (cell) => oneDate.exec(cell)?.[1] ?? readDay(cell, { decimal: '.', isMonthFirst: false }),
  (cell) => oneDate.exec(cell)?.[1] ?? readDay(cell, { decimal: '.', isMonthFirst: true }),
  (cell) => oneTime.exec(cell)?.[1] ?? readTime(cell),
];

/**
 * Whether each date or time is later than the one before it, or each is earlier, as those of a table of rates are; with several
 * products they begin again, each with the first one.
 */
function haveOrder(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return moments.some((momentOf) => {
    const found: string[] = [];
    for (const cell of filled) {
      const moment = momentOf(cell);
      if (moment === undefined) return false;
      // Several rows of a day stand together.
      if (moment !== found.at(-1)) found.push(moment);
    }
    if (found.length < fewest) return false;
    return inOrder(found, (one, next) => one < next) || inOrder(found, (one, next) => one > next);
  });
}

function inOrder(found: readonly string[], isNext: (one: string, next: string) => boolean): boolean {
  const begins = found.flatMap((moment, at) => (at > 0 && isNext(found[at - 1] ?? '', moment) ? [] : [{ moment, at }]));
  const isWhole = ({ at }: { readonly at: number }, index: number): boolean =>
    (begins[index + 1]?.at ?? found.length) - at >= fewestAgain;
  return begins.every((begin, index) => begin.moment === begins[0]?.moment && isWhole(begin, index));
}
