// The currencies that stand beside numbers: `$`, `US$` and `USD` are one.

/** The pattern of each sign and code. */
export const currency =
  '(?:US\\$|A\\$|C\\$|[$€£¥₹₽₩]|kr\\.?|zł|Kč|Fr\\.|Rs\\.?|CHF|USD|EUR|GBP|SEK|NOK|DKK|JPY|PLN|CZK|HUF|INR|AUD|CAD)';

const moneys: readonly (readonly [money: string, words: RegExp])[] = [
  ['EUR', /€|\bEUR\b/],
  ['GBP', /£|\bGBP\b/],
  ['AUD', /A\$|\bAUD\b/],
  ['CAD', /C\$|\bCAD\b/],
  ['USD', /\$|\bUSD\b/],
  ['CHF', /\bFr\.|\bCHF\b/],
  ['JPY', /¥|\bJPY\b/],
  ['PLN', /zł|\bPLN\b/],
  ['CZK', /Kč|\bCZK\b/],
  ['INR', /₹|\bRs\b|\bINR\b/],
  ['SEK', /\bSEK\b/],
  ['NOK', /\bNOK\b/],
  ['DKK', /\bDKK\b/],
  ['HUF', /\bHUF\b/],
  ['RUB', /₽/],
  ['KRW', /₩/],
];

/** The currency that a text names, by its code; of `kr` it is not known. */
export const currencyOf = (text: string): string | undefined => moneys.find(([, words]) => words.test(text))?.[0];

const written = new RegExp(`(?<!\\p{L})${currency}(?!\\p{L})`, 'gu');

/** Crowns of several countries, each of which writes them `kr`. */
const crowns: ReadonlySet<string> = new Set(['SEK', 'NOK', 'DKK']);

/** The different currencies that texts name, by their codes, in the order of the alphabet; crowns are those of the one country beside them. */
export function currenciesIn(texts: readonly string[]): readonly string[] {
  const found = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(written), ([sign]) => currencyOf(sign) ?? 'kr')),
  );
  if ([...found].filter((code) => crowns.has(code)).length === 1) found.delete('kr');
  return [...found].sort();
}
