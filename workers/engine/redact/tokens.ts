const quote = 0x22;
const backslash = 0x5c;

/** What becomes of the parts of a JSON text that can hold a secret. */
export interface Changes {
  /** Of a string's or key's text, without quotes and escapes. */
  readonly text: (text: string) => string;
  /** Of a number as it is written; gives JSON. */
  readonly number: (digits: string) => string;
}

/** A JSON text with its strings, keys and numbers changed. Linear, and to the byte as it was where nothing changes. */
export function redactedTokens(json: string, { text, number }: Changes): string {
  const parts: string[] = [];
  let kept = 0;
  let at = 0;
  while (at < json.length) {
    const unit = json.charCodeAt(at);
    const isText = unit === quote;
    if (!isText && !isNumeric(unit)) {
      at++;
      continue;
    }
    const end = isText ? endOfText(json, at) : endOfNumber(json, at);
    const token = json.slice(at, end);
    const changed = isText ? changedText(token, text) : number(token);
    if (changed !== token) {
      parts.push(json.slice(kept, at), changed);
      kept = end;
    }
    at = end;
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(kept);
}

function changedText(token: string, change: (text: string) => string): string {
  const text: unknown = JSON.parse(token);
  if (typeof text !== 'string') return token;
  const changed = change(text);
  return changed === text ? token : JSON.stringify(changed);
}

function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === backslash) at++;
    else if (unit === quote) break;
  }
  return at + 1;
}

/** Digits and the minus that a number begins with; `e` and `E` begin none. */
const isNumeric = (unit: number): boolean => unit === 0x2d || (unit >= 0x30 && unit <= 0x39);

function endOfNumber(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && (isNumeric(json.charCodeAt(at)) || '.eE+'.includes(json.charAt(at)))) at++;
  return at;
}
