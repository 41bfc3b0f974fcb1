/** What is wrong with a pattern. */
export interface Fault {
  readonly fault: string;
}

/** Classes of XML names, as RE2 writes them. */
const nameClasses: Readonly<Record<string, string>> = {
  i: '[\\p{L}_:]',
  I: '[^\\p{L}_:]',
  c: '[\\p{L}\\p{N}\\p{M}._:\\-\\x{B7}]',
  C: '[^\\p{L}\\p{N}\\p{M}._:\\-\\x{B7}]',
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: '[^\\p{P}\\p{Z}\\p{C}]',
  W: '[\\p{P}\\p{Z}\\p{C}]',
};

/**
 * A pattern of XPath as one of RE2.
 * @param flags of XPath: s, m, i, x and q
 */
export function re2From(pattern: string, flags: string): string | Fault {
  if (!/^[smixq]*$/.test(flags)) return { fault: 'takes the flags s, m, i, x and q' };
  const kept = [...new Set(flags)].filter((flag) => 'smi'.includes(flag)).join('');
  const prefix = kept === '' ? '' : `(?${kept})`;
  if (flags.includes('q')) return prefix + pattern.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const translated = translate(pattern, flags.includes('x'));
  return typeof translated === 'string' ? prefix + translated : translated;
}

function translate(pattern: string, ignoresBlanks: boolean): string | Fault {
  let result = '';
  let inClass = 0;
  for (let index = 0; index < pattern.length; index++) {
    const unit = pattern[index] ?? '';
    if (unit === '\\') {
      const next = pattern[++index];
      if (next === undefined) return { fault: 'takes a pattern that does not end with a backslash' };
      if (/[1-9]/.test(next)) return { fault: 'takes no references back in a pattern' };
      if (!/[nrt\\|.?*+(){}\-[\]^$sSdDwWiIcCpP]/.test(next)) return { fault: `takes no \`\\${next}\` in a pattern` };
      // A class within a class stands there without brackets of its own.
      result +=
        inClass === 0 && Object.hasOwn(nameClasses, next)
          ? nameClasses[next]
          : inClass > 0 && (next === 'i' || next === 'c')
            ? (nameClasses[next] ?? '').slice(1, -1)
            : `\\${next}`;
    } else if (unit === '[') {
      if (inClass > 0) return { fault: 'takes no class within a class in a pattern' };
      inClass++;
      result += unit;
    } else if (unit === ']' && inClass > 0) {
      inClass--;
      result += unit;
    } else if (ignoresBlanks && inClass === 0 && /\s/.test(unit)) {
      continue;
    } else if (unit === '(' && inClass === 0 && pattern[index + 1] === '?') {
      if (pattern[index + 2] !== ':') return { fault: 'takes no group with a question mark but `(?:…)`' };
      result += unit;
    } else {
      result += unit;
    }
  }
  return result;
}
