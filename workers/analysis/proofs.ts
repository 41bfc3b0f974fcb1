import { parseModel } from '../engine/jdm/model.js';
import { constantOf } from './constants.js';
import type { Deadline } from './deadline.js';
import type { AnalysedModel } from './model.js';
import { areApart, pathName } from './paths.js';
import type { CheckedProperty } from './properties.js';
import type { ReportedProperty } from './report.js';
import { boxesOf, zenTable, type TableBoxes } from './tableBoxes.js';
import { tablesOf, type TableNode } from './tableNodes.js';
import {
  membership,
  mostFacts,
  notInFacts,
  outcomesOf,
  points,
  tooMany,
  tryAll,
  type FactUse,
  type Trials,
} from './trials.js';
import { factOf } from './witness.js';

type Provable = Pick<AnalysedModel, 'document' | 'program'>;

/**
 * Tries a property on a fact of each kind that the model and the property tell apart. They are all there are where the model
 * is one table that takes the first matching row, its cells compare fields with constants, its results are constants, and
 * the property compares fields with constants too.
 */
export const prove = (property: CheckedProperty, model: Provable, until: Deadline): Promise<ReportedProperty> =>
  tryAll(property, until, ({ fact }) => trialsOf(model, fact, until));

function trialsOf({ document, program }: Provable, asked: readonly FactUse[], until: Deadline): Trials {
  if (program === null) return 'the model does not compile';
  if (parseModel(document).nodes.some(({ content: { schema } }) => schema !== undefined && schema !== null))
    return 'the model has a schema, which tells more facts apart than its table does';
  const node = lonelyTable(document);
  if (node === undefined) return 'the model is not one table between its input and its output';
  const reason = whyNotPlain(node);
  if (reason !== undefined) return reason;
  const boxes = boxesOf(zenTable(node.table), until, { fields: asked });
  const { dimensions, rows } = boxes;
  for (const row of rows) if (!row.isExact) return row.reason ?? 'a row may not match where its cells hold';
  if (!areApart(dimensions.map(({ path }) => path))) return 'a field is computed, or one is a part of another';
  const atoms = dimensions.map((_, index) => distinctAtoms(boxes, index, asked));
  if (atoms.reduce((product, { length }) => product * length, 1) > mostFacts) return tooMany;
  const facts = function* () {
    for (const point of points(atoms)) yield factOf(dimensions, point);
  };
  return { program, facts: facts() };
}

/** The table of a model that is nothing but that table; undefined for any other model. */
function lonelyTable(document: unknown): TableNode | undefined {
  const { nodes, edges } = parseModel(document);
  const [input, table, output] = ['inputNode', 'decisionTableNode', 'outputNode'].map((wanted) =>
    nodes.findIndex(({ type }) => type === wanted),
  ) as [number, number, number];
  const isLine = (source: number, target: number): boolean =>
    edges.some((edge) => edge.source === source && edge.target === target);
  const hasOutput = output >= 0;
  if (nodes.length !== (hasOutput ? 3 : 2) || edges.length !== nodes.length - 1) return undefined;
  if (!isLine(input, table) || (hasOutput && !isLine(table, output))) return undefined;
  return tablesOf(document)[0];
}

/** Why a table does more than take the first row with a constant result; undefined where it does not. */
function whyNotPlain({ content, table }: TableNode): string | undefined {
  const { inputField, outputPath, executionMode, passThrough } = content;
  const isIdle =
    [inputField, outputPath].every((text) => text === undefined || text === null || text === '') &&
    executionMode !== 'loop' &&
    passThrough !== true;
  if (!isIdle) return 'the table runs on a part of the fact, in a loop, or passes its input on';
  if (table.collect || table.outputs.some(({ collect }) => collect)) return 'the table collects rows';
  const isConstant = table.rules.every((rule) =>
    table.outputs.every(({ id }) => (rule.get(id) ?? '') === '' || constantOf(rule.get(id) ?? '') !== undefined),
  );
  return isConstant ? undefined : 'its results are computed';
}

/** One atom of each class that rows and comparisons of a property tell apart. */
function distinctAtoms({ dimensions, rows }: TableBoxes, index: number, asked: readonly FactUse[]): number[] {
  const dimension = dimensions[index];
  if (dimension === undefined) return [];
  const outcomes = outcomesOf(
    asked.filter(({ path }) => pathName(path) === dimension.name),
    dimension,
  );
  const first = new Map<string, number>();
  for (const [atom, rowsOfAtom] of membership([rows], index, dimension.atoms.length).entries()) {
    // Facts have texts for dates, as there is no schema.
    if (notInFacts.has(dimension.atoms[atom]?.kind ?? 'failed')) continue;
    const key = `${rowsOfAtom} / ${outcomes[atom]}`;
    if (!first.has(key)) first.set(key, atom);
  }
  return [...first.values()];
}
