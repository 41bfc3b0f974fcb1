import type { BoxedCompiler } from './context.js';
import {
  boxedContext,
  conditional,
  every,
  filter,
  forLoop,
  functionDefinition,
  invocation,
  list,
  literalExpression,
  relation,
  some,
} from './simple.js';
import { decisionTable } from './decisionTable.js';

/** By the name of the element. */
const compilers = new Map<string, BoxedCompiler>(
  Object.entries({
    literalExpression,
    decisionTable,
    context: boxedContext,
    relation,
    list,
    invocation,
    functionDefinition,
    conditional,
    filter,
    for: forLoop,
    some,
    every,
  }),
);

/** Compiles an expression of any kind. */
export const compileBoxed: BoxedCompiler = (element, context) => {
  const compile = compilers.get(element.name);
  if (compile === undefined) return context.fault(element, `\`${element.name}\` is no expression.`);
  const code = compile(element, context);
  // A function's type is that of its result, which it holds itself.
  if (element.name === 'functionDefinition') return code;
  return context.typed(code, context.type(element.attributes['typeRef'], element), element, 'The result');
};
