import { anyType, Frame, Scope, type Code, type Feel, type FeelType } from '../../feel/index.js';
import { childOf, childrenOf, type Element } from '../xml.js';
import type { BoxedCompiler, BoxedContext } from './context.js';
import { expressionIn } from './simple.js';

interface Entry {
  readonly name: string;
  readonly value: Code;
  readonly index: number;
}

/** A box of entries, each in the scope of those before it; the last may be the result of all. */
export const boxedContext: BoxedCompiler = (element, context) => {
  const scope = new Scope(context.scope);
  const inner = context.inside(scope);
  const entries: Entry[] = [];
  let result: Code | undefined;
  for (const entry of childrenOf(element, 'contextEntry')) {
    const variable = childOf(entry, 'variable');
    const expression = expressionIn(entry);
    const value = expression === undefined ? nothing : inner.compile(expression);
    if (variable === undefined) {
      result = value;
      continue;
    }
    const { name = '' } = variable.attributes;
    const type = context.type(variable.attributes['typeRef'], variable);
    const typed = context.noted(name, inner.typed(value, type, entry, `"${name}"`));
    entries.push({ name, value: typed, index: scope.define(name, type ?? inferred(expression, context)) });
  }
  return (frame) => {
    const values: Feel[] = [];
    const own = new Frame(frame.run, frame, values);
    const made = new Map<string, Feel>();
    for (const { name, value, index } of entries) {
      const item = value(own);
      values[index] = item;
      made.set(name, item);
    }
    return result === undefined ? made : result(own);
  };
};

const nothing: Code = () => null;

/** The members of an entry that is a box of entries itself: the parser needs names that have blanks. */
function inferred(expression: Element | undefined, context: BoxedContext): FeelType {
  if (expression === undefined) return anyType;
  const named = context.typeNamed(expression.attributes['typeRef'] ?? '');
  if (named !== undefined && named.kind !== 'any') return named;
  if (expression.name === 'relation') {
    const columns = childrenOf(expression, 'column').map(
      ({ attributes }) => [attributes['name'] ?? '', anyType] as const,
    );
    return { kind: 'list', item: { kind: 'context', members: new Map(columns) } };
  }
  if (expression.name !== 'context') return anyType;
  const entries = childrenOf(expression, 'contextEntry');
  const members = entries.flatMap((entry): [string, FeelType][] => {
    const { name } = childOf(entry, 'variable')?.attributes ?? {};
    return name === undefined ? [] : [[name, inferred(expressionIn(entry), context)]];
  });
  return members.length < entries.length ? anyType : { kind: 'context', members: new Map(members) };
}

export { inferred };
