import {
  isEverything,
  isFormula,
  maybeEverything,
  repairNames,
  withKind,
  withoutCommas,
  zenOf,
  type CellMeaning,
} from '../../../workers/cells/index.js';
import type { Fault, Model, ModelNode } from '../api/types.js';
import { textOf, type Fields } from '../graph/fields.js';
import { withContent } from './modelEdits.js';
import { cellOf, type SoughtCell } from './soughtCell.js';
import { withRowsAbove } from './rowsAbove.js';
import { withColumnChanged } from './columnEdits.js';
import { cellColumn } from './readColumn.js';
import { withTextsSaid } from './saidTexts.js';
import { withUnitKept, withWritingKept } from './keptWriting.js';
import { cellText, sheetOf, withCells, type CellText, type Sheet } from './sheet.js';

// The service warns of cells that a person means otherwise than the engine reads them; here they are put right.

/** What a fault says of its cell: the service reads those of documents of DMN, and whole conditions. */
type Told = Pick<Fault, 'repair' | 'readings'>;

/** Each of which can stand in place of the cell. */
const saidBy = ({ repair, readings }: Told): readonly string[] | undefined =>
  readings ?? (repair === undefined ? undefined : [repair]);

/**
 * Faults of formulas, which the service tells by the formula alone: what a row reads of those above it, `$.net`, is told as the
 * button beside it writes it.
 */
export const withFormulasTold = (model: Model, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => {
    const at = model.nodes.findIndex(({ id }) => id === fault.nodeId);
    const [node, cell] = [model.nodes[at], cellOf(fault, at)];
    const sheet = node?.type === 'expressionNode' ? sheetOf(node) : undefined;
    if (sheet === undefined || cell === null) return fault;
    const index = sheet.columns.findIndex(({ id }) => id === cell.column);
    const written = zenOf(cellText(sheet.rows[cell.row], sheet.columns[index]));
    const [meant] = readingsOf(sheet, { row: cell.row, index, told: [fault] });
    const told = `Write ${written ?? ''}.`;
    return meant === undefined || fault.hint?.startsWith(told) !== true
      ? fault
      : { ...fault, hint: `Write ${meant}.${fault.hint.slice(told.length)}` };
  });

/** What can stand in place of a cell that has a fault; empty where nobody can say. */
export function readingsOf(
  sheet: Sheet,
  { row, index, told }: { readonly row: number; readonly index: number; readonly told: readonly Told[] },
): readonly string[] {
  const said = told.flatMap((each) => saidBy(each) ?? []);
  if (said.length > 0 || sheet.isOfDocument) return [...new Set(said)];
  const text = cellText(sheet.rows[row], sheet.columns[index]);
  if (sheet.list !== 'rules') {
    // `amount*5%`, `amount*1,19`, `AVERAGE(a, b)`: what a spreadsheet reads behind its `=`.
    const isMeant = sheet.list === 'expressions' && told.length > 0 && /[%&]|\p{Lu}{2,}\(|\d,\d/u.test(text);
    const written = zenOf(isMeant && !isFormula(text) ? `=${text}` : text) ?? text;
    const isExpression = sheet.list === 'expressions' && sheet.columns[index]?.side === 'out';
    const meant = isExpression ? withRowsAbove(sheet.content, row, written) : written;
    if (meant !== text) return [meant];
    return sheet.list === 'statements' && told.length > 0 && isEverything(text.trim()) ? [''] : [];
  }
  return cellColumn(sheet, index)?.faultIn(text)?.readings ?? [];
}

/** Of the cells of a column, whether a person means one otherwise than as a name of a field: `otherwise`, `any`, and in conditions all that is put right. */
export function meantOtherwise(sheet: Sheet, index: number): (text: string) => boolean {
  const column = cellColumn(sheet, index);
  return (text) => {
    const fault = column?.faultIn(text);
    if (fault === undefined) return false;
    const { readings } = fault;
    // `n/a` among numbers has no reading, and is no name either.
    return (readings.length > 0 && (column?.isTest === true || readings.includes(''))) || maybeEverything(text.trim());
  };
}

/** A cell, and what can stand in its place. */
interface RepairedCell extends CellText {
  readonly readings: readonly string[];
}

/** Cells of one column that are put right alike. */
export interface RepairGroup {
  readonly key: string;
  readonly nodeId: string;
  readonly table: string;
  readonly column: string;
  readonly columnId: string;
  /** What is done to them. */
  readonly title: string;
  readonly question: string;
  /** How many readings each cell has: with more than one a person is asked, with none nothing can be done here. */
  readonly choices: number;
  readonly cells: readonly RepairedCell[];
}

/** The cells that have faults, by what is to be done about them. */
export function repairGroups({ nodes }: Model, faults: readonly Fault[]): readonly RepairGroup[] {
  return nodes.flatMap((node, at) => {
    const own = faults.flatMap((fault) => {
      const cell = cellOf(fault, at);
      return cell === null ? [] : [{ ...fault, ...cell }];
    });
    return own.length === 0 ? [] : groupsOf(node, own);
  });
}

function groupsOf(node: ModelNode, found: readonly (SoughtCell & Told)[]): readonly RepairGroup[] {
  const sheet = sheetOf(node);
  if (sheet === undefined) return [];
  return sheet.columns.flatMap((column, index) => {
    const groups = new Map<string, RepairGroup & { readonly cells: RepairedCell[] }>();
    const here = found.filter((cell) => cell.column === column.id);
    // Of several faults of a cell, such as a way that leads nowhere, one may say how it is put right.
    const own = new Map(
      [...here, ...here.filter((cell) => saidBy(cell) !== undefined)].map((cell) => [cell.row, cell]),
    );
    const read = own.size === 0 ? undefined : cellColumn(sheet, index);
    for (const [row, told] of own) {
      const text = cellText(sheet.rows[row], column);
      // Formulas and conditions are read as the button beside each of them reads it.
      const alone = sheet.list === 'rules' ? [] : readingsOf(sheet, { row, index, told: [told] });
      const readings = saidBy(told) ?? (alone.length === 0 ? undefined : alone);
      const fault =
        readings === undefined ? read?.faultIn(text) : { form: formOf(sheet, column), question: '', readings };
      if (fault === undefined) continue;
      const kind = kindOf(fault);
      const group = groups.get(kind) ?? groupOf(fault, node, column);
      groups.set(kind, group);
      group.cells.push({ row, column: index, text, readings: fault.readings });
    }
    return [...groups.values()];
  });
}

/** Of what the service has read: cells of documents, formulas, whole conditions. */
const formOf = ({ isOfDocument }: Sheet, { side }: Sheet['columns'][number]): Read['form'] =>
  isOfDocument ? 'feel' : side === 'out' ? 'formula' : 'comparison';

type Read = Pick<CellMeaning, 'question' | 'readings'> & { readonly form: CellMeaning['form'] | 'feel' };

/** Cells of a column that have it in common are one group. */
const kindOf = ({ form, question, readings }: Read): string =>
  `${readings.length > 1 ? question : form} ${readings.length}`;

const groupOf = (fault: Read, { id, name }: ModelNode, column: Sheet['columns'][number]) => ({
  key: JSON.stringify([id, column.id, kindOf(fault)]),
  nodeId: id,
  table: name,
  column: column.name,
  columnId: column.id,
  title: fault.form === 'feel' ? 'Cells that are no FEEL yet' : repairNames[fault.form],
  question: fault.question,
  choices: fault.readings.length,
  cells: [] as RepairedCell[],
});

/** Of whose cells nobody has to be asked. A day alone, in a column of first days, may be meant as that day, and digits in quotes as that text. */
export const sureGroups = (groups: readonly RepairGroup[]): readonly RepairGroup[] =>
  groups.filter(({ choices, title }) => choices === 1 && title !== repairNames.bound && title !== repairNames.code);

/** How many cells groups have together. */
export const cellsIn = (groups: readonly RepairGroup[]): number =>
  groups.reduce((sum, { cells }) => sum + cells.length, 0);

/** The model with each cell of a group as it is read. @param choice which of its readings, for all cells the same */
export function repaired(model: Model, { nodeId, question, cells }: RepairGroup, choice: number): Model {
  const node = model.nodes.find(({ id }) => id === nodeId);
  const sheet = node && sheetOf(node);
  if (sheet === undefined) return model;
  const texts = cells.flatMap(({ row, column, text, readings }): CellText[] => {
    const reading = readings[choice];
    // What was written meanwhile stays.
    const isSame = textOf(sheet.rows[row]?.[sheet.columns[column]?.id ?? '']) === text;
    return reading === undefined || !isSame ? [] : [{ row, column, text: reading }];
  });
  const next = withCells(sheet, texts);
  const [first] = texts;
  if (first === undefined) return withContent(model, nodeId, next);
  if (ofOthers.has(question) && cells.every(({ text, readings }) => readings[choice] === text))
    return withContent(model, nodeId, asTheyStand(sheet, first.column));
  // Who has said what the points are is not asked again for numbers that stay as they are.
  const told =
    question === 'decimal'
      ? withUnitKept(sheet, withColumnChanged(next, first.column, withoutCommas), first.column)
      : withWritingKept(sheet, next, first.column);
  return withContent(model, nodeId, withTextsSaid(told, cellColumn(sheet, first.column)?.kind, texts));
}

/** A table with a cell as it is read. */
export const withReading = (sheet: Sheet, { row, column, text }: CellText): Fields =>
  text === cellText(sheet.rows[row], sheet.columns[column]) &&
  ofOthers.has(cellColumn(sheet, column)?.faultIn(text)?.question ?? '')
    ? asTheyStand(sheet, column)
    : withTextsSaid(
        withUnitKept(sheet, withCells(sheet, [{ row, column, text }]), column),
        cellColumn(sheet, column)?.kind,
        [{ column, text }],
      );

/** What is asked of cells because others of their column are unlike them. */
const ofOthers: ReadonlySet<string> = new Set(['share', 'capitals']);

/** Of cells that are meant as they stand, the column is of their kind, which somebody has said now. */
const asTheyStand = (sheet: Sheet, column: number): Fields =>
  withColumnChanged(sheet.content, column, (item) => withKind(item, cellColumn(sheet, column)?.kind));
