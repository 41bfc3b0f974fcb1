/*
 * The only code that looks at JSON character by character without reading its values: where strings and numbers begin and
 * end, and how deep brackets nest. The texts are JSON already, or will be parsed afterwards.
 */

const quote = 0x22;

/** The offset after the string that begins at `start`; one beyond the text's end where the string has none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (slashesBefore(text, end) % 2 === 0) return end + 1;
  }
  return text.length + 1;
}

function slashesBefore(text: string, end: number): number {
  let slashes = 0;
  while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
  return slashes;
}

/** Goes over a JSON text: a string is one token, any other character that is not blank one by itself. */
export class Tokens {
  /** The first character of the token. */
  code = 0;
  start = 0;
  /** The offset after it; of a string that the text cuts off, of what is to be read again with the rest of it. */
  end = 0;
  /** The text ends within a string. */
  isCut = false;
  readonly #text: string;

  /** @param inString the text goes on with a string that was cut off */
  constructor(text: string, inString = false) {
    this.#text = text;
    if (inString) this.#endString(-1);
  }

  /** False at the end of the text. */
  next(): boolean {
    const text = this.#text;
    let at = this.end;
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) return false;
    this.start = at;
    this.code = text.charCodeAt(at);
    if (this.code === quote) this.#endString(at);
    else this.end = at + 1;
    return true;
  }

  #endString(start: number): void {
    const { length } = this.#text;
    this.end = endOfString(this.#text, start);
    this.isCut = this.end > length;
    // A backslash that escapes what comes after the text belongs with that.
    if (this.isCut) this.end = length - (slashesBefore(this.#text, length) % 2);
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Whether more than so many brackets are open at once: to be asked before code that recurses parses the text. */
export const nestsDeeper = (text: string, levels: number): boolean => shapeOf(text).depth > levels;

/** How large a JSON text is once it is parsed. Of a text that is no JSON the numbers mean nothing. */
interface Shape {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Objects, lists, texts, numbers and so on, the outermost value included. Where a name is repeated, each counts. */
  readonly values: number;
  /** Members of the outermost object, or items of the outermost list. */
  readonly fields: number;
}

/** Finds it by the brackets, commas and strings alone, in less time than parsing takes. */
export function shapeOf(text: string): Shape {
  let level = 0;
  let depth = 0;
  let values = 1;
  let fields = 0;
  // A list or an object has begun, and nothing stood in it yet.
  let isEmpty = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) continue;
    if (code === 0x7d || code === 0x5d) {
      isEmpty = false;
      level--;
      continue;
    }
    // What stands in a list or an object first begins a value, as a comma announces the next one.
    if (isEmpty || code === 0x2c) {
      values++;
      if (level === 1) fields++;
      isEmpty = false;
    }
    if (code === quote) at = endOfString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) {
      isEmpty = true;
      if (++level > depth) depth = level;
    }
  }
  return { depth, values, fields };
}

/** Escapes of NUL, of halves of surrogate pairs and of the letters of `__proto__`, that name, numbers beyond a double's range. */
const suspicious = /\\u(?:0000|00[5-7]|[dD][89a-fA-F])|__proto__|\d[eE]\+?\d|(?<!\d)\d{300}/;

/** A cheap test for JSON in which `checkJson` may find a violation. */
export const maySpoil = (text: string): boolean => suspicious.test(text);

/** The members of an object as they stand in its text, by their names: parsed, numbers would lose digits. */
export function memberTexts(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let [level, name, from] = [0, '', -1];
  for (const tokens = new Tokens(json); tokens.next();) {
    const { code, start, end } = tokens;
    const closes = code === 0x7d || code === 0x5d;
    if (level === 1 && code === quote && from === -1) {
      name = JSON.parse(json.slice(start, end)) as string;
      from = json.indexOf(':', end) + 1;
    } else if (level === 1 && from !== -1 && (closes || code === 0x2c)) {
      members.set(name, json.slice(from, start));
      from = -1;
    }
    if (code === 0x7b || code === 0x5b) level++;
    if (closes) level--;
  }
  return members;
}

/** What becomes of the strings and numbers of a JSON text; each gives JSON. */
interface Changes {
  /** Of a string or a name, with its quotes and escapes. */
  readonly string: (token: string) => string;
  /** Of a number as it is written. */
  readonly number: (token: string) => string;
}

/** A JSON text with its strings, names and numbers changed. Linear, and to the byte as it was where nothing changes. */
export function changeTokens(json: string, { string, number }: Changes): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < json.length;) {
    const unit = json.charCodeAt(at);
    const isString = unit === quote;
    if (!isString && !beginsNumber(unit)) {
      at++;
      continue;
    }
    const end = isString ? endOfString(json, at) : endOfNumber(json, at);
    const token = json.slice(at, end);
    const changed = isString ? string(token) : number(token);
    if (changed !== token) {
      parts.push(json.slice(kept, at), changed);
      kept = end;
    }
    at = end;
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(kept);
}

/** Whether some number of a JSON text is such a one. */
export function someNumber(json: string, isSuch: (token: string) => boolean): boolean {
  let found = false;
  changeTokens(json, {
    string: (token) => token,
    number(token) {
      found ||= isSuch(token);
      return token;
    },
  });
  return found;
}

/** Digits and the minus that a number begins with; `e` and `E` begin none. */
const beginsNumber = (unit: number): boolean => unit === 0x2d || (unit >= 0x30 && unit <= 0x39);

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && (beginsNumber(json.charCodeAt(at)) || '.eE+'.includes(json.charAt(at)))) at++;
  return at;
}
