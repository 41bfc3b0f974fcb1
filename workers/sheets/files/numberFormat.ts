/** What a number format makes of a number beyond digits: a point in time, a time that went by, a text, or an amount of money. */
export type NumberFormat =
  | { readonly kind: 'duration' | 'text' | 'money' }
  | { readonly kind: 'date'; readonly shows: ShownMoment }
  /** So many places behind the point, in a file of ours: idle zeros are among them. */
  | { readonly kind: 'places'; readonly places: number }
  /** Digits with zeros before them, as codes have. In the pattern `digitPlace` stands for a digit, all else for itself. */
  | { readonly kind: 'code'; readonly pattern: string };

/** What is shown of a point in time: no time of day, a time of day whatever stands beside it, or what the reader's country has there. */
export type ShownMoment = 'day' | 'time' | 'either';

const digitPlace = '\0';

/** Some of East Asia have times there, and others months (ECMA-376, part 1, 18.8.30). */
const perCountry: ReadonlySet<number> = new Set([34, 35, 55, 56]);
const timesOfDay: ReadonlySet<number> = new Set([18, 19, 20, 21, 22, 32, 33, 45, 47]);

/** Formats that every workbook has and does not write down. */
export function builtInFormat(id: number): NumberFormat | undefined {
  if ((id >= 14 && id <= 22) || (id >= 27 && id <= 36) || id === 45 || id === 47 || (id >= 50 && id <= 58)) {
    return { kind: 'date', shows: perCountry.has(id) ? 'either' : timesOfDay.has(id) ? 'time' : 'day' };
  }
  if (id === 46) return { kind: 'duration' };
  if ((id >= 5 && id <= 8) || id === 42 || id === 44) return { kind: 'money' };
  return id === 49 ? { kind: 'text' } : undefined;
}

/** Both parts are written out, as nobody does who only wants to see more places: what is typed so is told from what we wrote. */
export const placesFormat = (places: number): string => `0.${'0'.repeat(places)};-0.${'0'.repeat(places)}`;

/** The same as programs write it back. */
const writtenPlaces = /^0\.(0+);\\?-0\.\1$/;

/** Undefined where a number is shown as one. */
export function formatOf(code: string): NumberFormat | undefined {
  if (code.length > longestCode) return undefined;
  const places = writtenPlaces.exec(code)?.[1]?.length;
  if (places !== undefined) return { kind: 'places', places };
  // Of the parts for positive, negative and no amounts, the first one that shows the number tells.
  for (const { text, letters, elapsed } of partsOf(code)) {
    if (/general/i.test(letters)) return undefined;
    if (elapsed) return { kind: 'duration' };
    if (/[ymdhs]/i.test(letters)) return { kind: 'date', shows: /[hs]/i.test(letters) ? 'time' : 'day' };
    if (letters === '@') return { kind: 'text' };
    if (/^00+$/.test(letters)) return { kind: 'code', pattern: text };
    if (/[0#?]/.test(letters))
      return currency.test(code.replaceAll(/\[\$-[^\]]{0,20}\]/g, '')) ? { kind: 'money' } : undefined;
  }
  return undefined;
}

/** A sign or a code of a currency; `[$-409]` names a country alone. */
const currency = /\[\$[^\]-]|\p{Sc}|"[^"]{0,3}\b(?:EUR|USD|CHF|GBP|SEK|NOK|DKK|PLN|CZK|kr|zł|Kč)\b/iu;

/** Excel takes no longer one. */
const longestCode = 10_000;

interface FormatPart {
  /** What is shown, literal texts included. */
  readonly text: string;
  /** Without literal texts, padding, colours, conditions and locales. */
  readonly letters: string;
  readonly elapsed: boolean;
}

const piece = /"([^"]*)"?|[\\!](.?)|[_*].?|\[([^\]]*)\]?|([\s\S])/gu;

function partsOf(code: string): FormatPart[] {
  const parts = [{ text: '', letters: '', elapsed: false }];
  for (const [, quoted, escaped, bracketed, letter] of code.matchAll(piece)) {
    const part = parts.at(-1);
    if (part === undefined) break;
    if (letter === ';') parts.push({ text: '', letters: '', elapsed: false });
    else if (letter !== undefined) {
      part.text += letter === '0' ? digitPlace : letter;
      if (!/[-\s/()]/.test(letter)) part.letters += letter;
    } else if (bracketed !== undefined) part.elapsed ||= /^(?:h+|m+|s+)$/i.test(bracketed);
    else part.text += quoted ?? escaped ?? '';
  }
  return parts;
}

/** A number with idle zeros behind it, up to so many places: 3 by `0.0` is `3.0`. */
export function withPlaces(number: string, places: number): string {
  const [, , fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  const missing = places - fraction.length;
  return missing <= 0 ? number : `${number}${fraction === '' ? '.' : ''}${'0'.repeat(missing)}`;
}

/** A whole number as its format shows it: 1067 by `00000` is `01067`; undefined for what has a sign or a fraction. */
export function coded(number: string, pattern: string): string | undefined {
  if (!/^\d+$/.test(number)) return undefined;
  const zeros = pattern.split(digitPlace).length - 1;
  const digits = number.padStart(zeros, '0');
  // The first place takes all digits for which there is no other.
  const first = digits.slice(0, digits.length - zeros + 1);
  const rest = digits.slice(first.length)[Symbol.iterator]();
  let isFirst = true;
  return pattern.replaceAll(digitPlace, () => {
    if (!isFirst) return String(rest.next().value);
    isFirst = false;
    return first;
  });
}
