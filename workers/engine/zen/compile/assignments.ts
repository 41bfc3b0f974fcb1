import type { Value, ValueObject } from '../../values.js';
import type { Assignments, Node } from '../ast.js';
import { copyOf } from '../budget.js';
import { errorAt } from '../sourceSpan.js';
import { isObject, kindOf } from '../values/kinds.js';
import { setAt } from '../values/objects.js';
import { dynamic, siteOf, type Cell, type Compiled, type Context, type Evaluate } from './context.js';
import { readOuter } from './paths.js';

/** `a = 1; b.c = 2; output` */
export function compileAssignments(context: Context, node: Assignments, compile: (node: Node) => Compiled): Compiled {
  const site = siteOf(context, node.span);
  const steps = node.list.map(({ path, value }) => {
    const [name = '', ...rest] = path;
    return { path, set: setter(context.variables.get(name), readOuter(name), rest), value: compile(value).evaluate };
  });
  const output = node.output && compile(node.output).evaluate;
  return dynamic((scope) => {
    if (!isObject(scope.data)) {
      throw errorAt(
        site,
        'type_error',
        `variables can be assigned when the input is an object, not ${kindOf(scope.data)}`,
      );
    }
    const assigned: ValueObject = {};
    for (const { path, set, value } of steps) {
      const result = value(scope);
      set(scope, result);
      if (!output) setAt(assigned, path, result, (object) => copyOf(scope.run, object), false);
    }
    return output ? output(scope) : assigned;
  });
}

/** Stores in the variable's cell; `a.b = x` makes a copy of `a` with `b` changed, since `a` may be part of the facts. */
function setter(
  cell: Cell | undefined,
  outer: Evaluate,
  rest: readonly string[],
): (scope: Parameters<Evaluate>[0], value: Value) => void {
  if (!cell) return () => undefined;
  return (scope, value) => {
    if (rest.length === 0) {
      cell.value = value;
    } else {
      const before = cell.isSet ? cell.value : outer(scope);
      const copy: ValueObject = isObject(before) ? copyOf(scope.run, before) : {};
      setAt(copy, rest, value, (object) => copyOf(scope.run, object));
      cell.value = copy;
    }
    cell.isSet = true;
  };
}
