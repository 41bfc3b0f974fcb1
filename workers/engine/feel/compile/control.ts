import type { SyntaxNode } from '@lezer/common';
import { EngineError } from '../../errors.js';
import { charge, chargeItems } from '../../zen/budget.js';
import { FeelDate } from '../values/temporal.js';
import { integerOf, isNumber } from '../values/number.js';
import { checkedLength } from '../values/text.js';
import {
  anyType,
  FeelFunction,
  FeelRange,
  isList,
  isNoTruth,
  kindOf,
  type Feel,
  type FeelType,
} from '../values/value.js';
import { Frame, type Code } from '../frame.js';
import { childrenOf } from '../parse.js';
import type { Run, Site } from '../feelRun.js';
import { normalName, Scope } from '../scope.js';
import { typeOf } from './typeNodes.js';
import { within, type Context, type NodeCompiler, type Unit } from './context.js';
import { writtenName } from './structures.js';

export const conditional: NodeCompiler = (node, context) => {
  const [, condition, , whenTrue, , otherwise] = childrenOf(node);
  if (!condition || !whenTrue || !otherwise) return context.fault(node, '`if` takes `then` and `else`.');
  const asked = context.compile(condition);
  const [positive, negative] = [context.compile(whenTrue), context.compile(otherwise)];
  const site = context.site(condition);
  return (frame) => {
    const result = asked(frame);
    if (result !== true && result !== false && result !== null) {
      frame.run.warn(site, `A condition is a ${kindOf(result)}, which counts as false.`);
    }
    return result === true ? positive(frame) : negative(frame);
  };
};

/** What `for`, `some` and `every` go over, each in the scope of those before it. */
function iteratorsOf(node: SyntaxNode, outer: Context): { iterators: Code[]; context: Context } | undefined {
  const nodes = childrenOf(node).find(({ name }) => name === 'InExpressions');
  if (nodes === undefined) return undefined;
  let context = outer;
  const iterators: Code[] = [];
  for (const each of childrenOf(nodes)) {
    const [name, , over] = childrenOf(each);
    if (name === undefined || over === undefined) return undefined;
    iterators.push(iterationOf(over, context));
    const scope = new Scope(context.scope);
    scope.define(writtenName(context.text(name)));
    context = context.inside(scope);
  }
  return iterators.length === 0 ? undefined : { iterators, context };
}

/** A list, or numbers or dates from one to another. */
function iterationOf(node: SyntaxNode, context: Context): Code {
  const [first, , last] = childrenOf(node);
  if (first === undefined) return context.fault(node, 'It goes over nothing.');
  const site = context.site(node);
  const from = context.compile(first);
  if (last === undefined) return (frame) => itemsOf(from(frame), frame.run, site);
  const to = context.compile(last);
  return (frame) => span(from(frame), to(frame), frame.run, site);
}

/** What a loop goes over; null where it cannot. */
export function itemsOf(value: Feel, run: Run, site: Site): readonly Feel[] | null {
  if (isList(value)) return value;
  if (value === null) return run.warn(site, 'It goes over null.');
  if (!(value instanceof FeelRange)) return [value];
  const { low, high, lowIncluded, highIncluded } = value;
  const items = span(low, high, run, site);
  return items && items.slice(lowIncluded ? 0 : 1, highIncluded ? undefined : -1);
}

function span(from: Feel, to: Feel, run: Run, site: Site): readonly Feel[] | null {
  const [start, end] = [positionOf(from), positionOf(to)];
  if (start === undefined || end === undefined || kindOf(from) !== kindOf(to)) {
    return run.warn(site, `It goes neither over numbers nor over dates, but from ${kindOf(from)} to ${kindOf(to)}.`);
  }
  const length = Math.abs(end - start) + 1;
  checkedLength(length, run);
  if (length > run.limits.iterations) throw new EngineError('limit_iterations', 'a loop has too many rounds');
  charge(run.state, length);
  chargeItems(run.state, length);
  const step = start <= end ? 1 : -1;
  return Array.from({ length }, (_, index) => {
    const position = start + step * index;
    return from instanceof FeelDate ? (FeelDate.ofDays(position) ?? null) : position;
  });
}

const positionOf = (value: Feel): number | undefined =>
  value instanceof FeelDate ? value.days : isNumber(value) ? integerOf(value) : undefined;

/** Goes through all combinations of the iterators' items until `visit` says that it is enough. */
function eachOf(iterators: readonly Code[], frame: Frame, visit: (frame: Frame) => boolean): boolean | null {
  const [first, ...others] = iterators;
  if (first === undefined) return visit(frame);
  const items = first(frame);
  if (!isList(items)) return null;
  let rounds = 0;
  for (const item of items) {
    charge(frame.run.state, 1);
    if (++rounds > frame.run.limits.iterations) throw new EngineError('limit_iterations', 'a loop has too many rounds');
    const goesOn = eachOf(others, within(frame, [item]), visit);
    if (goesOn !== true) return goesOn;
  }
  return true;
}

/** `for` over all combinations: each result in a list, which the body sees as `partial`, the last value of its scope. */
export const forCode =
  (iterators: readonly Code[], body: Code): Code =>
  (frame) => {
    const results: Feel[] = [];
    const done = eachOf(iterators, frame, (inner) => {
      results.push(body(within(inner, [results])));
      checkedLength(results.length, frame.run);
      return true;
    });
    chargeItems(frame.run.state, results.length);
    return done === null ? null : results;
  };

/** `some` (the decisive value is true) and `every` (it is false). */
export const quantifiedCode =
  (iterators: readonly Code[], condition: Code, decisive: boolean, site: Site): Code =>
  (frame) => {
    const found: { result: Feel; other: Feel } = { result: !decisive, other: null };
    const done = eachOf(iterators, frame, (inner) => {
      const holds = condition(inner);
      if (holds === decisive) {
        found.result = decisive;
        return false;
      }
      if (typeof holds !== 'boolean') found.result = null;
      if (isNoTruth(holds)) found.other ??= holds;
      return true;
    });
    const { result, other } = found;
    if (done === null || result !== null || other === null) return done === null ? null : result;
    return frame.run.warn(site, `A condition is a ${kindOf(other)}, neither true nor false.`);
  };

/** The scope of a loop's body. */
export function bodyScope(outer: Scope): Scope {
  const scope = new Scope(outer);
  scope.define('partial');
  return scope;
}

export const forLoop: NodeCompiler = (node, context) => {
  const read = iteratorsOf(node, context);
  const body = childrenOf(node).at(-1);
  if (read === undefined || body === undefined) return context.fault(node, '`for` takes iterators and `return`.');
  return forCode(read.iterators, read.context.inside(bodyScope(read.context.scope)).compile(body));
};

export const quantified: NodeCompiler = (node, context) => {
  const [word] = childrenOf(node);
  const read = iteratorsOf(node, context);
  const condition = childrenOf(node).at(-1);
  if (word === undefined || read === undefined || condition === undefined) {
    return context.fault(node, '`some` and `every` take iterators and `satisfies`.');
  }
  return quantifiedCode(read.iterators, read.context.compile(condition), word.name === 'some', context.site(condition));
};

export const functionDefinition: NodeCompiler = (node, context) => {
  const children = childrenOf(node);
  const body = children.at(-1);
  const formal = children.find(({ name }) => name === 'FormalParameters');
  if (body === undefined || formal === undefined) return context.fault(node, 'A function has parameters and a body.');
  const scope = new Scope(context.scope);
  const parameters = childrenOf(formal).map((each) => {
    const [nameNode, typeNode] = childrenOf(each);
    const name = writtenName(context.text(nameNode ?? each));
    const type: FeelType = typeNode === undefined ? anyType : (typeOf(typeNode, context) ?? anyType);
    scope.define(name, type);
    return { name, key: normalName(name), type };
  });
  const site = context.site(node);
  if (children.some(({ name }) => name === 'external')) {
    const nothing = externalCode(context.unit, site);
    return (frame) => new FeelFunction('function', parameters, undefined, () => nothing(frame));
  }
  const code = context.inside(scope).compile(childrenOf(body)[0] ?? body);
  return (frame) =>
    new FeelFunction('function', parameters, undefined, (args, run) => code(new Frame(run, frame, [...args])));
};

const external = 'External functions (Java, PMML) are not run here: the result is null.';

/** The body of a function in another language, which is told when it is compiled, and when it is called. */
export function externalCode(unit: Unit, site: Site): Code {
  const hint = 'Write its body in FEEL, or let the caller hand over what it gives.';
  unit.report({ code: 'type_error', severity: 'warning', message: external, site, hint });
  return ({ run }) => run.warn(site, external);
}
