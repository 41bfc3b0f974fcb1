import { readDefinitions } from '../../../workers/engine/dmn/document.js';
import type { Fault, Model, ModelTest } from '../api/types.js';
import { modelOf, type Positions } from './model.js';
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

/** Where a modeler drew the elements (DMNDI), by their ids. The layout's elements are of a namespace that is not read here. */
function positionsOf(xml: string): Positions {
  const drawn = new DOMParser().parseFromString(xml, 'application/xml');
  const positions = new Map<string, { readonly x: number; readonly y: number }>();
  for (const shape of drawn.getElementsByTagNameNS('*', 'DMNShape')) {
    const id = shape.getAttribute('dmnElementRef');
    const bounds = shape.getElementsByTagNameNS('*', 'Bounds')[0];
    const [x, y] = [Number(bounds?.getAttribute('x') ?? NaN), Number(bounds?.getAttribute('y') ?? NaN)];
    if (id !== null && Number.isFinite(x) && Number.isFinite(y)) positions.set(id, { x, y });
  }
  return positions;
}
