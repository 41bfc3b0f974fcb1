import { readDefinitions } from '../../../workers/engine/dmn/document.js';
import type { Fault, Model } from '../api/types.js';
import { rowsOf, textOf } from '../graph/fields.js';
import { cellPointers } from './tables.js';

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
