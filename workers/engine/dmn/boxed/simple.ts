import {
  anyType,
  bodyScope,
  contextCode,
  externalCode,
  FeelFunction,
  filterCode,
  filterScope,
  forCode,
  Frame,
  invokeNamed,
  itemsOf,
  kindOf,
  listCode,
  normalName,
  quantifiedCode,
  Scope,
  type Code,
  type Entry,
  type Feel,
  type FeelType,
} from '../../feel/index.js';
import { typeRefOf } from '../items.js';
import { childOf, childrenOf, textWithin, type Element } from '../element.js';
import type { BoxedCompiler, BoxedContext } from './context.js';

/** Names of elements that are expressions. */
export const expressionNames: ReadonlySet<string> = new Set([
  ...['literalExpression', 'decisionTable', 'context', 'relation', 'list', 'invocation', 'functionDefinition'],
  ...['conditional', 'filter', 'for', 'some', 'every'],
]);

/** The expression within an element. */
export const expressionIn = (element: Element | undefined): Element | undefined =>
  element?.children.find(({ name }) => expressionNames.has(name));

/** The expression within a child of a name. @param inner where the expression runs for each item of a list */
function part(element: Element, name: string, context: BoxedContext, inner = context): Code {
  const child = childOf(element, name);
  const expression = expressionIn(child);
  return expression === undefined
    ? context.fault(child ?? element, `\`${name}\` has no expression.`)
    : context.noted(name, inner.compile(expression), inner !== context);
}

export const literalExpression: BoxedCompiler = (element, context) => {
  if (childOf(element, 'importedValues') !== undefined)
    return context.fault(element, 'Imported values are not known here.');
  const text = textWithin(element) ?? '';
  return text.trim() === '' ? (context.foreign(element) ?? (() => null)) : context.expression(element);
};

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

export const relation: BoxedCompiler = (element, context) => {
  const columns = childrenOf(element, 'column').map((column) => {
    const { name = '' } = column.attributes;
    return { name, type: context.type(typeRefOf(column), column) };
  });
  const rows = childrenOf(element, 'row').map((row) =>
    row.children
      .filter(({ name }) => expressionNames.has(name))
      .map((cell, index) => {
        const { name, type } = columns[index] ?? {};
        return context.typed(context.compile(cell), type, cell, `"${name}"`);
      }),
  );
  return context.noted('rows', (frame) =>
    rows.map((row) => new Map(columns.map(({ name }, index) => [name, row[index]?.(frame) ?? null] as const))),
  );
};

export const list: BoxedCompiler = (element, context) => {
  const items = element.children.filter(({ name }) => expressionNames.has(name)).map((item) => context.compile(item));
  return context.noted('items', listCode(items));
};

export const conditional: BoxedCompiler = (element, context) => {
  const condition = part(element, 'if', context);
  const [whenTrue, otherwise] = [part(element, 'then', context), part(element, 'else', context)];
  const site = context.site(element);
  return (frame) => {
    const result = condition(frame);
    if (result === true) return whenTrue(frame);
    if (result === false || result === null) return otherwise(frame);
    return frame.run.warn(site, `The condition is a ${kindOf(result)}, and no boolean.`);
  };
};

export const filter: BoxedCompiler = (element, context) =>
  filterCode(
    part(element, 'in', context),
    part(element, 'match', context, context.inside(filterScope(context.scope))),
    context.site(element),
  );

/** `for`, `some` and `every`: what they go over, and the scope of what they do. */
function iterator(element: Element, context: BoxedContext): { readonly items: Code; readonly scope: Scope } {
  const over = part(element, 'in', context);
  const site = context.site(element);
  const scope = new Scope(context.scope);
  scope.define(element.attributes['iteratorVariable'] ?? '', anyType);
  return { items: (frame) => itemsOf(over(frame), frame.run, site), scope };
}

export const forLoop: BoxedCompiler = (element, context) => {
  const { items, scope } = iterator(element, context);
  return forCode([items], part(element, 'return', context, context.inside(bodyScope(scope))));
};

const quantified =
  (decisive: boolean): BoxedCompiler =>
  (element, context) => {
    const { items, scope } = iterator(element, context);
    const satisfies = part(element, 'satisfies', context, context.inside(scope));
    return quantifiedCode([items], satisfies, decisive, context.site(element));
  };

export const some = quantified(true);
export const every = quantified(false);

export const invocation: BoxedCompiler = (element, context) => {
  const called = expressionIn(element);
  if (called === undefined) return context.fault(element, 'An invocation names what it calls.');
  const target = context.compile(called);
  const bindings = childrenOf(element, 'binding').map((binding) => {
    const parameter = childOf(binding, 'parameter');
    const expression = expressionIn(binding);
    const value: Code = expression === undefined ? () => null : context.compile(expression);
    const { name = '' } = parameter?.attributes ?? {};
    const type = parameter && context.type(parameter.attributes['typeRef'], parameter);
    const typed = context.typed(value, type, binding, `"${name}"`);
    return { name: normalName(name), value: context.noted(name, typed) };
  });
  const site = context.site(called);
  return (frame) => {
    const value = target(frame);
    if (!(value instanceof FeelFunction)) {
      return frame.run.warn(
        site,
        `What is called is ${value === null ? 'null' : `a ${kindOf(value)}`}, and no function.`,
      );
    }
    const args = new Map(bindings.map((binding) => [binding.name, binding.value(frame)]));
    return invokeNamed(value, args, frame.run, site);
  };
};

/** The parameters and the body of a function, which is made in the frame that it is compiled for. */
export function functionOf(element: Element, context: BoxedContext, name: string): (frame: Frame) => FeelFunction {
  const scope = new Scope(context.scope);
  const parameters = childrenOf(element, 'formalParameter').map((each) => {
    const { name: own = '' } = each.attributes;
    const type = context.type(typeRefOf(each), each) ?? anyType;
    scope.define(own, type);
    return { name: own, key: normalName(own), type };
  });
  const { kind = 'FEEL' } = element.attributes;
  const body = expressionIn(element);
  const result = context.type(element.attributes['typeRef'], element);
  const code = bodyOf(element, body, kind, context, scope);
  return (frame) => new FeelFunction(name, parameters, result, (args, run) => code(new Frame(run, frame, [...args])));
}

function bodyOf(
  element: Element,
  body: Element | undefined,
  kind: string,
  context: BoxedContext,
  scope: Scope,
): (frame: Frame) => Feel {
  if (kind !== 'FEEL') return externalCode(context.unit, context.site(element));
  if (body === undefined) return () => null;
  return context.owner.dispatch(body, context.inside(scope, context.isWhole));
}

/** Whoever calls the function shows nothing of what its body did. */
export const functionDefinition: BoxedCompiler = (element, context) =>
  functionOf(element, context.inside(context.scope), 'function');
