import type { Value } from '../../../workers/engine/index.js';
import { tckJson, type TckValue } from '../../../workers/models/tck.js';

/** A date or duration of the kit, as one of another engine. */
class KitTemporal {
  readonly zenType = 'date' as const;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text.trim();
  }

  toJSON(): string {
    return this.#text;
  }
}

/** The value as a fact has it. */
export const kitFact = (value: TckValue): Value => tckJson(value, (text) => new KitTemporal(text));

/** One text for all that mean the same: fractions without zeros at their end, durations in seconds or months. */
export function temporalText(text: string): string {
  const months = /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?$/.exec(text);
  if (months !== null) {
    const count = Number(months[2] ?? 0) * 12 + Number(months[3] ?? 0);
    return `${count === 0 ? '' : months[1]}${count} months`;
  }
  const time = /^(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(\.\d+)?S)?)?$/.exec(text);
  if (time !== null) {
    const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = time;
    const all = BigInt(days) * 86_400n + BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds);
    return `${sign}${all}${withoutZeros(fraction)} seconds`;
  }
  return text.replace(/\.\d+/, withoutZeros).replace(/[+-]00:00$/, 'Z');
}

const withoutZeros = (fraction: string): string => fraction.replace(/\.?0+$/, '');
