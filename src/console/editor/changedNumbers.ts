/** A whole number, and how many of its digits are behind the point: 12.50 is 1250 with 2. Every digit is kept. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

const number = /^-?\d+(?:\.\d+)?$/;

function decimalOf(text: string): Decimal | null {
  if (!number.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  return { digits: BigInt(whole + fraction), places: fraction.length };
}

const power = (places: number): bigint => 10n ** BigInt(places);

const plus = (one: Decimal, other: Decimal): Decimal => {
  const places = Math.max(one.places, other.places);
  const digits = ({ digits: own, places: has }: Decimal): bigint => own * power(places - has);
  return { digits: digits(one) + digits(other), places };
};

const times = (one: Decimal, other: Decimal): Decimal => ({
  digits: one.digits * other.digits,
  places: one.places + other.places,
});

/** To so many places, a half away from zero, as spreadsheets round. */
function rounded({ digits, places }: Decimal, to: number): Decimal {
  if (places <= to) return { digits: digits * power(to - places), places: to };
  const unit = power(places - to);
  const half = digits < 0n ? -unit / 2n : unit / 2n;
  return { digits: (digits + half) / unit, places: to };
}

function textOf({ digits, places }: Decimal): string {
  const all = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const [whole, fraction] = [all.slice(0, all.length - places), all.slice(all.length - places).replace(/0+$/, '')];
  return `${digits < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`.replace(/^-0$/, '0');
}

const one: Decimal = { digits: 1n, places: 0 };

/** What becomes of numbers. */
type Change = (value: Decimal) => Decimal;

/** `3.5 %` more, `-5%`, `+2`, `* 1.1`; null for what is no such change. */
export function changeOf(text: string): Change | null {
  const [, sign = '', digits = '', percent = ''] = /^([-+*×])? ?(\d+(?:[.,]\d+)?) ?(%)?$/.exec(text.trim()) ?? [];
  const amount = decimalOf(digits.replace(',', '.'));
  const isTimes = sign === '*' || sign === '×';
  if (amount === null || (sign === '' && percent === '') || (isTimes && percent !== '')) return null;
  const signed = sign === '-' ? { ...amount, digits: -amount.digits } : amount;
  if (isTimes) return (value) => times(value, amount);
  if (percent === '') return (value) => plus(value, signed);
  const factor = plus(one, { ...signed, places: signed.places + 2 });
  return (value) => times(value, factor);
}

/** A number after a change, with at most so many decimals; null for a cell that is none. */
export function changed(cell: string, change: Change, places: number): string | null {
  const value = decimalOf(cell.trim());
  return value === null ? null : textOf(rounded(change(value), places));
}

/** The most decimals that one of some cells has; amounts of money that have one have two. */
export const placesOf = (cells: readonly string[]): number => {
  const most = cells.reduce((found, cell) => Math.max(found, decimalOf(cell.trim())?.places ?? 0), 0);
  return most === 1 ? 2 : most;
};
