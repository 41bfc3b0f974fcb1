import { setterOf, type Setter } from '../../jdm/merge.js';
import type { Frame } from '../../jdm/frame.js';
import type { Value, ValueObject } from '../../values.js';
import type { CompiledNode, Site } from '../kind.js';
import type { Table } from './content.js';
import { allRows, indexColumns, type RowSource } from './candidates.js';
import { compileRow, Matching, resultsOf, type Row } from './rows.js';
import { traceOf } from './trace.js';

/** A table, ready to run. */
interface Compiled {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly setters: readonly Setter[];
  readonly candidates: RowSource;
  readonly begin: (input: Value, frame: Frame) => Matching;
}

/** Called for each matching row that is used; does nothing in plain runs. */
type Witness = (row: number, matching: Matching) => void;

const noWitness: Witness = () => undefined;

/** Makes a table runnable: cells compiled, columns indexed where that pays. */
export function compileTable(table: Table, site: Site): CompiledNode {
  const fields = table.inputs.map(({ field }) => (field === '' ? undefined : site.expression(field)));
  const compiled: Compiled = {
    table,
    rows: table.rules.map((_, index) => compileRow(table, index, site)),
    setters: table.outputs.map(({ path }) => setterOf(path)),
    candidates: indexColumns(table) ?? allRows(table.rules.length),
    begin: (input, frame) => new Matching(table, fields, input, frame),
  };
  const evaluate = strategyOf(table);
  return {
    run: (input, frame) => evaluate(compiled, compiled.begin(input, frame), noWitness),
    trace: (input, frame, slot) => {
      const single = !table.collect && !table.outputs.some(({ collect }) => collect);
      const shown: Value[] = [];
      const output = evaluate(compiled, compiled.begin(input, frame), (row, matching) => {
        shown.push(traceOf(table, row, matching));
      });
      if (output !== null) slot.data = single ? shown[0] : shown;
      return output;
    },
  };
}

type Strategy = (compiled: Compiled, matching: Matching, witness: Witness) => Value;

function strategyOf(table: Table): Strategy {
  if (table.collect) return everyRow;
  return table.outputs.some(({ collect }) => collect) ? firstRowAndColumns : firstRow;
}

/** `first`: the first matching row's results, or null. */
const firstRow: Strategy = (compiled, matching, witness) => {
  const { table, rows, setters } = compiled;
  let output: ValueObject | null = null;
  compiled.candidates(matching, (index) => {
    const row = rows[index];
    const values = row === undefined ? undefined : resultsOf(row, matching, table.outputs, true);
    if (values === undefined) return false;
    output = {};
    write(output, values, setters);
    witness(index, matching);
    return true;
  });
  return output;
};

/** `collect`: the results of all matching rows. */
const everyRow: Strategy = (compiled, matching, witness) => {
  const { table, rows, setters } = compiled;
  const outputs: ValueObject[] = [];
  compiled.candidates(matching, (index) => {
    const row = rows[index];
    const values = row === undefined ? undefined : resultsOf(row, matching, table.outputs, true);
    if (values === undefined) return false;
    const output: ValueObject = {};
    write(output, values, setters);
    outputs.push(output);
    witness(index, matching);
    return false;
  });
  return outputs;
};

/** `first` with `field[]` columns: scalars of the first matching row, lists over all matching rows. */
const firstRowAndColumns: Strategy = (compiled, matching, witness) => {
  const { table, rows, setters } = compiled;
  let output: ValueObject | null = null;
  const lists: Value[][] = table.outputs.map(() => []);
  compiled.candidates(matching, (index) => {
    const row = rows[index];
    const values = row === undefined ? undefined : resultsOf(row, matching, table.outputs, output === null);
    if (values === undefined) return false;
    const holder: ValueObject = output ?? {};
    values.forEach((value, column) => {
      if (value === undefined) return;
      if (table.outputs[column]?.collect === true) lists[column]?.push(value);
      else setters[column]?.(holder, value);
    });
    output = holder;
    witness(index, matching);
    return false;
  });
  if (output === null) return null;
  const holder: ValueObject = output;
  for (const [column, { collect, path }] of table.outputs.entries()) {
    if (collect && path !== '') setters[column]?.(holder, lists[column] ?? []);
  }
  return holder;
};

function write(output: ValueObject, values: readonly (Value | undefined)[], setters: readonly Setter[]): void {
  for (let column = 0; column < values.length; column++) {
    const value = values[column];
    if (value !== undefined) setters[column]?.(output, value);
  }
}
