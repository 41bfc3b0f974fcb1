import { EngineError, type EngineErrorCode } from '../../errors.js';
import { defaultLimits, type Limits } from '../../limits.js';
import type { Node } from '../ast.js';
import type { Token, TokenKind } from '../lexer.js';
import { quoted, type Span } from '../sourceSpan.js';

/** Walks the tokens of one source and enforces the limits of depth and nodes. */
export class Cursor {
  readonly source: string;
  /** In a unary test outside brackets, `and` and `or` join tests instead of making an expression. */
  joinsTests: boolean;
  /** The closures around the present token; outside of them `#` is a name like any other. */
  closures = 0;
  readonly #limits: Limits;
  #tokens: readonly Token[];
  #at = 0;
  #nodes = 0;
  #depth = 0;
  /** The deepest level of the present operand's tree. */
  #deepest = 0;

  constructor(source: string, tokens: readonly Token[], limits: Limits = defaultLimits, joinsTests = false) {
    this.source = source;
    this.#tokens = tokens;
    this.#limits = limits;
    this.joinsTests = joinsTests;
  }

  get token(): Token {
    return this.peek(0);
  }

  /** The token `ahead` of the present one; the last one is of kind `end` and stays. */
  peek(ahead: number): Token {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)];
    if (!token) throw new Error('a token list always ends with an `end` token');
    return token;
  }

  next(): Token {
    const token = this.token;
    this.#at += 1;
    return token;
  }

  is(kind: TokenKind, text?: string): boolean {
    const token = this.token;
    return token.kind === kind && (text === undefined || token.text === text);
  }

  /** Takes the token when it is the one named. */
  accept(kind: TokenKind, text: string): boolean {
    if (!this.is(kind, text)) return false;
    this.#at += 1;
    return true;
  }

  /** @throws EngineError `syntax_error` naming `text` when another token stands here. */
  expect(kind: TokenKind, text: string): Token {
    if (!this.is(kind, text)) throw this.unexpected(`\`${text}\``);
    return this.next();
  }

  /** End of the token before the present one. */
  get lastEnd(): number {
    return this.#at === 0 ? 0 : (this.#tokens[this.#at - 1]?.span[1] ?? 0);
  }

  /** The span from `start` to the last token taken. */
  spanFrom(start: number): Span {
    return [start, this.lastEnd];
  }

  /** Runs `parse` over the tokens of a template's expression, which must be used up. */
  within<T>(tokens: readonly Token[], parse: () => T): T {
    const outer = { tokens: this.#tokens, at: this.#at };
    this.#tokens = tokens;
    this.#at = 0;
    const result = this.delimited(parse);
    if (!this.is('end')) throw this.unexpected('`}`');
    this.#tokens = outer.tokens;
    this.#at = outer.at;
    return result;
  }

  /** Runs `parse` for what stands between brackets or the like. */
  delimited<T>(parse: () => T): T {
    const outer = this.joinsTests;
    this.joinsTests = false;
    const result = parse();
    this.joinsTests = outer;
    return result;
  }

  /** @throws EngineError `limit_depth` when `parse` would nest too deep. */
  nested<T>(parse: () => T): T {
    const outer = this.#deepest;
    this.#depth += 1;
    this.#deepest = this.#depth;
    this.#checkDepth();
    const result = parse();
    this.#depth -= 1;
    this.#deepest = Math.max(outer, this.#deepest);
    return result;
  }

  /**
   * Counts a postfix step: the operand's whole tree goes one level down.
   * @throws EngineError `limit_depth` when that is too deep
   */
  lower(): void {
    this.#deepest += 1;
    this.#checkDepth();
  }

  #checkDepth(): void {
    if (this.#deepest > this.#limits.expressionDepth) {
      throw this.error('limit_depth', `the expression nests deeper than ${this.#limits.expressionDepth} levels`);
    }
  }

  /** Counts a node. @throws EngineError `limit_ast` when there are too many. */
  node<T extends Node>(node: T): T {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.astNodes) {
      throw this.error('limit_ast', `the expression has more than ${this.#limits.astNodes} parts`);
    }
    return node;
  }

  unexpected(expected: string): EngineError {
    const token = this.token;
    const found = token.kind === 'end' ? 'the end' : quoted(token.text);
    return this.error('syntax_error', `expected ${expected}, found ${found}`);
  }

  error(code: EngineErrorCode, message: string, span: Span = this.token.span): EngineError {
    return new EngineError(code, message, { source: this.source, span });
  }
}
