import type { UnaryShape } from '../../zen/index.js';

const text = /^(?:"([^"\\]*)"|'([^'\\]*)')$/;
const number = /^-?\d{1,15}$/;
const comparison = /^([<>])(=?) ?(-?\d{1,15})$/;
const interval = /^([[(])(-?\d{1,15})\.\.(-?\d{1,15})([\])])$/;

/**
 * The shape of the commonest cells (`'a'`, `5`, `>= 5`, `[1..5)`) without parsing them, because tables have thousands:
 * undefined for all others, which `analyseUnary` judges.
 */
export function plainShape(source: string): UnaryShape | undefined {
  const quoted = text.exec(source);
  if (quoted !== null) return { kind: 'literals', values: [quoted[1] ?? quoted[2] ?? ''] };
  if (number.test(source)) return { kind: 'literals', values: [Number(source)] };
  const compared = comparison.exec(source);
  if (compared !== null) {
    const bound = { value: Number(compared[3]), included: compared[2] === '=' };
    return compared[1] === '<' ? { kind: 'range', low: null, high: bound } : { kind: 'range', low: bound, high: null };
  }
  const between = interval.exec(source);
  if (between === null) return undefined;
  const low = { value: Number(between[2]), included: between[1] === '[' };
  const high = { value: Number(between[3]), included: between[4] === ']' };
  // Bounds the wrong way round are left to the parser.
  return low.value < high.value ? { kind: 'range', low, high } : undefined;
}
