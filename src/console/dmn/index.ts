import { readDefinitions } from '../../../workers/engine/dmn/document.js';
import type { Fault, Model, ModelTest } from '../api/types.js';
import { rowsOf, textOf } from '../graph/fields.js';
import { modelOf, type Positions } from './model.js';
import { cellPointers } from './tables.js';

// What only documents of DMN need: loaded with the first of them.
export { documentOf } from './write.js';

/** A document as the pages show models, drawn as its modeler drew it. */
export const readDocument = (xml: string, tests: readonly ModelTest[] | undefined): Model =>
  modelOf(xml, tests, positionsOf);

/**
 * Faults of a document as they are of its model: those of cells point into its tables.
 * @param model of which the document was written: columns that were added or removed since have ids of their own
 */
export function placedFaults(xml: string, faults: readonly Fault[], model?: Model): readonly Fault[] {
  if (faults.length === 0) return faults;
  const places = cellPointers(readDefinitions(xml));
  return faults.map((fault) => {
    const place = places.get(fault.pointer ?? '');
    return {
      ...fault,
      pointer:
        place?.replace(cellOfColumn, (_, node, cells, kind, at) => {
          const columns = rowsOf(model?.nodes[Number(node)]?.content, kind === 'in' ? 'inputs' : 'outputs');
          return `/nodes/${node}${cells}/${textOf(columns[Number(at)]?.['id']) || `${kind}${at}`}`;
        }) ?? fault.pointer,
    };
  });
}

const cellOfColumn = /^\/nodes\/(\d+)(.*)\/(in|out)(\d+)$/;

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
