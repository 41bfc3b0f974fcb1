import { zenText } from './literals.js';

/** A comparison as ZEN writes it; `==` is left out before a value. */
export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** Words that join two values, as in `18 and over`, or in `between 18 and 24`. */
export const ands = 'and|und|ja|och|et|ed?|y|i|oraz|en|og';
/** Words between alternatives. */
export const ors = 'or|oder|tai|eller|ou|o|lub|albo';
/** Words that join two bounds. */
export const buts = 'but|aber|men|mutta|mais|ma|però|pero|mas|ale|maar';

/** Words and signs that stand before a value, with the operators that they may mean; a line for each language. */
const before: readonly (readonly [Operator | 'until', readonly string[]])[] = [
  [
    '<=',
    [
      '=<|≤|<=|less (?:than )?or equal(?: to)?|no more than|not more than|not over|not above|not after|not exceeding|no (?:higher|greater|larger|older|later) than|at most|(?:up to|until|till) (?:and )?incl(?:uding|\\.)?|up to|maximum|max\\.?|on or before|not later than|(?:at the )?latest|through|thru|valid (?:until|till|to)|end(?:s|ing)|by',
      'höchstens|maximal|bis (?:zu|höchstens|einschl\\.?|einschließlich|inkl\\.?|inklusive)|(?:kleiner|weniger)(?: als)?(?: oder)? gleich|nicht (?:mehr|höher|größer|älter) als|nicht über',
      'enintään|korkeintaan|(?:pienempi|vähemmän) tai yhtä (?:suuri|paljon) kuin',
      'högst|upp till|till och med|t\\.?o\\.?m\\.?|(?:mindre|lägre) än eller lika med',
      "jusqu[’']à|jusqu[’']au|au plus|au maximum|pas plus de|inférieure? ou égale? à",
      'fino a(?:l|i|d)?|al massimo|massimo|entro|non (?:più di|oltre|superiore a)|(?:minore|inferiore) o uguale a',
      'hasta|como máximo|máximo|máx\\.?|no más de|(?:menor|inferior) o igual (?:a|que)',
      'até|no máximo|(?:menor|inferior) ou igual a',
      '(?:co )?najwyżej|maksymalnie|maks\\.?|nie więcej niż',
      'tot en met|t/m|maximaal|hoogstens|ten hoogste|niet meer dan|kleiner dan of gelijk aan',
      'op til|opp til|til og med|højst|højest|høyst|maksimalt|ikke (?:mere end|mer enn|over)|mindre (?:end|enn) eller lig(?: med)?',
    ],
  ],
  [
    '>=',
    [
      '=>|≥|>=|greater (?:than )?or equal(?: to)?|more than or equal to|no less than|not less than|not under|not below|not before|no (?:lower|smaller|younger|earlier|fewer) than|at least|minimum|min\\.?|from|since|as (?:of|from)|starting(?: from| on)?|on or after|effective(?: from)?|with effect from|w\\.?e\\.?f\\.?|(?:at the )?earliest|valid (?:from|since)',
      'ab|seit|mindestens|minimal|(?:größer|mehr)(?: als)?(?: oder)? gleich|nicht (?:weniger|niedriger|kleiner|jünger) als|nicht unter|von',
      'vähintään|alkaen|(?:suurempi|enemmän) tai yhtä (?:suuri|paljon) kuin',
      'minst|från och med|fr\\.?o\\.?m\\.?|från|(?:större|mer|högre) än eller lika med',
      'à partir d[eu]|dès|depuis|au moins|au minimum|pas moins de|supérieure? ou égale? à',
      'da(?:l|i|lle)?|a partire da(?:l|i)?|almeno|minimo|non meno di|(?:maggiore|superiore) o uguale a',
      'desde|a partir de(?:l)?|al menos|por lo menos|como mínimo|mínimo|mín\\.?|no menos de|(?:mayor|superior) o igual (?:a|que)',
      'a partir d[eoa]s?|pelo menos|no mínimo|(?:maior|superior) ou igual a',
      'od|(?:co )?najmniej|nie mniej niż',
      'vanaf|minstens|ten minste|minimaal|niet minder dan|groter dan of gelijk aan',
      'fra og med|fra|mindst|ikke (?:mindre (?:end|enn)|under)|større (?:end|enn) eller lig(?: med)?',
    ],
  ],
  [
    '!=',
    [
      '<>|≠|!=?|not equal to|is not|other than|anything but|except|all but|all except|not',
      'nicht|außer|ei|inte|ikke|sauf|hors|autre que|tou[st] sauf|différente? de',
      'tranne|eccetto|diverso da|excepto|distinto de|exceto|diferente de|oprócz|z wyjątkiem|behalve|niet|undtagen|unntatt',
    ],
  ],
  ['==', ['==|=|exactly|equal to|equals|is|exactement|égale? à']],
  [
    '<',
    [
      '<|under|below|less than|fewer than|lower than|smaller than|younger than|earlier than|prior to|before',
      'unter|weniger als|kleiner als|niedriger als|jünger als|vor|alle|vähemmän kuin|pienempi kuin|mindre än|lägre än|yngre än|före|ennen|moins de|inférieure? à|avant',
      'meno di|sotto|inferiore a|minore di|prima d(?:i|el)',
      'menos (?:de|que)|menor (?:de|que|a)|inferior a|por debajo de|antes de',
      'menos do que|menor do que|abaixo d[eo]s?|antes d[eo]',
      'poniżej|mniej niż|mniejsz[aey] niż|młodsz[aiy] niż|przed',
      'onder|beneden|minder dan|kleiner dan|lager dan|jonger dan|voor',
      'mindre (?:end|enn)|lavere (?:end|enn)|færre (?:end|enn)|yngre (?:end|enn)|før',
    ],
  ],
  [
    '>',
    [
      '>|over|above|more than|greater than|higher than|larger than|older than|later than|after|exceeding',
      'über|mehr als|größer als|höher als|älter als|nach|yli|enemmän kuin|suurempi kuin|över|mer än|större än|högre än|äldre än|efter|jälkeen|plus de|supérieure? à|au-delà de|après',
      'oltre|più di|sopra|superiore a|maggiore di|dopo',
      'más (?:de|que)|mayor (?:de|que|a)|superior a|por encima de|después de',
      'mais (?:de|que|do que)|maior (?:de|que|do que)|acima d[eo]s?|após|depois de',
      'powyżej|ponad|więcej niż|większ[aey] niż|starsz[aiy] niż|po',
      'boven|meer dan|groter dan|hoger dan|ouder dan|na',
      'mere end|mer enn|større (?:end|enn)|højere end|høyere enn|flere (?:end|enn)|ældre end|eldre enn|etter',
    ],
  ],
  ['until', ['until|till|to|bis|saakka|do|tot|til']],
];
/** Of languages that put one before a number or a day: `oltre i 65 anni`, `hasta el 31/12/2026`. */
const article = '(?: (?:i|il|gli|el|los|las|os|dem|den))?';
const prefixes = before.map(
  ([operator, words]) =>
    [operator, new RegExp(`^(?:${words.join('|')})(?:(?<=[<>=≤≥≠!]) ?|${article} )(.+)$`, 'iu')] as const,
);

const more = [
  'more|over|above|older|higher|greater|larger|later|after|up|mehr|älter|höher|größer|länger|später|darüber',
  'enemmän|yli|vanhempi|suurempi|mer|äldre|högre|större|över|plus|davantage',
  'più|oltre|más|mais|acima|więcej|powyżej|starsi|meer|ouder|hoger|groter|mere|flere|derover|ældre|eldre|højere|høyere',
].join('|');
const less = [
  'less|under|below|younger|lower|smaller|fewer|earlier|before|weniger|jünger|niedriger|kleiner|kürzer|früher|darunter',
  'vähemmän|alle|nuorempi|pienempi|mindre|yngre|lägre|moins',
  'meno|menos|abaixo|mniej|poniżej|młodsi|minder|jonger|lager|kleiner|derunder|lavere|færre',
].join('|');
/** Words that stand behind a value, so that `or` and `and` before them join nothing: `18 or more`. */
export const closings = `${more}|${less}`;

const behind = (words: string): RegExp => new RegExp(`^(.+?)(?:${words})$`, 'iu');
const [or, and] = [` (?:${ors}|of)`, ` (?:${ands})`];

/** Words and signs that stand after a value. */
const suffixes: readonly (readonly [readonly Operator[], RegExp])[] = [
  [
    ['>='],
    behind(
      ` ?\\+| plus| upwards| onwards|(?<=\\d) on| en adelante| em diante| in su| wzwyż| alkaen| lähtien|(?:${or}|${and}) (?:${more})|(?<=[\\d%\\p{Sc}\\p{L}]) ?[-–—]`,
    ),
  ],
  [['<='], behind(`${or} (?:${less})`)],
  [['<=', '<'], behind(`${and} (?:${less})| asti| saakka`)],
];
/** What is counted, or its currency, behind the sign: `65+ years`. */
const plusUnit = /^([^+]*\d[^+]*?) ?\+ ?([\p{L}\p{Sc}°][^+\d]*)$/u;

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
  const [, number, unit] = plusUnit.exec(text) ?? [];
  return number === undefined ? undefined : { rest: `${number} ${unit ?? ''}`, operators: ['>='] };
}

/** Words that take everything: an empty cell does. */
export const isEverything = (text: string): boolean =>
  /^(?:any|any value|anything|otherwise|else|[-–—]|\*|beliebig|sonst|muuten|annars|sinon)$/i.test(text);

/** Words that take everything for some, and are texts for others. */
export const maybeEverything = (text: string): boolean => everythings.test(text);

const everything = [
  'n/a|n\\.a\\.|none|others?|all|every|(?:the )?rest|remaining|remainder|(?:every|any)(?:one|body|thing)(?: else)?|any other|all others?|(?:all|any) other \\p{L}+',
  'alle|alles|jede[rs]?|egal|andere|übrige|restliche|weitere|sonstige[rs]?|alle (?:anderen|übrigen|weiteren|sonstigen)',
  'kaikki|muu|muut|loput|kaikki muut',
  'tous|toutes|tout|autres?|(?:le )?reste|(?:tous|toutes) les autres|tout le reste',
  'alla|övriga|övrigt|andra|alla andra|alla övriga|resten',
  'alle(?: de)? (?:andre|øvrige)|andre|øvrige',
  'tutt[ieo]|altr[ieoa]|(?:gli|le) altr[ie]|tutt[ie] (?:gli|le) altr[ie]|(?:il )?resto|tutto il resto',
  'tod[oa]s|otr[oa]s?|(?:(?:tod[oa]s )?(?:los|las) )?(?:demás|otr[oa]s)|todo lo demás|(?:el )?resto|resto|cualquier(?:a| otr[oa])',
  'outr[oa]s?|(?:(?:tod[oa]s )?[oa]s )?(?:outr[oa]s|demais)|(?:o )?resto|qualquer(?: outr[oa])?',
  'wszystk(?:ie|o)|wszyscy|inn[aeiy]|pozostał[aey]|pozostali|reszta|wszystk(?:ie|o) (?:inne|pozostałe)|wszyscy (?:inni|pozostali)|każd[aey](?: inn[aey])?',
  'overig|overige|anders|iedereen|(?:alle|al het) (?:overige|anderen?)|(?:de )?rest|ieder ander',
].join('|');
const everythings = new RegExp(`^(?:${everything}|\\((?:${everything})\\))$`, 'iu');

/** Words before what they take all of: `all customers`. */
export const takesAllOf = (text: string): boolean =>
  /^\(?(?:all|any|every|each|alle|jede[rs]?|kaikki|alla|varje|tous|toutes|chaque|tutt[ie]|ogni|tod[oa]s|cualquier|qualquer|wszystkie|wszyscy|każd[aey]) \p{L}/iu.test(
    text,
  );

/** Of those the words that may mean as well that there is no value, where no texts stand. */
export const maybeNothing = (text: string): boolean => /^(?:n\/a|n\.a\.|none)$/i.test(text);

const [yes, no] = [
  /^(?:yes|y|ja|kyllä|oui|sì|sí|si|sim|tak|x|[✓✔☑✅])$/iu,
  /^(?:no|n|nein|nej|ei|non|não|nie|nee|nei|[✗✘☒❌])$/iu,
];

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
  // In capitals it is Slovenia as often.
  if (text === 'SI') return undefined;
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
