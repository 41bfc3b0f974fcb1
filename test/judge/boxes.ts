import type { Atom } from '../../workers/analysis/atoms.js';
import type { Box } from '../../workers/analysis/boxes.js';
import type { Dimension } from '../../workers/analysis/dimension.js';
import { membersOf } from '../../workers/analysis/ranges.js';
import { numberText } from '../../workers/engine/zen/values/numbers.js';
import { any, not, real, textNumber } from './cells.js';

/** A box over fields, as a formula. Dates are no values of the judge's facts. */
export const boxFormula = (dimensions: readonly Dimension[], box: Box): string =>
  `(and true ${dimensions
    .map((dimension, at) => any(...[...membersOf(box[at] ?? [])].map((atom) => atomFormula(dimension, atom))))
    .join(' ')})`;

/** Of an atom that is a text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function atomFormula({ name, atoms }: Dimension, index: number): string {
  const atom = atoms[index] as Atom;
  switch (atom.kind) {
    case 'null':
      return `(= ${name} null)`;
    case 'boolean':
      return `(= ${name} (bool ${atom.value === true ? 'true' : 'false'}))`;
    case 'list':
    case 'object':
      return `(= ${name} ${atom.kind})`;
    case 'text': {
      if (!atom.isRest) return `(= ${name} (text ${textNumber(textOf(atom.value))}))`;
      const named = atoms.filter(({ kind, isRest }) => kind === 'text' && !isRest);
      const isNamed = any(...named.map(({ value }) => `(= ${name} (text ${textNumber(textOf(value))}))`));
      return `(and ((_ is text) ${name}) ${not(isNamed)})`;
    }
    case 'number': {
      const { low = null, high = null, isPoint = false } = atom.numbers ?? {};
      const bounds = [
        ...(low === null ? [] : [`(${isPoint ? '>=' : '>'} (number ${name}) ${real(numberText(low))})`]),
        ...(high === null ? [] : [`(${isPoint ? '<=' : '<'} (number ${name}) ${real(numberText(high))})`]),
      ];
      return `(and ((_ is num) ${name}) ${bounds.join(' ')})`;
    }
    default:
      return 'false';
  }
}
