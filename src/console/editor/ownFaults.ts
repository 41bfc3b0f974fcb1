import { isEverything } from '../../../workers/cells/index.js';
import type { Fault, Model, ModelNode } from '../api/types.js';
import { stepOf, textOf } from '../graph/fields.js';
import { withRowsAbove } from './rowsAbove.js';
import { cellText, sheetOf, type Sheet } from './sheet.js';
import { wordsOf } from './words.js';

/** What the desk itself tells of a draft: what runs, and is hardly meant. The service says nothing of it. */
export const ownFaults = (model: Model): readonly Fault[] =>
  model.nodes.flatMap((node, at) => {
    const sheet = sheetOf(node);
    if (sheet === undefined) return [];
    const warning = (row: number, column: string, text: Pick<Fault, 'field' | 'message' | 'excerpt'>): Fault => ({
      ...{ severity: 'warning', key: '', nodeId: node.id, node: node.name, hint: null, line: null, column: null },
      ...{ pointer: `/nodes/${at}/content/${sheet.list}/${row}/${stepOf(column)}`, ...text },
    });
    if (sheet.list === 'rules') return rowsOfNothing(sheet, warning);
    if (sheet.list === 'statements')
      return [
        ...waysMeantOtherwise(sheet, model, node, warning),
        ...waysOfNothing(sheet, warning),
        ...waysToNothing(sheet, model, node, warning),
      ];
    return rowsOfAbove(sheet, model, node, warning);
  });

type Warning = (row: number, column: string, text: Pick<Fault, 'field' | 'message' | 'excerpt'>) => Fault;

function rowsOfNothing({ columns, rows }: Sheet, warning: Warning): readonly Fault[] {
  const outputs = columns.filter(({ side }) => side === 'out');
  const [first] = outputs;
  if (first === undefined) return [];
  return rows.flatMap((row, at) =>
    outputs.some((column) => cellText(row, column).trim() !== '')
      ? []
      : [warning(at, first.id, { field: null, message: `Row ${at + 1} gives nothing yet.`, excerpt: null })],
  );
}

function waysOfNothing({ rows, content }: Sheet, warning: Warning): readonly Fault[] {
  const last = rows.findIndex((row) => textOf(row['condition']).trim() === '');
  if (last < 0 || content['hitPolicy'] === 'collect') return [];
  return rows.slice(last + 1).map((row, index) => {
    const [at, excerpt] = [last + 1 + index, textOf(row['condition']) || null];
    const message = `Nothing gets here: condition ${last + 1} takes everything.`;
    return warning(at, 'condition', { field: `condition ${at + 1}`, message, excerpt });
  });
}

/** `otherwise` and the like, as tables tell of it; not where a field is called so. */
function waysMeantOtherwise({ rows }: Sheet, model: Model, { id }: ModelNode, warning: Warning): readonly Fault[] {
  const texts = rows.map((row) => textOf(row['condition']));
  if (!texts.some((text) => isEverything(text.trim()))) return [];
  const given = new Set(wordsOf(model, id, undefined).flatMap(({ kind, label }) => (kind === 'field' ? label : [])));
  const message = 'An empty cell takes everything; this asks for a field of that name.';
  return texts.flatMap((excerpt, at) =>
    isEverything(excerpt.trim()) && /\p{L}/u.test(excerpt) && !given.has(excerpt.trim())
      ? [warning(at, 'condition', { field: `condition ${at + 1}`, message, excerpt })]
      : [],
  );
}

function waysToNothing({ rows }: Sheet, { edges }: Model, { id }: ModelNode, warning: Warning): readonly Fault[] {
  const handles = edges.flatMap(({ sourceId, sourceHandle }) => (sourceId === id ? [sourceHandle] : []));
  // Who has just put the node there draws its lines next; of a line that is of no branch the service tells.
  if (handles.length === 0 || handles.includes(undefined)) return [];
  const message = 'It leads nowhere: what goes this way gives nothing. Draw a line from it.';
  return rows.flatMap((row, at) => {
    const excerpt = textOf(row['condition']) || null;
    const field = `condition ${at + 1}`;
    return handles.includes(textOf(row['id'])) ? [] : [warning(at, 'condition', { field, message, excerpt })];
  });
}

function rowsOfAbove({ content, rows }: Sheet, model: Model, { id }: ModelNode, warning: Warning): readonly Fault[] {
  const texts = rows.map((row) => textOf(row['value']));
  // Names that come into the node are many, and asked for where it depends on them.
  if (texts.every((text, row) => withRowsAbove(content, row, text) === text)) return [];
  const words = wordsOf(model, id, undefined).filter(({ kind }) => kind === 'field');
  const given = new Set(words.map(({ label }) => label.split('.')[0] ?? label));
  return texts.flatMap((text, row) => {
    const meant = withRowsAbove(content, row, text, given);
    if (meant === text) return [];
    const message =
      'What a row above makes is read with `$.` before its name; without it, a field of the input is read.';
    return [warning(row, 'value', { field: `expression ${textOf(rows[row]?.['key'])}`, message, excerpt: text })];
  });
}
