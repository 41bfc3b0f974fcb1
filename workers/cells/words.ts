import { zenText } from './literals.js';

/** A comparison as ZEN writes it; `==` is left out before a value. */
export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** Words and signs that stand before a value, with the operators that they may mean. */
const before: readonly (readonly [Operator | 'until', string])[] = [
  [
    '<=',
    '=<|≤|<=|no more than|not more than|not over|not above|not after|at most|up to and including|up to|maximum|max\\.?|on or before|by|höchstens|enintään|högst|maximal',
  ],
  [
    '>=',
    '=>|≥|>=|no less than|not less than|not under|not below|not before|at least|minimum|min\\.?|from|since|as of|starting|on or after|ab|seit|mindestens|minimal|vähintään|alkaen|minst|från|von',
  ],
  ['!=', '<>|≠|!=?|not equal to|is not|other than|anything but|except|all but|all except|not|nicht|außer|ei|inte|ikke'],
  ['==', '==|=|exactly|equal to|equals|is'],
  [
    '<',
    '<|under|below|less than|fewer than|lower than|smaller than|younger than|earlier than|before|unter|weniger als|kleiner als|vor|alle|mindre än|före|ennen',
  ],
  [
    '>',
    '>|over|above|more than|greater than|higher than|larger than|older than|later than|after|exceeding|über|mehr als|größer als|nach|yli|över|mer än|efter|jälkeen',
  ],
  ['until', 'until|till|to|bis|saakka'],
];
const prefixes = before.map(
  ([operator, words]) => [operator, new RegExp(`^(?:${words})(?:(?<=[<>=≤≥≠!]) ?| )(.+)$`, 'iu')] as const,
);

/** Words and signs that stand after a value. */
const suffixes: readonly (readonly [readonly Operator[], RegExp])[] = [
  [
    ['>='],
    /^(.+?)(?: ?\+| plus| upwards| onwards| (?:or|and) (?:more|over|above|older|higher|greater|larger|later|up|after)| (?:und|oder) (?:mehr|älter)| tai enemmän| eller mer)$/iu,
  ],
  [
    ['<='],
    /^(.+?)(?: or (?:less|under|below|younger|lower|fewer|smaller|earlier|before)| oder weniger| tai vähemmän| eller mindre)$/iu,
  ],
  [['<=', '<'], /^(.+?)(?: and (?:less|under|below|younger|lower|fewer|smaller|earlier))$/iu],
];

/** A text without the word or sign of a comparison, and what that may mean. */
interface Compared {
  readonly rest: string;
  readonly operators: readonly Operator[];
}

/** The comparison that a text begins or ends with. */
export function readComparison(text: string): Compared | undefined {
  for (const [operator, pattern] of prefixes) {
    const rest = pattern.exec(text)?.[1];
    if (rest !== undefined) return { rest, operators: operator === 'until' ? ['<=', '<'] : [operator] };
  }
  for (const [operators, pattern] of suffixes) {
    const rest = pattern.exec(text)?.[1];
    if (rest !== undefined) return { rest, operators };
  }
  return undefined;
}

/** Words that take everything: an empty cell does. */
export const isEverything = (text: string): boolean =>
  /^(?:any|any value|anything|otherwise|else|[-–—]|\*|beliebig|sonst|muuten|annars)$/i.test(text);

/** Words that take everything for some, and are texts for others. */
export const maybeEverything = (text: string): boolean =>
  /^(?:n\/a|n\.a\.|none|others?|all|every|alle|alles|jede[rs]?|egal|kaikki|alla)$/i.test(text);

/** Of those the words that may mean as well that there is no value, where no texts stand. */
export const maybeNothing = (text: string): boolean => /^(?:n\/a|n\.a\.|none)$/i.test(text);

const [yes, no] = [/^(?:yes|y|ja|kyllä|x|✓|✔)$/i, /^(?:no|n|nein|nej|ei)$/i];

const [sheetTrue, sheetFalse] = [
  /^(?:wahr|tosi|sant|sand|sann|vrai|vero|verdadero|verdadeiro|waar|prawda)$/i,
  /^(?:falsch|epätosi|falskt?|usann|faux|falso|onwaar|fałsz)$/i,
];

const isTruthElsewhere = (text: string): boolean => sheetTrue.test(text) || sheetFalse.test(text);

/** Booleans as spreadsheets of other languages save them, in capitals: `SAND` is one, `sand` a word. */
export const isSheetTruth = (text: string): boolean => text === text.toUpperCase() && isTruthElsewhere(text);

/** `true` and `false` as spreadsheets and people write them; undefined for what is neither. */
export function readTruth(text: string): { readonly text: string; readonly isSure: boolean } | undefined {
  if (/^(?:true|false)$/i.test(text)) return { text: text.toLowerCase(), isSure: true };
  if (isTruthElsewhere(text)) return { text: sheetTrue.test(text) ? 'true' : 'false', isSure: false };
  return yes.test(text) || no.test(text) ? { text: yes.test(text) ? 'true' : 'false', isSure: false } : undefined;
}

const quotes = /["“”„‟«»″]/;
const quoted = /^["“”„‟«»‘’‚'″](.*)["“”„‟«»‘’'″]$/su;

/** Whether a text has quotes that no program reads as quotes. */
export const hasForeignQuotes = (text: string): boolean => /[“”„‟«»″]|^[‘‚]|[’]$/u.test(text);

/** Words, as they stand in lists of products and countries, as a literal; undefined for what is no text. */
export function readText(text: string): string | undefined {
  const inner = quoted.exec(text)?.[1];
  if (inner !== undefined) return quotes.test(inner) ? undefined : zenText(inner);
  // Calls, lists, comparisons and names of the engine are ZEN, right or wrong; `$/kWh` is a price's unit.
  const isZen =
    /^!|["<>=[\]{}$`“”„«»]|[\p{L}\p{N}_]\(/u.test(text) && !/^\p{Lu}{0,3}\$(?: ?\/ ?\p{L}[\p{L} /]*)?$/u.test(text);
  return isZen || !/[\p{L}\p{N}\p{Sc}]/u.test(text) ? undefined : zenText(text);
}
