import { anyType, contextCode, Scope, type Code, type Entry, type FeelType } from '../../feel/index.js';
import { childOf, childrenOf, type Element } from '../xml.js';
import type { BoxedCompiler, BoxedContext } from './context.js';
import { expressionIn } from './simple.js';

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
  return contextCode(entries, result);
};

const nothing: Code = () => null;

/** The members of an entry that is a box of entries itself: the parser needs names that have blanks. */
function inferred(expression: Element | undefined, context: BoxedContext): FeelType {
  if (expression === undefined) return anyType;
  const named = context.owner.typeNamed(expression.attributes['typeRef'] ?? '');
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
