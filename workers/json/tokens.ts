/*
 * The only code that looks at JSON character by character without reading its values: where strings and numbers begin and
 * end, and how deep brackets nest. The texts are JSON already, or will be parsed afterwards.
 */

const quote = 0x22;

/** The offset after the string that begins at `start`; one beyond the text's end where the string has none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length + 1;
}

/** Whether more than so many brackets are open at once: to be asked before code that recurses parses the text. */
export function nestsDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at) - 1;
        break;
      case 0x7b:
      case 0x5b:
        if (++depth > levels) return true;
        break;
      case 0x7d:
      case 0x5d:
        depth--;
    }
  }
  return false;
}

/** What becomes of the strings and numbers of a JSON text; each gives JSON. */
export interface Changes {
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
