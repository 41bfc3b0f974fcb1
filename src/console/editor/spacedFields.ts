import { hintOf, isFormula, spacedNames, withSpacedNames, zenOf, zenText } from '../../../workers/cells/index.js';
import type { Fault, Model } from '../api/types.js';
import { cellText, sheetOf, type Sheet } from './sheet.js';
import { cellOf } from './soughtCell.js';
import { textOf } from '../graph/fields.js';
import type { Word } from './text/word.js';
import { wordsOf, type KnownOfDraft } from './words.js';

/**
 * Faults of formulas that name fields with blanks in their names, each with what can stand in its place: the service knows the
 * model alone, and the desk what the request has, and what the decisions give that the model runs.
 */
export function withSpacedFields(model: Model, faults: readonly Fault[], known: KnownOfDraft): readonly Fault[] {
  if (model.document !== undefined) return faults;
  const names = new Map<string, ReadonlyMap<string, string>>();
  const namesFor = (id: string): ReadonlyMap<string, string> => {
    const found = names.get(id) ?? spacedIn(model, id, known);
    names.set(id, found);
    return found;
  };
  return faults.map((fault) => {
    const at = model.nodes.findIndex(({ id }) => id === fault.nodeId);
    const [node, cell] = [model.nodes[at], cellOf(fault, at)];
    if (node === undefined || cell === null || fault.readings !== undefined) return fault;
    const sheet = sheetOf(node);
    // Words in a table are texts as often.
    if (sheet === undefined || sheet.list === 'rules') return fault;
    const column = sheet.columns.find(({ id }) => id === cell.column);
    // The service has put right what it knows.
    const source = fault.repair ?? cellText(sheet.rows[cell.row], column);
    if (!/[\p{L}_] +[\p{L}_]/u.test(source)) return fault;
    const fields = new Map([...namesFor(node.id), ...spacedAbove(sheet, cell.row)]);
    const repair = withSpacedNames(spacedNames(fields), source, (named) => formulaRead(named) ?? named);
    // A formula that is more than that stays to be written anew.
    if (repair === undefined || isFormula(repair)) return fault;
    return { ...fault, repair, hint: hintOf('formula', [repair], source) };
  });
}

/**
 * A formula that somebody has typed, and that names such fields, as the one expression that it is; undefined where it names none, or
 * has more than a spreadsheet's formula.
 * @param spaced as `spacedOf` has them
 */
export function withSpacedTyped(
  sheet: Sheet,
  row: number,
  source: string,
  spaced: ReadonlyMap<string, string>,
): string | undefined {
  const own = sheet.list !== 'rules' ? [] : sheet.columns.filter(({ side, name }) => side === 'in' && / /.test(name));
  const columns = new Map(own.map(({ name, field }) => [name.toLowerCase(), field]));
  const fields = new Map([...columns, ...spaced, ...spacedAbove(sheet, row)]);
  // The field of that name, or the one that the column of that name reads: nobody knows which.
  for (const [name, field] of columns) if (field === '' || fields.get(name) !== field) fields.delete(name);
  // What is no formula of a spreadsheet otherwise, either, stays one that is not read.
  const text = withSpacedNames(spacedNames(fields), source, (named) => formulaRead(named) ?? '=');
  return text === undefined || isFormula(text) ? undefined : text;
}

/** `MAX(a; b)` and `19%` are a spreadsheet's, also without its sign. */
const formulaRead = (named: string): string | null => zenOf(isFormula(named) ? named : `=${named}`);

/** The same of what rows above make in the same node, as expressions read it. */
const spacedAbove = ({ list, rows }: Sheet, row: number): ReadonlyMap<string, string> =>
  new Map(
    list !== 'expressions'
      ? []
      : rows.slice(0, row).flatMap(({ key }) => {
          const name = textOf(key);
          return name.includes(' ') ? [[name.toLowerCase(), `$[${zenText(name)}]`] as const] : [];
        }),
  );

/** What stands for the names with blanks that a node may read, by the names in small letters. */
const spacedIn = (model: Model, id: string, known: KnownOfDraft): ReadonlyMap<string, string> =>
  spacedOf(wordsOf(model, id, undefined, known));

/** The same of words that may stand in a node. `Co-payment` is such a name, too, where there is not one field `Co` and another one `payment`. */
export const spacedOf = (words: readonly Word[]): ReadonlyMap<string, string> => {
  const labels = new Set(words.map(({ label }) => label));
  const isName = (label: string): boolean =>
    label.includes(' ') || (label.includes('-') && !label.split('-').every((part) => labels.has(part)));
  return new Map(
    words.flatMap(({ label, written }) =>
      written !== undefined && isName(label) ? [[label.toLowerCase(), written] as const] : [],
    ),
  );
};
