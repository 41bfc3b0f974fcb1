/** What may come next while reading JSON. */
type Expected = 'value' | 'value or ]' | 'key or }' | 'key' | ':' | ', or end' | 'nothing';

const space = /[ \t\r\n]*/y;
const pieceOfString = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * The offset at which a text that JSON.parse refuses stops being JSON; V8 names it in some of its messages only.
 * The text's length when it ends too early.
 */
export function offsetOfJsonFault(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = 0; ;) {
    at = matched(space, text, at) ?? at;
    const character = text[at];
    if (character === undefined) return at;
    if (character === '"' && expected !== ':' && expected !== ', or end' && expected !== 'nothing') {
      const end = endOfString(text, at);
      if (end === undefined) return at;
      expected = expected.startsWith('key') ? ':' : afterValue(open);
      at = end;
      continue;
    }
    const end: number | undefined = expected.startsWith('value') ? matched(scalar, text, at) : undefined;
    const next: Expected | undefined = end === undefined ? afterSign(character, expected, open) : afterValue(open);
    if (next === undefined) return at;
    expected = next;
    at = end ?? at + 1;
  }
}

function afterSign(sign: string, expected: Expected, open: string[]): Expected | undefined {
  if (expected.startsWith('value') && (sign === '{' || sign === '[')) {
    open.push(sign);
    return sign === '{' ? 'key or }' : 'value or ]';
  }
  const inside = open.at(-1);
  const mayEnd = expected === ', or end' || expected === (inside === '{' ? 'key or }' : 'value or ]');
  if (mayEnd && sign === (inside === '{' ? '}' : ']')) {
    open.pop();
    return afterValue(open);
  }
  if (expected === ', or end' && sign === ',') return inside === '{' ? 'key' : 'value';
  return expected === ':' && sign === ':' ? 'value' : undefined;
}

/** Piece by piece: one pattern for the whole tries every division of a text that it can't close. */
function endOfString(text: string, at: number): number | undefined {
  for (let next = at + 1; ;) {
    const end = matched(pieceOfString, text, next);
    if (end === undefined) return text[next] === '"' ? next + 1 : undefined;
    next = end;
  }
}

const afterValue = (open: readonly string[]): Expected => (open.length === 0 ? 'nothing' : ', or end');

function matched(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
