import { RegexError } from './tree.js';

const maxDepth = 100;

export interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  /** Greediness is swapped. */
  readonly U: boolean;
  readonly u: boolean;
  readonly x: boolean;
}

export const noFlags: Flags = { i: false, m: false, s: false, U: false, u: true, x: false };

/** Walks the characters of a pattern, and knows the flags that hold where it stands. */
export class PatternCursor {
  flags = noFlags;
  at = 0;
  readonly #characters: readonly string[];
  #depth = 0;

  constructor(source: string) {
    this.#characters = Array.from(source);
  }

  get char(): string | undefined {
    return this.#characters[this.at];
  }

  ahead(text: string): boolean {
    return this.next(text.length) === text;
  }

  accept(text: string): boolean {
    if (!this.ahead(text)) return false;
    this.at += text.length;
    return true;
  }

  take(): string {
    const character = this.char;
    if (character === undefined) throw new RegexError('it ends too early');
    this.at++;
    return character;
  }

  /** Everything up to a character, which is taken too. */
  until(end: string, what: string): string {
    const close = this.#characters.indexOf(end, this.at);
    if (close < 0) throw new RegexError(`${what} is not closed`);
    const text = this.#characters.slice(this.at, close).join('');
    this.at = close + 1;
    return text;
  }

  /** Steps over white space and comments, where the flag `x` is set. */
  skipBlanks(): void {
    if (!this.flags.x) return;
    for (let char = this.char; char !== undefined; char = this.char) {
      if (char === '#') while (this.char !== undefined && this.char !== '\n') this.at++;
      else if (/\s/u.test(char)) this.at++;
      else return;
    }
  }

  nested<T>(parse: () => T): T {
    if (++this.#depth > maxDepth) throw new RegexError('groups and classes nest too deep');
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  /** So many characters from here on, or those that are left. */
  next(count: number): string {
    return this.#characters.slice(this.at, this.at + count).join('');
  }

  get last(): string | undefined {
    return this.#characters[this.at - 1];
  }
}
