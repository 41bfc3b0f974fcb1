/** What a pattern grows to when it is compiled; never less than it really is. */
interface PatternSize {
  /** Instructions, each part as often as it is repeated. */
  readonly instructions: number;
  /** Ranges of characters of all its instructions. */
  readonly ranges: number;
  /** Steps of its compilation, which does not repeat the classes. */
  readonly work: number;
}

/** Ranges of a class of Unicode such as `\p{L}`, about as many as the largest have. */
const rangesOfProperty = 700;
const rangesOfShorthand = 5;
/** The last character that has another case: beyond it classes are not folded. */
const lastFolded = 0x1e943;

/** A group that is open: what its finished parts take, and its last part, which a repetition would multiply. */
interface Group {
  readonly captures: boolean;
  done: Part;
  last: Part;
}

interface Part {
  readonly instructions: number;
  readonly ranges: number;
}

const none: Part = { instructions: 0, ranges: 0 };
const plus = (a: Part, b: Part): Part => ({
  instructions: a.instructions + b.instructions,
  ranges: a.ranges + b.ranges,
});

const token =
  /\\Q(?<quoted>[\s\S]*?)(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\[\s\S]|\(\?(?:P?<[^>]*>|[a-zA-Z-]*[:)])|\{(?<least>\d+)(?:,(?<most>\d*))?\}|\[\^?\]?|[\s\S]/gu;
const classToken = /\[:\^?[a-z]+:\]|\\[pP](?:\{[^}]*\}|.)|\\x\{[0-9a-fA-F]*\}|\\x[0-9a-fA-F]{2}|\\[\s\S]|[\s\S]/uy;

/** Reads a pattern of RE2 once, without compiling it. The size means nothing where the pattern is invalid. */
export function patternSize(pattern: string): PatternSize {
  // A flag may hold for a part of the pattern only; taking it for all gives an upper bound.
  const folded = /\(\?[a-zA-Z]*i/.test(pattern);
  const groups: Group[] = [{ captures: false, done: none, last: none }];
  let work = 0;
  token.lastIndex = 0;
  for (let found = token.exec(pattern); found !== null; found = token.exec(pattern)) {
    const text = found[0];
    const group = groups.at(-1);
    if (group === undefined) break;
    const { quoted, least, most } = found.groups ?? {};
    if (quoted !== undefined) {
      push(group, { instructions: quoted.length, ranges: quoted.length });
    } else if (text.startsWith('(') && !text.endsWith(')')) {
      groups.push({ captures: !text.endsWith(':'), done: none, last: none });
    } else if (text === '|') {
      push(group, { instructions: 2, ranges: 0 });
    } else if (text === ')') {
      close(groups);
    } else if (text === '*' || text === '+' || text === '?') {
      group.last = plus(group.last, { instructions: 2, ranges: 0 });
    } else if (least !== undefined) {
      group.last = repeated(group.last, Math.max(Number(least), Number(most ?? 0)), most !== undefined);
    } else if (text.startsWith('[')) {
      const { ranges, end } = classAt(pattern, token.lastIndex, folded);
      push(group, { instructions: 1, ranges });
      token.lastIndex = end;
      work += ranges;
    } else {
      const ranges = /^\\p/i.test(text) ? rangesOfProperty : rangesOfShorthand;
      push(group, { instructions: 1, ranges });
      work += ranges;
    }
  }
  while (groups.length > 1) close(groups);
  const { instructions, ranges } = plus(groups[0]?.done ?? none, groups[0]?.last ?? none);
  return { instructions: instructions + 2, ranges, work: work + 10 * instructions };
}

/** A new part of a group; the last one can't be repeated any more. */
function push(group: Group, part: Part): void {
  group.done = plus(group.done, group.last);
  group.last = part;
}

function close(groups: Group[]): void {
  const inner = groups.pop();
  const outer = groups.at(-1);
  if (inner === undefined || outer === undefined) {
    if (inner !== undefined) groups.push(inner);
    return;
  }
  push(outer, plus(plus(inner.done, inner.last), { instructions: inner.captures ? 3 : 1, ranges: 0 }));
}

function repeated({ instructions, ranges }: Part, times: number, optional: boolean): Part {
  const each = instructions + (optional ? 1 : 0);
  return { instructions: Math.max(1, times) * each + 2, ranges: Math.max(1, times) * ranges };
}

/** The class whose first member stands at `from`: its ranges, and where it ends. */
function classAt(pattern: string, from: number, folded: boolean): { ranges: number; end: number } {
  let ranges = 0;
  let at = from;
  let previous: number | undefined;
  let dash = false;
  for (;;) {
    classToken.lastIndex = at;
    const text = classToken.exec(pattern)?.[0];
    if (text === undefined) return { ranges, end: pattern.length };
    at += text.length;
    if (text === ']') return { ranges: ranges + 1, end: at };
    if (/^\\p/i.test(text)) {
      ranges += rangesOfProperty;
    } else if (/^(?:\\[a-zA-Z]$|\[:)/.test(text)) {
      ranges += rangesOfShorthand;
    } else if (text === '-' && previous !== undefined && !dash) {
      dash = true;
      continue;
    } else {
      const unit = codeOf(text);
      // To fold a range, the library goes through it character by character.
      ranges += folded && dash ? 2 + Math.max(0, Math.min(unit, lastFolded) - (previous ?? 0)) : 2;
      previous = dash ? undefined : unit;
      dash = false;
      continue;
    }
    previous = undefined;
    dash = false;
  }
}

function codeOf(text: string): number {
  const hex = /^\\x\{?([0-9a-fA-F]+)/.exec(text)?.[1];
  return hex === undefined ? (text.codePointAt(text.startsWith('\\') ? 1 : 0) ?? 0) : Number.parseInt(hex, 16);
}
