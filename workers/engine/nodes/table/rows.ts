import { endsRun, EngineError, type Location } from '../../errors.js';
import type { Frame } from '../../jdm/frame.js';
import type { Scope, Value } from '../../values.js';
import { charge } from '../../zen/budget.js';
import type { Expression, UnaryTest } from '../../zen/index.js';
import type { NodeContext, PassedOver } from '../nodeType.js';
import { inputLocation, outputLocation, type Table } from './content.js';

/** A filled input cell. `field` cells test `$`, the value of their column's field. */
export interface Test {
  readonly column: number;
  readonly ofField: boolean;
  readonly holds: UnaryTest;
}

/** A filled output cell. */
interface Result {
  readonly column: number;
  readonly collect: boolean;
  readonly evaluate: Expression;
}

/** A rule, compiled: only its filled cells. */
export interface Row {
  readonly index: number;
  readonly tests: readonly Test[];
  readonly results: readonly Result[];
}

/** A column's field that it has not, or whose expression failed: its cells do not match. */
const failed = Symbol('failed');

/**
 * One evaluation of a table. Fields are evaluated once, when the first cell asks. `$` is the field value that was tested
 * last; output cells, and fields themselves, may read it.
 */
export class Matching {
  readonly table: Table;
  readonly scope: Scope;
  /** Of a traced run: why rows whose conditions held have no results. */
  passedOver: PassedOver[] | undefined;
  readonly #fields: readonly (Expression | undefined)[];
  readonly #values: (Value | typeof failed | undefined)[];

  constructor(
    table: Table,
    fields: readonly (Expression | undefined)[],
    input: Value,
    { scope }: Pick<Frame, 'scope'>,
  ) {
    this.table = table;
    this.scope = scope;
    this.scope.data = input;
    this.scope.reference = null;
    this.#fields = fields;
    this.#values = new Array<Value | typeof failed | undefined>(fields.length).fill(undefined);
  }

  /** As `field`, for traces: the value is not kept, so that tracing never changes when a field is evaluated. */
  shown(column: number): Value | undefined {
    const known = this.#values[column];
    const value = known === undefined ? evaluateField(this.#fields[column], this.scope) : known;
    return value === failed ? undefined : value;
  }

  /** The value of a column's field; undefined where it has none or its expression fails. */
  field(column: number): Value | undefined {
    let value = this.#values[column];
    if (value === undefined) this.#values[column] = value = evaluateField(this.#fields[column], this.scope);
    return value === failed ? undefined : value;
  }
}

function evaluateField(evaluate: Expression | undefined, scope: Scope): Value | typeof failed {
  if (evaluate === undefined) return failed;
  charge(scope.run, 1);
  try {
    return evaluate(scope);
  } catch (error) {
    if (endsRun(error)) throw error;
    return failed;
  }
}

/** Compiles the filled cells of a rule. */
export function compileRow(table: Table, index: number, context: NodeContext): Row {
  const rule = table.rules[index];
  const tests: Test[] = [];
  table.inputs.forEach(({ id, field }, column) => {
    const source = rule?.get(id) ?? '';
    if (source === '') return;
    const ofField = field !== '';
    tests.push({ column, ofField, holds: ofField ? context.unary(source) : isTrue(context.cell(source)) });
  });
  const results: Result[] = [];
  table.outputs.forEach(({ id, path, collect }, column) => {
    const source = rule?.get(id) ?? '';
    if (source !== '' && path !== '') results.push({ column, collect, evaluate: context.cell(source) });
  });
  return { index, tests, results };
}

function isTrue(expression: Expression): UnaryTest {
  return (scope) => expression(scope) === true;
}

/** Whether all cells of a row hold; one that raises an error does not. */
export function matches(row: Row, matching: Matching): boolean {
  const { scope } = matching;
  for (const test of row.tests) {
    charge(scope.run, 1);
    if (test.ofField) {
      const value = matching.field(test.column);
      if (value === undefined) return false;
      scope.reference = value;
    }
    try {
      if (!test.holds(scope)) return false;
    } catch (error) {
      if (endsRun(error)) throw located(error, inputLocation(matching.table, row.index, test.column));
      return false;
    }
  }
  return true;
}

/**
 * The row's results by output column, undefined where a cell is empty; undefined for a row that does not match or
 * whose output cells fail. Without `scalars` only the `field[]` columns are evaluated.
 */
export function resultsOf(
  row: Row,
  matching: Matching,
  columns: number,
  scalars: boolean,
): (Value | undefined)[] | undefined {
  const { scope } = matching;
  charge(scope.run, 1);
  if (!matches(row, matching)) return undefined;
  const values = new Array<Value | undefined>(columns).fill(undefined);
  for (const result of row.results) {
    if (!scalars && !result.collect) continue;
    try {
      values[result.column] = result.evaluate(scope);
    } catch (error) {
      if (endsRun(error)) throw located(error, outputLocation(matching.table, row.index, result.column));
      passOver(matching, row.index, result.column, error);
      return undefined;
    }
  }
  return values;
}

/** Rows that are told of a node, and characters of a cell that is told as it is. */
const [mostTold, longestCell] = [10, 80];

function passOver({ table, passedOver }: Matching, row: number, column: number, error: unknown): void {
  if (passedOver === undefined || passedOver.length >= mostTold || !(error instanceof EngineError)) return;
  const { id, name, path } = table.outputs[column] ?? { id: '', name: '', path: '' };
  // Which name of it was missing, its cell alone says.
  const cell = table.rules[row]?.get(id) ?? '';
  const what = `${name === '' ? path : name}${cell.length > longestCell ? '' : ` (${cell})`}`;
  const message = `its ${what} could not be computed: ${error.message}`;
  const location = { ...error.location, ...outputLocation(table, row, column) };
  passedOver.push({ index: row, error: new EngineError(error.code, message, location) });
}

function located(error: unknown, location: Location): unknown {
  return error instanceof EngineError ? error.at(location) : error;
}
