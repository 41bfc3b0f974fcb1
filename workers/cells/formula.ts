import { calledOf, joinedTexts } from './formulaFunctions.js';
import { zenText } from './literals.js';

/** What is wrong with a formula of a spreadsheet, in each language and place. */
export const formulaMessage = 'A formula has no `=` before it here: that sign compares.';

/** Whether a text is one, or a value with `=` before it. */
export const isFormula = (text: string): boolean => /^\s*=(?!=)/.test(text);

/** In characters: so deep is no formula that a person reads, and brackets of a longer one might end the stack. */
const longest = 500;

/** A formula as an expression of ZEN; null where it has something that ZEN has not, or is none. */
export const zenOf = (formula: string): string | null => read(formula).text;

/** The function of a formula that ZEN has nothing for; null where it is something else, or nothing. */
export const unknownIn = (formula: string): string | null => read(formula).unknown;

function read(formula: string): { readonly text: string | null; readonly unknown: string | null } {
  const text = formula.trim();
  if (!isFormula(text) || text.length > longest) return { text: null, unknown: null };
  try {
    return { text: new Reader(tokensOf(text.slice(1))).all(), unknown: null };
  } catch (error) {
    if (error instanceof Untranslatable) return { text: null, unknown: error.called };
    throw error;
  }
}

class Untranslatable extends Error {
  readonly called: string | null;

  /** @param called a function that has no equal here */
  constructor(called: string | null = null) {
    super();
    this.called = called;
  }
}

const token =
  /\s*(?:("(?:[^"]|"")*")|(\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?%?)|([\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*)|(<>|<=|>=|[-+*/^&=<>(),;]))/uy;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const bare = text.replaceAll(/"[^"]*"/g, '');
  // Where `;` stands between arguments a comma is within numbers, as in `fee * 1,19`, where nothing has arguments; `1,000` may be a thousand.
  const isContinental = bare.includes(';') || !/[\p{L}\p{N}_] *\(|\d,\d{3}(?!\d)/u.test(bare);
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
    if (this.#peek() === '(') return this.#called(next);
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
    const text = calledOf(name.toUpperCase(), given);
    if (text === undefined) throw new Untranslatable(name);
    return text;
  }

  #expect(sign: string): void {
    if (this.#tokens[this.#at++] !== sign) throw new Untranslatable();
  }
}

/** Of this day and this moment: ZEN compares dates with dates, and moves them by days with a method. */
const isMoment = (text: string): boolean => text.startsWith('d()');

function operationOf(left: string, sign: string, right: string): string {
  // Texts have no order here.
  if (/^[<>]/.test(sign) && [left, right].some((each) => /^["']/.test(each))) throw new Untranslatable();
  if (!isMoment(left) && !isMoment(right)) return `${left} ${sign} ${right}`;
  if (/^[<>=!]/.test(sign)) {
    const [one, other] = [left, right].map((each) => (isMoment(each) ? each : `d(${each})`));
    return `${one ?? ''} ${sign} ${other ?? ''}`;
  }
  const move = ({ '+': 'add', '-': 'sub' } as Readonly<Record<string, string>>)[sign];
  if (move === undefined || !/^\d+$/.test(right)) throw new Untranslatable();
  return `${left}.${move}(${right}, "day")`;
}
