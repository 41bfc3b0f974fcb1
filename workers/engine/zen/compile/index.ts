import type { Scope, Value, ValueObject } from '../../values.js';
import type { Conditional, IntervalNode, Node, ObjectNode, Template, Unary } from '../ast.js';
import { chargeItems } from '../budget.js';
import { scalarText } from '../functions/types.js';
import { checkedText, errorAt, type SourceSpan } from '../sourceSpan.js';
import { ZenDate } from '../values/date.js';
import { ZenInterval } from '../values/interval.js';
import { kindOf } from '../values/kinds.js';
import { isNumeric, negate } from '../values/numbers.js';
import { setKey } from '../values/objects.js';
import { compileAssignments } from './assignments.js';
import { compileBinary } from './binary.js';
import { compileCall, compileMethod } from './calls.js';
import { compileClosure } from './closures.js';
import { constant, fold, siteOf, type Compiled, type Context, type Evaluate } from './context.js';
import { truth } from './operators.js';
import { compileMember, compileName, compileSlice } from './paths.js';

/**
 * Estimated bytes of a compiled node: its closure, what that closes over, and the span in the source that its errors
 * name.
 */
const bytesPerNode = 600;
const bytesPerLiteral = 60;

/** Compiles a syntax tree to a closure. Diagnostics go to the context. */
export function compileRoot(context: Context, root: Node): Evaluate {
  const { evaluate } = compileNode(context, root);
  context.footprint.add(context.bytes);
  if (context.variables.size === 0) return evaluate;
  const cells = [...context.variables.values()];
  return (scope) => {
    for (const cell of cells) {
      cell.isSet = false;
      cell.value = null;
    }
    return evaluate(scope);
  };
}

function compileNode(context: Context, node: Node): Compiled {
  const compile = (part: Node): Compiled => compileNode(context, part);
  context.bytes += node.kind === 'literal' ? bytesPerLiteral : bytesPerNode;
  switch (node.kind) {
    case 'literal':
      return constant(node.value);
    case 'identifier':
    case 'root':
    case 'pointer':
      return compileName(context, node);
    case 'member':
      return compileMember(context, node, compile);
    case 'slice':
      return compileSlice(context, node, compile);
    case 'array':
      return compileList(context, node.items.map(compile));
    case 'object':
      return compileObject(context, node, compile);
    case 'template':
      return compileTemplate(context, node, compile);
    case 'interval':
      return compileInterval(context, node, compile);
    case 'conditional':
      return compileConditional(context, node, compile);
    case 'unary':
      return compileUnary(context, node, compile);
    case 'binary':
      return compileBinary(context, node, compile);
    case 'group':
      return compile(node.inner);
    case 'call':
      return compileCall(context, node, compile);
    case 'closure':
      return compileClosure(context, node, compile);
    case 'method':
      return compileMethod(context, node, compile);
    case 'assignments':
      return compileAssignments(context, node, compile);
  }
}

function compileList(context: Context, items: readonly Compiled[]): Compiled {
  const evaluators = items.map((item) => item.evaluate);
  return fold(context, items, (scope) => {
    chargeItems(scope.run, evaluators.length);
    const list: Value[] = [];
    for (const evaluate of evaluators) list.push(evaluate(scope));
    return list;
  });
}

/** Where a key stands twice, the first one wins, as in the reference. */
function compileObject(context: Context, node: ObjectNode, compile: (node: Node) => Compiled): Compiled {
  const entries = node.entries.map(({ key, value }) => ({
    key: compile(key),
    value: compile(value),
    site: siteOf(context, key.span),
  }));
  const operands = entries.flatMap(({ key, value }) => [key, value]);
  return fold(context, operands, (scope) => {
    chargeItems(scope.run, entries.length);
    const object: ValueObject = {};
    for (const { key, value, site } of entries) {
      const name = textOf(site, key.evaluate(scope), 'a key');
      const item = value.evaluate(scope);
      if (!Object.hasOwn(object, name)) setKey(object, name, item);
    }
    return object;
  });
}

function textOf(site: SourceSpan, value: Value, what: string): string {
  const text = scalarText(value);
  if (text === undefined)
    throw errorAt(site, 'type_error', `${what} must be a text, a number, a boolean or null, not ${kindOf(value)}`);
  return text;
}

function compileTemplate(context: Context, node: Template, compile: (node: Node) => Compiled): Compiled {
  const parts = node.parts.map((part) => ({ ...compile(part), site: siteOf(context, part.span) }));
  const site = siteOf(context, node.span);
  return fold(context, parts, (scope: Scope) => {
    let text = '';
    for (const part of parts) {
      // Not after the last part: V8's own limit would end the run first, without a location.
      text = checkedText(site, scope.run, text + textOf(part.site, part.evaluate(scope), 'what a template shows'));
    }
    return text;
  });
}

function compileInterval(context: Context, node: IntervalNode, compile: (node: Node) => Compiled): Compiled {
  const { open, close } = node;
  const left = compile(node.left);
  const right = compile(node.right);
  const site = siteOf(context, node.span);
  return fold(context, [left, right], (scope) => {
    const low = left.evaluate(scope);
    const high = right.evaluate(scope);
    if (isNumeric(low) && isNumeric(high)) return new ZenInterval(open, low, high, close);
    if (low instanceof ZenDate && high instanceof ZenDate) return new ZenInterval(open, low, high, close);
    throw errorAt(
      site,
      'type_error',
      `an interval has two numbers or two dates, not ${kindOf(low)} and ${kindOf(high)}`,
    );
  });
}

function compileConditional(context: Context, node: Conditional, compile: (node: Node) => Compiled): Compiled {
  const condition = compile(node.condition);
  const whenTrue = compile(node.whenTrue);
  const whenFalse = compile(node.whenFalse);
  const site = siteOf(context, node.condition.span);
  const [test, yes, no] = [condition.evaluate, whenTrue.evaluate, whenFalse.evaluate];
  return fold(context, [condition, whenTrue, whenFalse], (scope) =>
    truth(site, 'the condition before `?`', test(scope)) ? yes(scope) : no(scope),
  );
}

function compileUnary(context: Context, node: Unary, compile: (node: Node) => Compiled): Compiled {
  const operand = compile(node.operand);
  const site = siteOf(context, node.operand.span);
  const { evaluate } = operand;
  if (node.operator === '+') return operand;
  if (node.operator === 'not')
    return fold(context, [operand], (scope) => !truth(site, 'the operand of `not`', evaluate(scope)));
  return fold(context, [operand], (scope) => {
    const value = evaluate(scope);
    if (!isNumeric(value)) throw errorAt(site, 'type_error', `\`-\` takes a number, not ${kindOf(value)}`);
    return negate(value);
  });
}
