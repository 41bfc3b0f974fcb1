import { currency } from './currencies.js';
import { shifted } from './shifted.js';
import type { ReadValue, Style } from './style.js';
import { unitOf } from './units.js';

/** By how many places each word moves the point. Two for what is a million to some, and a metre or a month to others. */
const scales: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries({
    k: [3],
    tsd: [3],
    thousand: [3],
    t: [3, 0],
    m: [6, 0],
    M: [6],
    mm: [6, 0],
    mio: [6],
    mn: [6],
    mln: [6],
    mil: [6],
    million: [6],
    millions: [6],
    mrd: [9],
    bn: [9],
    billion: [9],
  }),
);
const grouped = {
  '.': "[1-9]\\d{0,2}(?:[,'’ ]\\d{3})+(?:\\.\\d+)?|[1-9]\\d?(?:,\\d{2})+,\\d{3}(?:\\.\\d+)?|\\d+(?:\\.\\d+)?|\\.\\d+",
  ',': "[1-9]\\d{0,2}(?:[.'’ ]\\d{3})+(?:,\\d+)?|\\d+(?:,\\d+)?|,\\d+",
} as const;
const patterns = {
  '.': amountPattern(grouped['.']),
  ',': amountPattern(grouped[',']),
} as const;

function amountPattern(digits: string): RegExp {
  // Programs write small and large numbers as `1.88E-05`.
  const sign = '([-+])?';
  // A point is of a word that is shortened: `15.06.` is a day.
  const word = '(?:([\\p{L}°][\\p{L}²2]*)\\.?)?';
  return new RegExp(
    `^(\\()?${sign}(${currency})? ?${sign}(${digits})(?:[eE]([-+]?\\d\\d?))?(?:[,.][-–])? ?(%)? ?(${currency})? ?${word}(?: (${currency}))?(\\))?(?: ?(${currency}))?$`,
    'u',
  );
}

const percents = /^(?:percent|pct|pro[sz]ent(?:tia|er)?|procent|pourcents?|por ?ciento|percento)$/i;

/** What a number is for each of: `€/MWh`, `per day`, `p.a.` */
const rate = /(?: ?\/ ?| (?:per|pro|je) )[\p{L}][\p{L}²³23]*$| ?p\. ?a\.$/u;
const beforehand = / (?:before|prior|ahead|in advance|vorher|davor|im Voraus)$/;

/** Whether a text is for each of something: `5 €/kg`. */
export const isRate = (text: string): boolean => rate.test(text);

/** The numbers that an amount may be: with separators of thousands, a currency, a share, a scale, a unit, and what it is for each of. */
export function readNumber(text: string, style: Style): readonly ReadValue[] {
  const rated = rate.exec(text);
  if (rated !== null) {
    // Prices for each of something else are another unit.
    const unit = text.replace(/[-+\d.,'’ ]/g, '').toLowerCase();
    const found = readAmount(text.slice(0, rated.index), style).filter(({ mark }) => mark !== 'scale');
    return found.map((each) => (each.mark === 'percent' ? each : { ...each, mark: 'otherUnit', unit }));
  }
  const amounts = readAmount(text.replace(beforehand, ''), style);
  return beforehand.test(text) ? amounts.filter(({ mark }) => mark === 'unit') : amounts;
}

function readAmount(text: string, { decimal }: Style): readonly ReadValue[] {
  const match = patterns[decimal].exec(text);
  if (match === null) return [];
  const [, open, sign, money, inner, digits = '', power = 0, share, after, written = '', behind, close, last] = match;
  const percent = share ?? (percents.test(written) ? written : undefined);
  const word = percent === written ? '' : written;
  if ((open === undefined) !== (close === undefined) || (sign !== undefined && inner !== undefined)) return [];
  const isNegative = sign === '-' || inner === '-' || open !== undefined;
  const plain = plainDigits(digits, decimal);
  const value = (places: number): string => `${isNegative ? '-' : ''}${shifted(plain, places)}`.replace(/^-0$/, '0');
  if (percent !== undefined) return word === '' ? [{ text: value(-2), mark: 'percent' }] : [];
  const mark = money ?? after ?? behind ?? last;
  if (word === '') return [{ text: value(Number(power)), mark: mark === undefined ? undefined : 'currency' }];
  const scale = scales.get(word === 'M' ? word : word.toLowerCase());
  if (scale !== undefined) return scale.map((places) => ({ text: value(places), mark: 'scale' }));
  const unit = unitOf(word, '');
  if (unit !== undefined) return [{ text: value(0), mark: 'unit', unit }];
  if (/^(?:plus|upwards|onwards|and|or|to|up|asti|saakka|alkaen|lähtien|wzwyż)$/i.test(word)) return [];
  // Whatever else is counted stands apart from its number: `3rd` is none.
  return text.includes(` ${word}`) ? [{ text: value(0), mark: 'otherUnit', unit: word.toLowerCase() }] : [];
}

function plainDigits(digits: string, decimal: '.' | ','): string {
  const [whole = '', fraction] = digits.split(decimal);
  const rest = fraction?.replace(/0+$/, '') ?? '';
  const joined = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  return `${joined === '' ? '0' : joined}${rest === '' ? '' : `.${rest}`}`;
}
