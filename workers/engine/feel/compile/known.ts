import { plainShape } from '../../zen/cells.js';
import { bare } from '../types.js';
import type { Feel, FeelType, Kind } from '../values/value.js';

/** What is known of a part of an expression before it runs: its kind, and its value where that is always the same. */
export interface Known {
  readonly kind: Kind;
  readonly value?: Feel;
  /** Of the bounds of a range. */
  readonly bound?: Kind;
}

const single: ReadonlySet<string> = new Set<Kind>([
  ...(['number', 'string', 'boolean', 'date', 'time', 'date and time'] as const),
  ...(['days and time duration', 'years and months duration'] as const),
]);

/** Whether values of a kind are single ones, which are compared with no value of another kind. */
export const isSingle = (kind: Kind): boolean => single.has(kind);

/** What the type of a name says of its values; undefined for one that has values of several kinds, or with parts. */
export function knownOf(type: FeelType): Known | undefined {
  const { kind } = bare(type);
  return single.has(kind) ? { kind: kind as Kind } : undefined;
}

/** The texts that a type allows, where it names all of them; empty otherwise. */
export function textsOf(type: FeelType): readonly string[] {
  let current = type;
  for (let level = 0; level < 50 && current.kind === 'named'; level++) current = current.target();
  const shape = current.kind === 'constrained' ? plainShape(current.text) : undefined;
  return shape?.kind === 'literals' ? shape.values.filter((value) => typeof value === 'string') : [];
}
