import { hintOf, zenOf } from '../../../cells/index.js';
import { endsRun, EngineError } from '../../errors.js';
import type { Value } from '../../values.js';
import type { Call, MethodCall, Node } from '../ast.js';
import { closureNames } from '../ast.js';
import { ZenDate } from '../values/date.js';
import { functions, methods, type ZenFunction } from '../functions/index.js';
import { wrongArgument, type CallSite, type Parameter } from '../functions/define.js';
import { quoted, type Span } from '../sourceSpan.js';
import { nearest } from '../../../nearest/index.js';
import { dynamic, fold, type Compiled, type Context, type Evaluate } from './context.js';

/** `name(a, b)` */
export function compileCall(context: Context, node: Call, compile: (node: Node) => Compiled): Compiled {
  const args = node.args.map(compile);
  const definition = functions.get(node.name);
  if (!definition) return unknown(context, node, [...functions.keys(), ...closureNames], 'function');
  return compileArguments(context, definition, args, node);
}

/** `value.name(a, b)` */
export function compileMethod(context: Context, node: MethodCall, compile: (node: Node) => Compiled): Compiled {
  const args = [compile(node.object), ...node.args.map(compile)];
  const definition = methods.get(node.name);
  if (!definition) return unknown(context, node, [...methods.keys()], 'method');
  return compileArguments(context, definition, args, node);
}

const isFormulaName = /^[\p{Lu}.]+$/u;

interface Named {
  readonly name: string;
  readonly nameSpan: Span;
  readonly span: Span;
}

function unknown(context: Context, node: Named, names: readonly string[], what: string): Compiled {
  const guess = nearest(node.name, names);
  // `AVERAGE(a, b)`: what a spreadsheet calls, written without its `=`.
  const [start, end] = node.span;
  const meant =
    what === 'function' && isFormulaName.test(node.name) ? zenOf(`=${context.source.slice(start, end)}`) : null;
  const hint =
    meant !== null ? hintOf('formula', [meant], '') : guess === undefined ? undefined : `did you mean \`${guess}\`?`;
  const location = { source: context.source, span: node.nameSpan };
  context.refuse(new EngineError('unknown_function', `there is no ${what} ${quoted(node.name)}`, location, hint));
  return dynamic(() => null);
}

function compileArguments(context: Context, definition: ZenFunction, args: readonly Compiled[], node: Named): Compiled {
  const call: CallSite = { source: context.source, span: node.span, name: node.name };
  const { parameters } = definition;
  const required = parameters.filter((parameter) => !parameter.optional).length;
  if (args.length < required || args.length > parameters.length) {
    const counts = required === parameters.length ? `${required}` : `${required} to ${parameters.length}`;
    const message = `\`${node.name}\` takes ${counts} argument${counts === '1' ? '' : 's'}, not ${args.length}`;
    context.refuse(new EngineError('syntax_error', message, { source: context.source, span: node.span }));
    return dynamic(() => null);
  }
  args.forEach(({ constant: known }, index) => {
    if (known === undefined || known instanceof ZenDate || parameters[index]?.accepts(known) !== false) return;
    if (args.some((arg) => arg.constant === undefined)) context.warn(wrongArgument(call, parameters, index, known));
  });
  const evaluators = args.map((arg) => arg.evaluate);
  return fold(context, args, invoke(call, specialised(context, definition, call, args), evaluators));
}

/** The function with an implementation for the constants among its arguments, where it has one. */
function specialised(
  context: Context,
  definition: ZenFunction,
  call: CallSite,
  args: readonly Compiled[],
): ZenFunction {
  try {
    const known = args.map((arg) => arg.constant);
    const run = definition.specialise?.(call, known, context.footprint);
    return run ? { ...definition, run } : definition;
  } catch (error) {
    if (!(error instanceof EngineError) || endsRun(error)) throw error;
    context.warn(error);
    return definition;
  }
}

/** Evaluates the arguments, checks each against its parameter, and calls; one closure per count. */
function invoke(call: CallSite, definition: ZenFunction, args: readonly Evaluate[]): Evaluate {
  const { parameters } = definition;
  return (scope) => {
    const values = args.map((arg) => arg(scope));
    const taken = values.map((value, index) =>
      parameters[index]?.accepts(value) === false ? textArgument(call, parameters, index, value) : value,
    );
    return definition.run(call, scope.run, ...taken);
  };
}

/** The text of a date, where the parameter takes texts alone. @throws EngineError `type_error` for anything else */
function textArgument(call: CallSite, parameters: readonly Parameter[], index: number, value: Value): Value {
  const text = value instanceof ZenDate ? value.toJSON() : undefined;
  if (text !== undefined && parameters[index]?.accepts(text) === true) return text;
  throw wrongArgument(call, parameters, index, value);
}
