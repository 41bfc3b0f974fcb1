import { EngineError } from '../errors.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { Span } from './sourceSpan.js';

export type TokenKind = 'number' | 'string' | 'template' | 'word' | 'operator' | 'bracket' | 'end';

/** A part of a template: literal text, or the tokens of an expression. */
type TemplatePart = { readonly text: string; readonly span: Span } | { readonly tokens: Token[]; readonly span: Span };

export interface Token {
  readonly kind: TokenKind;
  /** The source text; of a string what stands between the quotes. `not in` is one operator. */
  readonly text: string;
  readonly span: Span;
  readonly parts?: readonly TemplatePart[];
}

const wordOperators = new Set(['and', 'or', 'in', 'not']);
const skip = /[ \t\r\n]*/y;
const word = /[A-Za-z$_#][A-Za-z0-9$_#]*/y;
const number = /[0-9](?:[0-9_]|\.(?!\.))*/y;
const templateText = /(?:[^`$]|\$(?!\{))*/y;
const exponent = /e[+-]?[0-9]+/y;
const notIn = /[ \t\r\n]+in(?![A-Za-z0-9$_#])/y;
const operators = /\?\?|\.\.|[=!<>]=|[-+*/%^,:.?=;<>!]/y;
const brackets = '()[]{}';
const maxTemplateNesting = 20;
/** An upper bound of the tokens of one node; only the names of an assigned path are tokens without a node. */
const tokensPerNode = 8;

/**
 * Cuts a source into tokens; the last one has the kind `end`.
 * @throws EngineError `syntax_error` at a character that starts no token, or where a string is not closed; `limit_ast`
 * where the tokens are more than those of an expression within its limit
 */
export function tokenize(source: string, limits: Limits = defaultLimits): Token[] {
  return new Lexer(source, limits).tokens(0, false).tokens;
}

class Lexer {
  readonly #source: string;
  /** Templates that stand inside templates, each a recursion here. */
  #nesting = 0;
  readonly #limits: Limits;
  /** Tokens left before the limit, those in templates included. */
  #left: number;

  constructor(source: string, limits: Limits) {
    this.#source = source;
    this.#limits = limits;
    this.#left = limits.astNodes * tokensPerNode;
  }

  /** Tokens from `start` to the end, or to the brace that closes a template's `${`. */
  tokens(start: number, inTemplate: boolean): { tokens: Token[]; end: number } {
    const tokens: Token[] = [];
    let at = start;
    let braces = 0;
    for (;;) {
      at += this.#match(skip, at)?.length ?? 0;
      const char = this.#source[at];
      if (char === undefined) {
        if (inTemplate) throw this.#error(start, at, 'this `${` is not closed: a `}` is missing');
        break;
      }
      if (inTemplate && char === '}' && braces === 0) break;
      if (char === '{') braces += 1;
      if (char === '}') braces -= 1;
      const token = this.#token(char, at);
      this.#count(token.span);
      tokens.push(token);
      at = token.span[1];
    }
    this.#count([at, at]);
    tokens.push({ kind: 'end', text: '', span: [at, at] });
    return { tokens, end: at };
  }

  #count(span: Span): void {
    if (--this.#left >= 0) return;
    const message = `the expression has more than ${this.#limits.astNodes} parts`;
    throw new EngineError('limit_ast', message, { source: this.#source, span });
  }

  #token(char: string, at: number): Token {
    if (char === "'" || char === '"') return this.#string(char, at);
    if (char === '`') return this.#template(at);
    if (brackets.includes(char)) return { kind: 'bracket', text: char, span: [at, at + 1] };
    const name = this.#match(word, at);
    if (name !== undefined) return this.#word(name, at);
    const digits = this.#number(at);
    if (digits !== undefined) return { kind: 'number', text: digits, span: [at, at + digits.length] };
    const operator = this.#match(operators, at);
    if (operator !== undefined) return { kind: 'operator', text: operator, span: [at, at + operator.length] };
    const symbol = String.fromCodePoint(this.#source.codePointAt(at) ?? 0);
    const hint = symbol === '&' ? 'texts are put together with `+`' : 'text belongs in quotes';
    throw this.#error(at, at + symbol.length, `\`${symbol}\` means nothing here; ${hint}`);
  }

  #word(name: string, at: number): Token {
    const end = at + name.length;
    if (!wordOperators.has(name)) return { kind: 'word', text: name, span: [at, end] };
    const tail = name === 'not' ? this.#match(notIn, end) : undefined;
    if (tail !== undefined) return { kind: 'operator', text: 'not in', span: [at, end + tail.length] };
    return { kind: 'operator', text: name, span: [at, end] };
  }

  /** Digits with at most one point; `1..5` is two numbers around `..`. */
  #number(at: number): string | undefined {
    const digits = this.#match(number, at);
    if (digits === undefined) return undefined;
    const firstPoint = digits.indexOf('.');
    const secondPoint = firstPoint < 0 ? -1 : digits.indexOf('.', firstPoint + 1);
    if (secondPoint >= 0) return digits.slice(0, secondPoint);
    return digits + (this.#match(exponent, at + digits.length) ?? '');
  }

  #string(quote: string, at: number): Token {
    const close = this.#source.indexOf(quote, at + 1);
    if (close < 0) throw this.#error(at, this.#source.length, `this text is not closed: a ${quote} is missing`);
    return { kind: 'string', text: this.#source.slice(at + 1, close), span: [at, close + 1] };
  }

  #template(at: number): Token {
    if (this.#nesting > maxTemplateNesting) throw this.#error(at, at + 1, 'too many templates inside templates');
    const parts: TemplatePart[] = [];
    let from = at + 1;
    for (;;) {
      const text = this.#match(templateText, from) ?? '';
      const until = from + text.length;
      if (text !== '') parts.push({ text, span: [from, until] });
      if (this.#source[until] === '`') {
        return { kind: 'template', text: this.#source.slice(at, until + 1), span: [at, until + 1], parts };
      }
      if (until >= this.#source.length) throw this.#error(at, until, 'this template is not closed: a ` is missing');
      this.#nesting += 1;
      const inner = this.tokens(until + 2, true);
      this.#nesting -= 1;
      parts.push({ tokens: inner.tokens, span: [until, inner.end + 1] });
      from = inner.end + 1;
    }
  }

  #match(pattern: RegExp, at: number): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.#source)?.[0];
  }

  #error(start: number, end: number, message: string): EngineError {
    return new EngineError('syntax_error', message, { source: this.#source, span: [start, end] });
  }
}
