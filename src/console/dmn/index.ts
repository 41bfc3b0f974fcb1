import { readDefinitions } from '../../../workers/engine/dmn/document.js';
import type { Fault, Model, ModelTest } from '../api/types.js';
import { positionsOf } from './layout.js';
import { modelOf } from './model.js';
import { cellPointers } from './tables.js';

// What only documents of DMN need: loaded with the first of them.
export { documentOf } from './write.js';

/** A document as the pages show models, drawn as its modeler drew it. */
export const readDocument = (xml: string, tests: readonly ModelTest[] | undefined): Model =>
  modelOf(xml, tests, positionsOf);

/** Faults of a document as they are of its model: those of cells point into its tables. */
export function placedFaults(xml: string, faults: readonly Fault[]): readonly Fault[] {
  if (faults.length === 0) return faults;
  const places = cellPointers(readDefinitions(xml));
  return faults.map((fault) => ({ ...fault, pointer: places.get(fault.pointer ?? '') ?? fault.pointer }));
}
