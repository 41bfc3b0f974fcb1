import { hintOf, isFormula, spacedNames, withSpacedNames, zenOf } from '../../../workers/cells/index.js';
import type { Fault, Model } from '../api/types.js';
import { cellText, sheetOf } from './sheet.js';
import { cellOf } from './soughtCell.js';
import { wordsOf, type KnownOfDraft } from './words.js';

/**
 * Faults of formulas that name fields with blanks in their names, each with what can stand in its place: the service knows the
 * model alone, and the desk what the request has, and what the decisions give that the model runs.
 */
export function withSpacedFields(model: Model, faults: readonly Fault[], known: KnownOfDraft): readonly Fault[] {
  if (model.document !== undefined) return faults;
  const names = new Map<string, ReturnType<typeof spacedNames>>();
  const namesFor = (id: string): ReturnType<typeof spacedNames> => {
    const found = names.get(id) ?? spacedNames(spacedIn(model, id, known));
    names.set(id, found);
    return found;
  };
  return faults.map((fault) => {
    const at = model.nodes.findIndex(({ id }) => id === fault.nodeId);
    const [node, cell] = [model.nodes[at], cellOf(fault, at)];
    if (node === undefined || cell === null || fault.repair !== undefined || fault.readings !== undefined) return fault;
    const sheet = sheetOf(node);
    // Words in a table are texts as often.
    if (sheet === undefined || sheet.list === 'rules') return fault;
    const source = cellText(
      sheet.rows[cell.row],
      sheet.columns.find(({ id }) => id === cell.column),
    );
    if (!/[\p{L}_] +[\p{L}_]/u.test(source)) return fault;
    const repair = withSpacedNames(namesFor(node.id), source, (named) => (isFormula(named) ? zenOf(named) : named));
    // A formula that is more than that stays to be written anew.
    if (repair === undefined || isFormula(repair)) return fault;
    return { ...fault, repair, hint: hintOf('formula', [repair], source) };
  });
}

/** What stands for the names with blanks that a node may read, by the names in small letters. */
const spacedIn = (model: Model, id: string, known: KnownOfDraft): ReadonlyMap<string, string> =>
  new Map(
    wordsOf(model, id, undefined, known).flatMap(({ label, written }) =>
      written !== undefined && label.includes(' ') ? [[label.toLowerCase(), written] as const] : [],
    ),
  );
