// What functions of spreadsheets are in ZEN.

/** Functions whose arguments are the same. */
const same: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ABS: 'abs',
    INT: 'floor',
    TRUNC: 'trunc',
    LEN: 'len',
    UPPER: 'upper',
    LOWER: 'lower',
    TRIM: 'trim',
  }),
);
/** Functions of which ZEN has the one for a list. */
const ofLists: ReadonlyMap<string, string> = new Map(
  Object.entries({
    MIN: 'min',
    MAX: 'max',
    SUM: 'sum',
    AVERAGE: 'avg',
    MEDIAN: 'median',
  }),
);

/** What functions are called where spreadsheets speak German, French or Finnish: a file has the English names, what is typed has not. */
const english: ReadonlyMap<string, string> = new Map(
  Object.entries({
    IF: 'WENN SI JOS',
    AND: 'UND ET JA',
    OR: 'ODER OU TAI',
    NOT: 'NICHT NON EI',
    ROUND: 'RUNDEN ARRONDI PYÖRISTÄ',
    INT: 'GANZZAHL ENT KOKONAISLUKU',
    TRUNC: 'KÜRZEN TRONQUE KATKAISE',
    SUM: 'SUMME SOMME SUMMA',
    AVERAGE: 'MITTELWERT MOYENNE KESKIARVO',
    MOD: 'REST JAKOJ',
    POWER: 'POTENZ PUISSANCE POTENSSI',
    TODAY: 'HEUTE AUJOURDHUI TÄMÄ.PÄIVÄ',
    NOW: 'JETZT MAINTENANT NYT',
    YEAR: 'JAHR ANNEE VUOSI',
    MONTH: 'MONAT MOIS KUUKAUSI',
    DAY: 'TAG JOUR PÄIVÄ',
    CONCATENATE: 'VERKETTEN CONCATENER KETJUTA',
    ROUNDUP: 'AUFRUNDEN ARRONDI.SUP PYÖRISTÄ.DES.YLÖS',
    ROUNDDOWN: 'ABRUNDEN ARRONDI.INF PYÖRISTÄ.DES.ALAS',
    MROUND: 'VRUNDEN ARRONDI.AU.MULTIPLE PYÖRISTÄ.KERR',
    CEILING: 'OBERGRENZE PLAFOND PYÖRISTÄ.KERR.YLÖS CEILING.MATH OBERGRENZE.MATHEMATIK',
    FLOOR: 'UNTERGRENZE PLANCHER PYÖRISTÄ.KERR.ALAS FLOOR.MATH UNTERGRENZE.MATHEMATIK',
    LEFT: 'LINKS GAUCHE VASEN',
    RIGHT: 'RECHTS DROITE OIKEA',
    MID: 'TEIL STXT POIMI.TEKSTI',
    IFERROR: 'WENNFEHLER SIERREUR JOSVIRHE',
    IFS: 'WENNS SI.CONDITIONS JOSS',
    SWITCH: 'ERSTERWERT SI.MULTIPLE MUUTA',
    ISBLANK: 'ISTLEER ESTVIDE ONTYHJÄ',
    SQRT: 'WURZEL RACINE NELIÖJUURI',
    VALUE: 'WERT CNUM ARVO',
    EXACT: 'IDENTISCH EXACT VERTAA',
    DAYS: 'TAGE JOURS PÄIVÄT',
    EDATE: 'EDATUM MOIS.DECALER PÄIVÄ.KUUKAUSI',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);

/** As an operand of any sign. */
const grouped = (text: string): string => (/^[\p{L}\p{N}_.]+$/u.test(text) ? text : `(${text})`);

/** A whole number that stands there as it is; undefined for what is computed. */
const wholeIn = (text: string, most: number): number | undefined =>
  /^\d{1,4}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

const mostDigits = 15;
const mostLetters = 1000;

/** To tens and hundreds, too. */
function rounded(number: string, digits: string): string {
  const [, tens] = /^-(\d)$/.exec(digits) ?? [];
  if (tens !== undefined) return toMultiple('round', number, String(10 ** Number(tens)));
  return `round(${number}${digits === '' ? '' : `, ${digits}`})`;
}

/** Rounded away from zero, or to a multiple: ZEN rounds to whole numbers up and down. */
function roundedUp(number: string, digits: string): string | undefined {
  const places = wholeIn(digits, mostDigits);
  if (places === undefined) return undefined;
  const [by, back] = places === 0 ? ['', ''] : [` * ${10 ** places}`, ` / ${10 ** places}`];
  const one = places === 0 ? number : grouped(number);
  return `(${grouped(number)} < 0 ? floor(${one}${by})${back} : ceil(${one}${by})${back})`;
}

const toMultiple = (how: 'ceil' | 'floor' | 'round', number: string, step = '1'): string =>
  step === '1' ? `${how}(${number})` : `(${how}(${grouped(number)} / ${grouped(step)}) * ${grouped(step)})`;

/** The first, last or middle letters of a text, line ends among them: fewer where it has no more. */
function lettersOf(name: 'LEFT' | 'RIGHT' | 'MID', text: string, counts: readonly string[]): string | undefined {
  const [first, second] = counts.map((each) => wholeIn(each, mostLetters));
  const count = first ?? (counts.length === 0 ? 1 : undefined);
  if (name === 'MID')
    return first === undefined || first === 0 || second === undefined
      ? undefined
      : `extract(${text}, "(?s)^.{0,${first - 1}}(.{0,${second}})")[1]`;
  if (count === undefined) return undefined;
  return `extract(${text}, "${name === 'LEFT' ? `(?s)^.{0,${count}}` : `(?s).{0,${count}}$`}")[0]`;
}

/** Pairs of a condition and a value, the first that holds; the last one alone is for all else. */
function firstOf(given: readonly string[], conditionOf: (text: string) => string): string {
  const [condition, value, ...rest] = given;
  if (condition === undefined) return 'null';
  if (value === undefined) return condition;
  return `(${conditionOf(condition)} ? ${value} : ${firstOf(rest, conditionOf)})`;
}

const units: ReadonlyMap<string, string> = new Map([
  ['"Y"', 'year'],
  ['"M"', 'month'],
  ['"D"', 'day'],
]);

const between = (from: string, to: string, unit: string): string => `d(${to}).diff(d(${from}), "${unit}")`;

/** Operands put together as texts, whatever they are. */
export const joinedTexts = (given: readonly string[]): string =>
  given.map((each) => (/^(?:"[^"]*"|'[^']*')$/.test(each) ? each : `string(${each})`)).join(' + ');

type Written = (...given: string[]) => string | undefined;

const conditions =
  (word: 'and' | 'or'): Written =>
  (...given) =>
    `(${given.join(` ${word} `)})`;
const partOfDate =
  (part: 'year' | 'month' | 'day'): Written =>
  (date = '') =>
    `d(${date}).${part}()`;
const texts: Written = (...given) => `(${joinedTexts(given)})`;
const signed =
  (sign: string): Written =>
  (one = '', other = '') =>
    `(${grouped(one)} ${sign} ${grouped(other)})`;
const isOfType =
  (type: string): Written =>
  (value = '') =>
    `(type(${value}) == "${type}")`;

const written: ReadonlyMap<string, Written> = new Map(
  Object.entries<Written>({
    IF: (condition, value, other = 'null') => `(${condition} ? ${value} : ${other})`,
    IFS: (...given) => firstOf(given, (condition) => condition),
    SWITCH: (value = '', ...given) => firstOf(given, (each) => `${grouped(value)} == ${each}`),
    // What cannot be divided is null here, and what is computed of that an error.
    IFERROR: (value = '', other = '') =>
      /^[\p{L}\p{N}_.]+ \/ [\p{L}\p{N}_.]+$/u.test(value) ? `((${value}) ?? ${grouped(other)})` : undefined,
    AND: conditions('and'),
    OR: conditions('or'),
    NOT: (condition) => `not(${condition})`,
    // The sign is the divisor's there, and the dividend's here.
    MOD: (one = '', other = '') => `(${grouped(one)} - ${grouped(other)} * floor(${grouped(one)} / ${grouped(other)}))`,
    POWER: signed('^'),
    EXACT: signed('=='),
    SQRT: (value = '') => `(${grouped(value)} ^ 0.5)`,
    ROUND: (value = '', digits = '') => rounded(value, digits),
    ROUNDUP: (value = '', digits = '0') => roundedUp(value, digits),
    ROUNDDOWN: (value, digits = '0') => `trunc(${value}, ${digits})`,
    CEILING: (value = '', step) => toMultiple('ceil', value, step),
    FLOOR: (value = '', step) => toMultiple('floor', value, step),
    MROUND: (value = '', step) => toMultiple('round', value, step),
    LEFT: (text = '', ...counts) => lettersOf('LEFT', text, counts),
    RIGHT: (text = '', ...counts) => lettersOf('RIGHT', text, counts),
    MID: (text = '', ...counts) => lettersOf('MID', text, counts),
    VALUE: (text) => `number(${text})`,
    ISBLANK: (value = '') => `(${grouped(value)} == null)`,
    ISNUMBER: isOfType('number'),
    ISTEXT: isOfType('string'),
    TODAY: () => 'd().startOf("day")',
    NOW: () => 'd()',
    YEAR: partOfDate('year'),
    MONTH: partOfDate('month'),
    DAY: partOfDate('day'),
    DAYS: (to = '', from = '') => between(from, to, 'day'),
    DATEDIF: (from = '', to = '', unit = '') =>
      units.has(unit.toUpperCase()) ? between(from, to, units.get(unit.toUpperCase()) ?? '') : undefined,
    EDATE: (date = '', months = '') => (/^\d+$/.test(months) ? `d(${date}).add(${months}, "month")` : undefined),
    CONCATENATE: texts,
    CONCAT: texts,
  }),
);

/** A call of a spreadsheet's function as ZEN; undefined where it has nothing of the kind. */
export function calledOf(called: string, given: readonly string[]): string | undefined {
  const name = english.get(called) ?? called;
  const own = same.get(name);
  if (own !== undefined) return `${own}(${given.join(', ')})`;
  const ofList = ofLists.get(name);
  return ofList === undefined ? written.get(name)?.(...given) : `${ofList}([${given.join(', ')}])`;
}
