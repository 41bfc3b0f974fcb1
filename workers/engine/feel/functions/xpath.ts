import { membersOf, RegexError } from '../../zen/translate.js';

/** Classes of XML names, without brackets, and what is in none of them. */
const nameClasses: ReadonlyMap<string, string> = new Map(
  Object.entries({
    i: '\\p{L}_:',
    c: '\\p{L}\\p{N}\\p{M}._:\\-\\x{B7}',
  }),
);

/** Blocks of Unicode that patterns name most. */
const blocks: ReadonlyMap<string, string> = new Map(
  Object.entries({
    BasicLatin: '\\x{0}-\\x{7F}',
    'Latin-1Supplement': '\\x{80}-\\x{FF}',
    'LatinExtended-A': '\\x{100}-\\x{17F}',
    'LatinExtended-B': '\\x{180}-\\x{24F}',
    Greek: '\\x{370}-\\x{3FF}',
    Cyrillic: '\\x{400}-\\x{4FF}',
    Hebrew: '\\x{590}-\\x{5FF}',
    Arabic: '\\x{600}-\\x{6FF}',
  }),
);

/**
 * A pattern of XPath in the notation of ZEN's patterns, which have no differences of classes (`[a-z-[aeiou]]`): their
 * characters are written out.
 * @param flags of XPath: s, m, i, x and q
 * @param pay is told the steps of work that is about to be done, and may throw
 * @throws RegexError for what is no such pattern
 */
export function zenPattern(pattern: string, flags: string, pay: (work: number) => void): string {
  if (!/^[smixq]*$/.test(flags)) throw new RegexError('takes the flags s, m, i, x and q');
  const kept = [...new Set(flags)].filter((flag) => 'smi'.includes(flag)).join('');
  const prefix = kept === '' ? '' : `(?${kept})`;
  if (flags.includes('q')) return prefix + pattern.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const translated = translate(flags.includes('x') ? withoutBlanks(pattern) : pattern);
  try {
    const written = translated.replace(difference, (_part, left: string, right: string) => {
      pay(differenceWork);
      return `[${membersOf(new RegExp(`^[[${v8(left)}]--[${v8(right)}]]$`, kept.includes('i') ? 'vi' : 'v'))}]`;
    });
    return prefix + written;
  } catch (error) {
    if (error instanceof SyntaxError) throw new RegexError('takes classes of characters on both sides of `-[…]`');
    throw error;
  }
}

/** `[a-z--[aeiou]]`. */
const difference = /\[((?:\\[\s\S]|[^[\]\\])*)--\[((?:\\[\s\S]|[^[\]\\])*)\]\]/g;
/** Steps of finding the characters of a class. */
const differenceWork = 500_000;

/** Members of a class as V8 writes them under its flag `v`. */
const v8 = (members: string): string =>
  members
    .replace(/\\x\{/g, '\\u{')
    .replace(/\\d/g, '\\p{Nd}')
    .replace(/\\D/g, '\\P{Nd}')
    .replace(/\\(?:[pPu]\{[^}]*\}|[\s\S])|[(){}/|]|([&!#$%*+,.:;<=>?@`~])\1/g, (mark) =>
      mark.startsWith('\\') ? mark : Array.from(mark, (sign) => `\\${sign}`).join(''),
    );

/** Blanks outside of classes mean nothing with the flag x. */
function withoutBlanks(pattern: string): string {
  let depth = 0;
  return pattern.replace(/\\[[\]]|[[\]]|\s/g, (mark) => {
    if (mark === '[') depth++;
    if (mark === ']') depth--;
    return depth === 0 && /\s/.test(mark) ? '' : mark;
  });
}

/** The parts that the two notations write in different ways: escapes, differences of classes, and groups. */
const parts = /\\p\{Is([\w-]+)\}|\\P\{Is([\w-]+)\}|\\([\s\S]?)|(-?)\[|\]|\((\?(?!:))?/gi;

function translate(pattern: string): string {
  let depth = 0;
  return pattern.replace(
    parts,
    (part, block?: string, other?: string, mark?: string, minus?: string, group?: string) => {
      if (block !== undefined || other !== undefined) {
        const range = blocks.get(block ?? other ?? '');
        if (range === undefined) throw new RegexError(`knows no block \`${part}\``);
        return other === undefined && !part.startsWith('\\P') ? classOf(range, depth) : `[^${range}]`;
      }
      if (mark !== undefined) {
        checkEscape(mark);
        const inner = nameClasses.get(mark.toLowerCase());
        if (inner === undefined) return part;
        return mark === mark.toLowerCase() ? classOf(inner, depth) : `[^${inner}]`;
      }
      if (part === ']') {
        depth--;
        return part;
      }
      if (part.endsWith('[')) {
        depth++;
        if (depth > 1 && minus === '') throw new RegexError('takes no class within a class in a pattern, but `-[…]`');
        // `[a-z-[aeiou]]` of XPath is `[a-z--[aeiou]]`.
        return depth > 1 ? '--[' : part;
      }
      if (group !== undefined && depth === 0) throw new RegexError('takes no group with a question mark but `(?:…)`');
      return part;
    },
  );
}

const classOf = (inner: string, depth: number): string => (depth === 0 ? `[${inner}]` : inner);

function checkEscape(mark: string): void {
  if (mark === '') throw new RegexError('takes a pattern that does not end with a backslash');
  if (/[1-9]/.test(mark)) throw new RegexError('takes no references back in a pattern');
  if (!/[nrt\\|.?*+(){}\-[\]^$sSdDwWiIcCpP]/.test(mark)) throw new RegexError(`takes no \`\\${mark}\` in a pattern`);
}
