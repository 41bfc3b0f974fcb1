import { zenText } from './literals.js';

/** A comparison as ZEN writes it; `==` is left out before a value. */
export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** Words and signs that stand before a value, with the operators that they may mean. */
const before: readonly (readonly [Operator | 'until', string])[] = [
  [
    '<=',
    "=<|≤|<=|less (?:than )?or equal(?: to)?|no more than|not more than|not over|not above|not after|no (?:higher|greater|larger|older|later) than|at most|up to (?:and )?incl(?:uding|\\.)?|up to|maximum|max\\.?|on or before|by|höchstens|maximal|bis (?:zu|höchstens|einschl\\.?|einschließlich|inkl\\.?|inklusive)|(?:kleiner|weniger)(?: als)?(?: oder)? gleich|nicht (?:mehr|höher|größer|älter) als|nicht über|enintään|korkeintaan|(?:pienempi|vähemmän) tai yhtä (?:suuri|paljon) kuin|högst|till och med|t\\.?o\\.?m\\.?|(?:mindre|lägre) än eller lika med|jusqu[’']à|jusqu[’']au|au plus|au maximum|pas plus de|inférieure? ou égale? à",
  ],
  [
    '>=',
    '=>|≥|>=|greater (?:than )?or equal(?: to)?|more than or equal to|no less than|not less than|not under|not below|not before|no (?:lower|smaller|younger|earlier|fewer) than|at least|minimum|min\\.?|from|since|as of|starting|on or after|ab|seit|mindestens|minimal|(?:größer|mehr)(?: als)?(?: oder)? gleich|nicht (?:weniger|niedriger|kleiner|jünger) als|nicht unter|vähintään|alkaen|(?:suurempi|enemmän) tai yhtä (?:suuri|paljon) kuin|minst|från och med|fr\\.?o\\.?m\\.?|från|(?:större|mer|högre) än eller lika med|von|à partir d[eu]|dès|depuis|au moins|au minimum|pas moins de|supérieure? ou égale? à',
  ],
  [
    '!=',
    '<>|≠|!=?|not equal to|is not|other than|anything but|except|all but|all except|not|nicht|außer|ei|inte|ikke|sauf|hors|autre que|tou[st] sauf|différente? de',
  ],
  ['==', '==|=|exactly|equal to|equals|is|exactement|égale? à'],
  [
    '<',
    '<|under|below|less than|fewer than|lower than|smaller than|younger than|earlier than|before|unter|weniger als|kleiner als|niedriger als|jünger als|vor|alle|vähemmän kuin|pienempi kuin|mindre än|lägre än|yngre än|före|ennen|moins de|inférieure? à|avant',
  ],
  [
    '>',
    '>|over|above|more than|greater than|higher than|larger than|older than|later than|after|exceeding|über|mehr als|größer als|höher als|älter als|nach|yli|enemmän kuin|suurempi kuin|över|mer än|större än|högre än|äldre än|efter|jälkeen|plus de|supérieure? à|au-delà de|après',
  ],
  ['until', 'until|till|to|bis|saakka'],
];
const prefixes = before.map(
  ([operator, words]) => [operator, new RegExp(`^(?:${words})(?:(?<=[<>=≤≥≠!]) ?| )(.+)$`, 'iu')] as const,
);

const more =
  'more|over|above|older|higher|greater|larger|later|after|up|mehr|älter|höher|größer|länger|später|darüber|enemmän|yli|vanhempi|suurempi|mer|äldre|högre|större|över|plus|davantage';
const less =
  'less|under|below|younger|lower|smaller|fewer|earlier|before|weniger|jünger|niedriger|kleiner|kürzer|früher|darunter|vähemmän|alle|nuorempi|pienempi|mindre|yngre|lägre|moins';
/** Words that stand behind a value, so that `or` and `and` before them join nothing: `18 or more`. */
export const closings = `${more}|${less}`;

const behind = (words: string): RegExp => new RegExp(`^(.+?)(?:${words})$`, 'iu');
const [or, and] = [' (?:or|oder|tai|eller|ou)', ' (?:and|und|ja|och|et)'];

/** Words and signs that stand after a value. */
const suffixes: readonly (readonly [readonly Operator[], RegExp])[] = [
  [['>='], behind(` ?\\+| plus| upwards| onwards|(?:${or}|${and}) (?:${more})|(?<=[\\d%\\p{Sc}\\p{L}]) ?[-–—]`)],
  [['<='], behind(`${or} (?:${less})`)],
  [['<=', '<'], behind(`${and} (?:${less})`)],
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
  /^(?:any|any value|anything|otherwise|else|[-–—]|\*|beliebig|sonst|muuten|annars|sinon)$/i.test(text);

/** Words that take everything for some, and are texts for others. */
export const maybeEverything = (text: string): boolean => everythings.test(text);

const everythings = new RegExp(
  `^(?:${[
    'n/a|n\\.a\\.|none|others?|all|every|(?:the )?rest|remaining|remainder|(?:every|any)(?:one|body)(?: else)?|everything else|all others?|(?:all|any) other \\p{L}+',
    'alle|alles|jede[rs]?|egal|andere|übrige|restliche|weitere|sonstige[rs]?|alle (?:anderen|übrigen|weiteren|sonstigen)',
    'kaikki|muu|muut|loput|kaikki muut',
    'tous|toutes|tout|autres?|(?:le )?reste|(?:tous|toutes) les autres',
    'alla|övriga|övrigt|andra|alla andra|alla övriga|øvrige|alle andre',
    'overige|alle overige|todos|todas|otr[oa]s|(?:los|las) demás|(?:el )?resto|outr[oa]s|tutt[ie]|altr[ie]|(?:il )?resto',
  ].join('|')})$`,
  'iu',
);

/** Words before what they take all of: `all customers`. */
export const takesAllOf = (text: string): boolean =>
  /^(?:all|any|every|each|alle|jede[rs]?|kaikki|alla|varje|tous|toutes|chaque) \p{L}/iu.test(text);

/** Of those the words that may mean as well that there is no value, where no texts stand. */
export const maybeNothing = (text: string): boolean => /^(?:n\/a|n\.a\.|none)$/i.test(text);

const [yes, no] = [/^(?:yes|y|ja|kyllä|oui|x|✓|✔)$/i, /^(?:no|n|nein|nej|ei|non)$/i];

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
