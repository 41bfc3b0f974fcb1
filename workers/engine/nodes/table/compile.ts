import { setterOf, type Setter } from '../../jdm/merge.js';
import type { Frame } from '../../jdm/frame.js';
import type { RunState, Value, ValueObject } from '../../values.js';
import type { CompiledNode, NodeContext } from '../nodeType.js';
import type { Table } from './content.js';
import { candidatesOf, type RowSource } from './candidates.js';
import { compileRow, Matching, resultsOf } from './rows.js';
import { nearestRow } from './nearest.js';
import { rowTracer } from './trace.js';

/** A table, ready to run. */
interface Compiled {
  readonly table: Table;
  readonly setters: readonly Setter[];
  /** The results of a row, if it matches. */
  readonly resultsAt: (row: number, matching: Matching, scalars: boolean) => (Value | undefined)[] | undefined;
  readonly candidates: RowSource;
  readonly begin: (input: Value, at: Pick<Frame, 'scope'>) => Matching;
}

/** Called for each matching row that is used; does nothing in plain runs. */
type OnMatch = (row: number, matching: Matching) => void;

const ignoreMatch: OnMatch = () => undefined;

/** Estimated bytes of a filled cell and of a row, before a run compiles them. */
const bytesPerCell = 500;
const bytesPerRow = 500;

/** Makes a table runnable: cells compiled, columns indexed where that pays. */
export function compileTable(table: Table, context: NodeContext): CompiledNode {
  const fields = table.inputs.map(({ field }) => (field === '' ? undefined : context.expression(field)));
  const cells = table.rules.reduce((sum, rule) => sum + rule.size, 0);
  context.footprint.add(cells * bytesPerCell + table.rules.length * bytesPerRow);
  const rows = table.rules.map((_, index) => compileRow(table, index, context));
  const compiled: Compiled = {
    table,
    setters: table.outputs.map(({ path }) => setterOf(path)),
    resultsAt: (index, matching, scalars) => {
      const row = rows[index];
      return row === undefined ? undefined : resultsOf(row, matching, table.outputs.length, scalars);
    },
    candidates: candidatesOf(table, context.footprint),
    begin: (input, at) => new Matching(table, fields, input, at),
  };
  const evaluate = strategyOf(table);
  const traceOf = rowTracer(table);
  const single = evaluate === firstRow;
  return {
    run: (input, frame) => evaluate(compiled, compiled.begin(input, frame), ignoreMatch),
    trace: (input, frame, slot) => {
      const shown: Value[] = [];
      const begun = compiled.begin(input, frame);
      begun.passedOver = slot.passedOver;
      const output = evaluate(compiled, begun, (row, matching) => {
        shown.push(traceOf(row, matching));
      });
      if (output !== null) slot.data = single ? shown[0] : shown;
      if (shown.length === 0) slot.unmatched = () => nearestRow(rows, (at) => compiled.begin(input, at), frame);
      return output;
    },
  };
}

type Strategy = (compiled: Compiled, matching: Matching, onMatch: OnMatch) => Value;

function strategyOf(table: Table): Strategy {
  if (table.collect) return everyRow;
  return table.outputs.some(({ collect }) => collect) ? firstRowAndColumns : firstRow;
}

/** `first`: the first matching row's results, or null. */
const firstRow: Strategy = (compiled, matching, onMatch) => {
  const rows = compiled.candidates(matching);
  for (let index = rows.next(); index >= 0; index = rows.next()) {
    const values = compiled.resultsAt(index, matching, true);
    if (values === undefined) continue;
    const output = written(values, compiled.setters, matching.scope.run);
    onMatch(index, matching);
    return output;
  }
  return null;
};

/** `collect`: the results of all matching rows. */
const everyRow: Strategy = (compiled, matching, onMatch) => {
  const outputs: ValueObject[] = [];
  const rows = compiled.candidates(matching);
  for (let index = rows.next(); index >= 0; index = rows.next()) {
    const values = compiled.resultsAt(index, matching, true);
    if (values === undefined) continue;
    outputs.push(written(values, compiled.setters, matching.scope.run));
    onMatch(index, matching);
  }
  return outputs;
};

/** `first` with `field[]` columns: scalars of the first matching row, lists over all matching rows. */
const firstRowAndColumns: Strategy = (compiled, matching, onMatch) => {
  const { table, setters } = compiled;
  const lists: Value[][] = table.outputs.map(() => []);
  let output: ValueObject | undefined;
  const rows = compiled.candidates(matching);
  for (let index = rows.next(); index >= 0; index = rows.next()) {
    const values = compiled.resultsAt(index, matching, output === undefined);
    if (values === undefined) continue;
    table.outputs.forEach(({ collect }, column) => {
      const value = values[column];
      if (!collect || value === undefined) return;
      lists[column]?.push(value);
      values[column] = undefined;
    });
    output ??= written(values, setters, matching.scope.run);
    onMatch(index, matching);
  }
  if (output === undefined) return null;
  for (const [column, { collect, path }] of table.outputs.entries()) {
    if (collect && path !== '') setters[column]?.(output, lists[column] ?? [], matching.scope.run);
  }
  return output;
};

function written(values: readonly (Value | undefined)[], setters: readonly Setter[], run: RunState): ValueObject {
  const output: ValueObject = {};
  for (let column = 0; column < values.length; column++) {
    const value = values[column];
    if (value !== undefined) setters[column]?.(output, value, run);
  }
  return output;
}
