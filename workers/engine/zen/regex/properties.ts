/** Short and long names of general categories, those of groups of them included. */
const categories =
  'L Letter LC Cased_Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter Lm Modifier_Letter Lo Other_Letter ' +
  'M Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number Nd Decimal_Number Nl Letter_Number No Other_Number ' +
  'P Punctuation Pc Connector_Punctuation Pd Dash_Punctuation Ps Open_Punctuation Pe Close_Punctuation ' +
  'Pi Initial_Punctuation Pf Final_Punctuation Po Other_Punctuation S Symbol Sm Math_Symbol Sc Currency_Symbol ' +
  'Sk Modifier_Symbol So Other_Symbol Z Separator Zs Space_Separator Zl Line_Separator Zp Paragraph_Separator ' +
  'C Other Cc Control Cf Format Cs Surrogate Co Private_Use Cn Unassigned';

/** Names are compared without case, blanks, `_`, `-` and a leading `is`. */
const loose = (name: string): string => {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  return plain.startsWith('is') && plain.length > 3 ? plain.slice(2) : plain;
};

const shortNames: ReadonlyMap<string, string> = new Map(
  categories.split(' ').flatMap((name, index, all): [string, string][] => {
    return [[loose(name), all[index - (index % 2)] ?? name]];
  }),
);
const aliases: ReadonlyMap<string, string> = new Map([
  ['punct', 'P'],
  ['cntrl', 'Cc'],
  ['digit', 'Nd'],
  ['combiningmark', 'M'],
]);

/** General categories that RE2 has too, under the same names. */
export const isCategory = (name: string): boolean =>
  name !== 'Cn' && name !== 'LC' && shortNames.get(loose(name)) === name;

/** The ways in which Unicode may write a name: as it is, and `Old_Italic` for `old italic` and `OldItalic`. */
function spellings(name: string): string[] {
  const words = name.replace(/([a-z])(?=[A-Z])/g, '$1_').split(/[\s_-]+/);
  const titled = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('_');
  const plain = name.replace(/^is[\s_-]*/i, '');
  return [name, titled, name.toUpperCase(), ...(plain === name ? [] : spellings(plain))];
}

function isKnown(name: string): boolean {
  try {
    new RegExp(`^\\p{${name}}$`, 'u');
    return true;
  } catch {
    return false;
  }
}

const nameOnly = /^[A-Za-z0-9_ -]+$/;

/** The name under which V8 has the property of `\p{…}`; undefined where there is none. */
export function propertyNamed(text: string): string | undefined {
  const [, key, value] = /^([^=:]*)[=:](.*)$/.exec(text) ?? [];
  if (key !== undefined && value !== undefined) return valueNamed(loose(key), value);
  if (!nameOnly.test(text)) return undefined;
  const plain = loose(text);
  if (plain === 'any') return 'Any';
  if (plain === 'assigned') return 'Assigned';
  if (plain === 'ascii') return 'ASCII';
  const category = shortNames.get(plain) ?? aliases.get(plain);
  if (category !== undefined) return category;
  // A name that V8 knows by itself is a binary property, since categories were looked up.
  const spelled = spellings(text);
  return spelled.find(isKnown) ?? spelled.map((name) => `Script=${name}`).find(isKnown);
}

function valueNamed(key: string, value: string): string | undefined {
  if (!nameOnly.test(value)) return undefined;
  if (key === 'gc' || key === 'generalcategory') return shortNames.get(loose(value)) ?? aliases.get(loose(value));
  const script = { sc: 'Script', script: 'Script', scx: 'Script_Extensions', scriptextensions: 'Script_Extensions' }[
    key
  ];
  if (script === undefined) return undefined;
  return spellings(value)
    .map((name) => `${script}=${name}`)
    .find(isKnown);
}
