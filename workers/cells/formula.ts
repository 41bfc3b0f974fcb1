import { zenText } from './literals.js';

/** What is wrong with a formula of a spreadsheet, in each language and place. */
export const formulaMessage = 'A formula has no `=` before it here: that sign compares.';

/** Whether a text is one, or a value with `=` before it. */
export const isFormula = (text: string): boolean => /^\s*=(?!=)/.test(text);

/** In characters: so deep is no formula that a person reads, and brackets of a longer one might end the stack. */
const longest = 500;

/** A formula as an expression of ZEN; null where it has something that ZEN has not, or is none. */
export function zenOf(formula: string): string | null {
  const text = formula.trim();
  if (!isFormula(text) || text.length > longest) return null;
  try {
    return new Reader(tokensOf(text.slice(1))).all();
  } catch (error) {
    if (error instanceof Untranslatable) return null;
    throw error;
  }
}

class Untranslatable extends Error {}

const token =
  /\s*(?:("(?:[^"]|"")*")|(\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?%?)|([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)|(<>|<=|>=|[-+*/^&=<>(),;]))/uy;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  // Where `;` stands between arguments, a comma is within numbers.
  const isContinental = text.replaceAll(/"[^"]*"/g, '').includes(';');
  token.lastIndex = 0;
  while (token.lastIndex < text.trimEnd().length) {
    const found = token.exec(text);
    if (found === null) throw new Untranslatable();
    const [, words, number, name, sign] = found;
    if (number !== undefined && number.includes(',') && !isContinental) {
      // 1,2 are two arguments here.
      const [whole = '', ...rest] = number.split(',');
      tokens.push(whole, ',', ...rest);
    } else tokens.push(words ?? number?.replace(',', '.') ?? name ?? sign ?? '');
  }
  return tokens;
}

/** Functions whose arguments are the same. */
const same: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ROUND: 'round',
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
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
);

const levels: readonly Readonly<Record<string, string>>[] = [
  { '=': '==', '<>': '!=', '<': '<', '>': '>', '<=': '<=', '>=': '>=' },
  { '&': '+' },
  { '+': '+', '-': '-' },
  { '*': '*', '/': '/' },
  { '^': '^' },
];

class Reader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  all(): string {
    const whole = this.#operation(0);
    if (this.#at < this.#tokens.length) throw new Untranslatable();
    return whole;
  }

  readonly #peek = (): string => this.#tokens[this.#at] ?? '';

  #operation(level: number): string {
    const signs = levels[level];
    if (signs === undefined) return this.#signed();
    let left = this.#operation(level + 1);
    if ('&' in signs && this.#peek() === '&') {
      // Excel puts numbers together as texts; ZEN only texts.
      const given = [left];
      for (; this.#peek() === '&'; given.push(this.#operation(level + 1))) this.#at++;
      return joinedTexts(given);
    }
    for (let sign = signs[this.#peek()]; sign !== undefined; sign = signs[this.#peek()]) {
      this.#at++;
      left = operationOf(left, sign, this.#operation(level + 1));
    }
    return left;
  }

  #signed(): string {
    if (this.#peek() !== '-') return this.#value();
    this.#at++;
    return `-${this.#value()}`;
  }

  #value(): string {
    const next = this.#peek();
    this.#at++;
    if (next.startsWith('"')) return zenText(next.slice(1, -1).replaceAll('""', "'"));
    if (/^\d/.test(next))
      return next.endsWith('%') ? String(Number((Number(next.slice(0, -1)) / 100).toPrecision(15))) : next;
    if (next === '(') {
      const inner = this.#operation(0);
      this.#expect(')');
      return `(${inner})`;
    }
    if (!/^[\p{L}_]/u.test(next)) throw new Untranslatable();
    const name = next.toUpperCase();
    if (this.#peek() === '(') return this.#called(english.get(name) ?? name);
    if (/^(true|false)$/i.test(next)) return next.toLowerCase();
    // A cell of another sheet's grid is no field.
    if (/^\$?[A-Z]{1,3}\d+$/.test(next)) throw new Untranslatable();
    return next;
  }

  #called(name: string): string {
    this.#expect('(');
    const given: string[] = [];
    while (this.#peek() !== ')') {
      given.push(this.#operation(0));
      if (this.#peek() !== ')' && ![',', ';'].includes(this.#tokens[this.#at++] ?? '')) throw new Untranslatable();
    }
    this.#expect(')');
    return calledOf(name, given);
  }

  #expect(sign: string): void {
    if (this.#tokens[this.#at++] !== sign) throw new Untranslatable();
  }
}

/** Of this day and this moment: ZEN compares dates with dates, and moves them by days with a method. */
const isMoment = (text: string): boolean => text.startsWith('d()');

function operationOf(left: string, sign: string, right: string): string {
  if (!isMoment(left) && !isMoment(right)) return `${left} ${sign} ${right}`;
  if (/^[<>=!]/.test(sign)) {
    const [one, other] = [left, right].map((each) => (isMoment(each) ? each : `d(${each})`));
    return `${one ?? ''} ${sign} ${other ?? ''}`;
  }
  const move = ({ '+': 'add', '-': 'sub' } as Readonly<Record<string, string>>)[sign];
  if (move === undefined || !/^\d+$/.test(right)) throw new Untranslatable();
  return `${left}.${move}(${right}, "day")`;
}

/** Operands put together as texts, whatever they are. */
const joinedTexts = (given: readonly string[]): string =>
  given.map((each) => (/^(?:"[^"]*"|'[^']*')$/.test(each) ? each : `string(${each})`)).join(' + ');

function calledOf(name: string, given: readonly string[]): string {
  const [first = '', second = '', third = 'null'] = given;
  const own = same.get(name);
  if (own !== undefined) return `${own}(${given.join(', ')})`;
  if (ofLists.has(name)) return `${ofLists.get(name) ?? ''}([${given.join(', ')}])`;
  switch (name) {
    case 'IF':
      return `(${first} ? ${second} : ${third})`;
    case 'AND':
    case 'OR':
      return `(${given.join(` ${name.toLowerCase()} `)})`;
    case 'NOT':
      return `not(${first})`;
    case 'MOD':
      return `(${first} % ${second})`;
    case 'TODAY':
      return 'd().startOf("day")';
    case 'NOW':
      return 'd()';
    case 'YEAR':
    case 'MONTH':
    case 'DAY':
      return `d(${first}).${name.toLowerCase()}()`;
    case 'POWER':
      return `(${first} ^ ${second})`;
    case 'CONCATENATE':
    case 'CONCAT':
      return `(${joinedTexts(given)})`;
    default:
      throw new Untranslatable();
  }
}
