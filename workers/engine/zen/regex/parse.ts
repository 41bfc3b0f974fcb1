import { codeOf, parseClass, range, setEscape } from './classes.js';
import { noFlags, PatternCursor, type Flags } from './cursor.js';
import { lastCode } from './ranges.js';
import { RegexError, type Assertion, type ParsedRegex, type Regex, type SetNode } from './tree.js';

const maxRepeat = 1_000_000;
/** RE2 repeats no more often than that at once. */
export const maxRe2Repeat = 1000;

const wordSides: Readonly<Record<string, Assertion>> = {
  start: 'wordStart',
  end: 'wordEnd',
  'start-half': 'wordStartHalf',
  'end-half': 'wordEndHalf',
};

/**
 * Parses a regular expression as the reference's crate does.
 * @throws RegexError for what it refuses, and by name for what it takes and this engine does not
 */
export function parseRegex(source: string): ParsedRegex {
  return new Parser(source).whole();
}

class Parser {
  readonly #cursor: PatternCursor;
  #groups = 0;
  readonly #names = new Set<string>();
  #asksForWords = false;
  #isBeyondRe2 = false;

  constructor(source: string) {
    this.#cursor = new PatternCursor(source);
  }

  whole(): ParsedRegex {
    const tree = this.#alternatives();
    if (this.#cursor.char !== undefined) throw new RegexError('a `)` closes no group');
    return { tree, groups: this.#groups, asksForWords: this.#asksForWords, isBeyondRe2: this.#isBeyondRe2 };
  }

  #alternatives(): Regex {
    const parts: Regex[] = [];
    do parts.push(this.#sequence());
    while (this.#cursor.accept('|'));
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: 'either', parts };
  }

  #sequence(): Regex {
    const parts: Regex[] = [];
    // What a quantifier stands after; flags and the beginning are none.
    let last: Regex | undefined;
    for (;;) {
      this.#cursor.skipBlanks();
      const char = this.#cursor.char;
      if (char === undefined || char === '|' || char === ')') break;
      if ('*+?{'.includes(char)) {
        if (last === undefined) throw new RegexError(`there is nothing before \`${char}\` to repeat`);
        last = this.#repetition(last);
        parts[parts.length - 1] = last;
        continue;
      }
      last = this.#atom();
      if (last !== undefined) parts.push(last);
    }
    const [only] = parts;
    return parts.length === 1 && only ? only : { kind: 'concat', parts };
  }

  #repetition(inner: Regex): Regex {
    const char = this.#cursor.take();
    const [least, most] = char === '*' ? [0, null] : char === '+' ? [1, null] : char === '?' ? [0, 1] : this.#counts();
    const greedy = !this.#cursor.accept('?') !== this.#cursor.flags.U;
    return { kind: 'repeat', inner, least, most, greedy };
  }

  #counts(): [least: number, most: number | null] {
    const text = this.#cursor.until('}', 'a counted repetition');
    const [, first, comma, second] = /^\s*(\d+)\s*(,?)\s*(\d*)\s*$/.exec(text) ?? [];
    if (first === undefined) throw new RegexError(`\`{${text}}\` is no counted repetition; a literal brace is \`\\{\``);
    const least = Number(first);
    const most = comma === '' ? least : second === '' ? null : Number(second);
    if (Math.max(least, most ?? 0) > maxRepeat) throw new RegexError(`\`{${text}}\` repeats too often`);
    if (Math.max(least, most ?? 0) > maxRe2Repeat && this.#groups > 0) this.#isBeyondRe2 = true;
    if (most !== null && most < least) throw new RegexError(`\`{${text}}\` counts backwards`);
    return [least, most];
  }

  /** Undefined for flags, which are none. */
  #atom(): Regex | undefined {
    const char = this.#cursor.take();
    const { m, s, u } = this.#cursor.flags;
    switch (char) {
      case '(':
        return this.#cursor.nested(() => this.#group());
      case '[':
        return this.#set(this.#cursor.nested(() => parseClass(this.#cursor)));
      case '.':
        if (!u) throw new RegexError('`.` under `(?-u)` would match parts of characters');
        return this.#set(s ? anyCharacter : notLineBreak);
      case '^':
        return assert(m ? 'lineStart' : 'start');
      case '$':
        return assert(m ? 'lineEnd' : 'end');
      case '\\':
        return this.#escape();
      default:
        return this.#literal(char.codePointAt(0) ?? 0);
    }
  }

  #literal(code: number): Regex {
    const { i, u } = this.#cursor.flags;
    if (u || !i) return { kind: 'literal', code, fold: i };
    // Under `(?i-u)` only the letters of ASCII have another case, and only there.
    const other = code < 0x80 && /[a-z]/i.test(String.fromCharCode(code)) ? code ^ 0x20 : code;
    return { kind: 'set', set: { kind: 'union', items: [range(code), range(other)], negated: false }, fold: false };
  }

  #set(set: SetNode): Regex {
    const { i, u } = this.#cursor.flags;
    if (i && !u && set.kind !== 'perl') throw new RegexError('classes under `(?i-u)` are not supported');
    return { kind: 'set', set, fold: i };
  }

  #group(): Regex | undefined {
    const outer = this.#cursor.flags;
    let index: number | null = null;
    if (!this.#cursor.ahead('?')) {
      index = ++this.#groups;
    } else if (
      this.#cursor.accept('?P<') ||
      (this.#cursor.ahead('?<') &&
        !this.#cursor.ahead('?<=') &&
        !this.#cursor.ahead('?<!') &&
        this.#cursor.accept('?<'))
    ) {
      this.#name();
      index = ++this.#groups;
    } else {
      this.#cursor.at++;
      if (/[=!<]/.test(this.#cursor.char ?? '')) throw new RegexError('look-around is not supported');
      const flags = this.#readFlags();
      this.#cursor.flags = flags;
      if (this.#cursor.take() === ')') return undefined;
    }
    const inner = this.#alternatives();
    if (!this.#cursor.accept(')')) throw new RegexError('a group is not closed');
    this.#cursor.flags = outer;
    return { kind: 'group', index, inner };
  }

  #name(): void {
    const name = this.#cursor.until('>', "a group's name");
    if (!/^[_\p{Alphabetic}][\p{Alphabetic}\p{N}_.[\]]*$/u.test(name))
      throw new RegexError(`\`${name}\` is no name of a group`);
    if (this.#names.has(name)) throw new RegexError(`two groups have the name \`${name}\``);
    this.#names.add(name);
  }

  /** Up to the `:` or `)` after them. */
  #readFlags(): Flags {
    const flags: Record<string, boolean> = { ...this.#cursor.flags };
    const seen = new Set<string>();
    let value = true;
    for (let char = this.#cursor.char; char !== ':' && char !== ')'; char = this.#cursor.char) {
      this.#cursor.take();
      if (char === undefined || seen.has(char)) throw new RegexError('the flags of a group are wrong');
      seen.add(char);
      if (char === 'R') throw new RegexError('the flag `R` is not supported');
      if (char === '-') value = false;
      else if (Object.hasOwn(noFlags, char)) flags[char] = value;
      else throw new RegexError(`there is no flag \`${char}\``);
    }
    const last = this.#cursor.last;
    if (last === '-' || (last === '?' && this.#cursor.char === ')'))
      throw new RegexError('the flags of a group are wrong');
    return flags as unknown as Flags;
  }

  #escape(): Regex {
    const char = this.#cursor.take();
    const { u } = this.#cursor.flags;
    switch (char) {
      case 'A':
        return assert('start');
      case 'z':
        return assert('end');
      case 'b':
        return this.#wordBoundary();
      case 'B':
        return this.#word(u ? 'notWord' : 'notAsciiWord');
      case '<':
        return this.#word('wordStart');
      case '>':
        return this.#word('wordEnd');
    }
    const set = setEscape(this.#cursor, char);
    return set === undefined ? this.#literal(codeOf(this.#cursor, char)) : this.#set(set);
  }

  #wordBoundary(): Regex {
    if (!/^\{[A-Za-z-]?$/.test(this.#cursor.next(2))) return this.#word(this.#cursor.flags.u ? 'word' : 'asciiWord');
    const [, name] = /^\{([a-z-]+)\}/.exec(this.#cursor.next(14)) ?? [];
    const side = name === undefined ? undefined : wordSides[name];
    if (name === undefined || side === undefined)
      throw new RegexError('`\\b{` takes start, end, start-half or end-half');
    this.#cursor.at += name.length + 2;
    return this.#word(side);
  }

  #word(assertion: Assertion): Regex {
    if (!assertion.endsWith('sciiWord')) this.#asksForWords = true;
    if (!/^(?:word|notWord|asciiWord|notAsciiWord)$/.test(assertion)) this.#isBeyondRe2 = true;
    return assert(assertion);
  }
}

const assert = (assertion: Assertion): Regex => ({ kind: 'assertion', assertion });
const anyCharacter: SetNode = { kind: 'range', from: 0, to: lastCode };
const notLineBreak: SetNode = { kind: 'union', items: [range(10)], negated: true };
