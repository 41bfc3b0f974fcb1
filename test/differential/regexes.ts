import fc from 'fast-check';
import type { SourceCase } from './cases.js';

/** Characters of patterns and texts: with other cases, of words and not, in one and in two units. */
const characters = Array.from('abkKsSzZ019_ -.,éÉßſσςΣÜüⅧⒶ٣\u00a0\u2003\u212a\u0301\u200d日😀');
const character = fc.constantFrom(...characters);
const escaped = character.map((text) => (/[!-/:-@[-`{-~]/.test(text) ? `\\${text}` : text));

const coded = character.map((text) => `\\x{${(text.codePointAt(0) ?? 0).toString(16)}}`);
const perl = fc.constantFrom('\\d', '\\D', '\\s', '\\S', '\\w', '\\W');
const property = fc
  .tuple(fc.constantFrom('p', 'P'), fc.constantFrom('L', 'Lu', 'N', 'Nd', 'P', 'Greek', 'Latin', 'Any'))
  .map(([letter, name]) => `\\${letter}{${name}}`);
const posix = fc.constantFrom(
  '[:alpha:]',
  '[:^alpha:]',
  '[:digit:]',
  '[:upper:]',
  '[:punct:]',
  '[:word:]',
  '[:space:]',
);
const range = fc.constantFrom('a-z', 'A-Z', '0-9', 'α-ω', 'à-ÿ', ' -~', '\\x{0}-\\x{10ffff}', 'a-');
const set = fc
  .tuple(
    fc.constantFrom('', '', '^'),
    fc.array(fc.oneof(escaped, range, perl, property, posix, coded), { minLength: 1, maxLength: 4 }),
  )
  .map(([caret, members]) => `[${caret}${members.join('')}]`);
/** What RE2 does not have, or reads otherwise: refused by name, or with the right answer. */
const refused = fc.constantFrom(
  ...[
    ...['[a[b]]', '[a-z&&[^b]]', '[\\w--a]', '(?x)', '(?-u:ü)', '(?i-u:k)', '\\u0061', '\\u{61}', '\\<'],
    ...['\\b{start}', '{', 'a{,2}'],
  ],
  ...[
    ...['\\p{Letter}', '\\p{Script=Greek}', '\\p{Alphabetic}', '\\p{^L}', '\\Qa', '\\C', '\\1', '(?=a)', '(?<!a)'],
    ...['(?R)', 'a{1001}'],
  ],
);

const assertion = fc.constantFrom('^', '$', '\\b', '\\B', '\\A', '\\z', '(?-u:\\b)');
const ofAscii = fc.constantFrom('(?-u:\\w)', '(?-u:\\d)', '(?-u:\\s)');
const quantifier = fc.constantFrom(
  ...['**', '*+', '{2}?', '*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,}', '{2,3}?', '{0}'],
);
const flags = fc.constantFrom('(?i)', '(?s)', '(?m)', '(?U)', '(?i-s)', '(?-i)');

const pattern = fc.letrec<{ sequence: string; atom: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: escaped },
    { weight: 2, arbitrary: fc.oneof(perl, property, coded, ofAscii, fc.constant('.')) },
    { weight: 3, arbitrary: set },
    { weight: 2, arbitrary: assertion },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?P<name>', '(?<other>'), tie('sequence'))
        .map(([open, inner]) => `${open}${inner})`),
    },
  ),
  sequence: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: tie('atom') },
        { weight: 3, arbitrary: fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')) },
        { weight: 1, arbitrary: fc.tuple(tie('atom'), tie('atom')).map((parts) => parts.join('|')) },
        { weight: 1, arbitrary: fc.oneof({ weight: 4, arbitrary: flags }, refused) },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join('')),
}));

/** A search of a pattern in a text; a pattern in a few is none. */
export const someSearch: fc.Arbitrary<SourceCase> = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: pattern.sequence }, { weight: 1, arbitrary: fc.string({ maxLength: 6 }) }),
    fc.array(character, { maxLength: 12 }),
    fc.constantFrom('matches(s, p)', 'extract(s, p)'),
  )
  .map(([p, s, source]) => ({ kind: 'expression' as const, source, data: { s: s.join(''), p } }));
