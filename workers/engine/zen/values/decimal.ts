/** The largest coefficient of a decimal: 96 bits, hence 28 to 29 significant digits. */
const maxUnits = (1n << 96n) - 1n;
/** The most digits after the point. */
export const maxScale = 28;

const powers: bigint[] = Array.from({ length: 60 }, (_, exponent) => 10n ** BigInt(exponent));

/** 10^exponent, exponent >= 0. */
export function power10(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/**
 * A number that no JavaScript number stands for exactly: `units / 10^scale`, at most 96 bits and 28 places, as in the
 * reference implementation. The scale is kept, trailing zeros too, because `string(1.50)` is "1.50". Immutable.
 */
export class Decimal {
  /** The coefficient where it is a safe integer, else NaN: spares most operations the big integers. */
  readonly small: number;
  readonly scale: number;
  readonly #big: bigint | undefined;
  #json: string | undefined;

  /** @param json as JSON has it, where that is shorter than all of its digits */
  constructor(units: number | bigint, scale: number, json?: string) {
    this.scale = scale;
    this.#json = json;
    if (typeof units === 'number') {
      this.small = units;
      this.#big = undefined;
    } else {
      const asNumber = Number(units);
      this.small = Number.isSafeInteger(asNumber) ? asNumber : NaN;
      this.#big = units;
    }
  }

  get units(): bigint {
    return this.#big ?? BigInt(this.small);
  }

  get isWhole(): boolean {
    return this.units % power10(this.scale) === 0n;
  }

  /** The digits as they are, with trailing zeros: what `string()` shows. */
  toString(): string {
    return unitsText(this.units, this.scale);
  }

  /** The number of results, as text without trailing zeros. */
  toJsonText(): string {
    return (this.#json ??= this.scale === 0 ? this.toString() : this.toString().replace(/\.?0+$/, ''));
  }

  /** The nearest JavaScript number. */
  toJSON(): number {
    return Number(this.toJsonText());
  }
}

function unitsText(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** units / divisor, rounded half to even, as the reference does where digits are lost. */
export function divideHalfEven(units: bigint, divisor: bigint): bigint {
  const quotient = units / divisor;
  const rest = units % divisor;
  if (rest === 0n) return quotient;
  const twice = (rest < 0n ? -rest : rest) * 2n;
  const size = divisor < 0n ? -divisor : divisor;
  if (twice < size || (twice === size && (quotient & 1n) === 0n)) return quotient;
  return units < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

export function fits(units: bigint): boolean {
  return units <= maxUnits && units >= -maxUnits;
}

/** Brings a coefficient of any size into 96 bits and 28 places; undefined when the number is too large for it. */
export function fit(units: bigint, scale: number): Decimal | undefined {
  if (scale <= maxScale && fits(units)) return new Decimal(units, scale);
  let drop = Math.max(scale - maxScale, 0);
  const digits = (units < 0n ? -units : units).toString().length;
  drop = Math.max(drop, Math.min(digits - 29, scale));
  let rounded = drop > 0 ? divideHalfEven(units, power10(drop)) : units;
  if (!fits(rounded) && drop < scale) {
    drop += 1;
    rounded = divideHalfEven(units, power10(drop));
  }
  return fits(rounded) && drop <= scale ? new Decimal(rounded, scale - drop) : undefined;
}
