import type { Model, ModelTest } from '../api/types.js';
import { modelOf, type Positions } from './model.js';

// What only documents of DMN need: loaded with the first of them.
export { textOfFile } from '../../../workers/engine/dmn/document.js';
export { placedFaults } from './faults.js';
export { documentOf } from './write.js';

/** A document as the pages show models, drawn as its modeler drew it. */
export const readDocument = (xml: string, tests: readonly ModelTest[] | undefined): Model =>
  modelOf(xml, tests, positionsOf);

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
