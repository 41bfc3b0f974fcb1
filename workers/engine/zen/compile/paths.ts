import type { RunState, Scope, Value, ValueObject } from '../../values.js';
import type { Member, Node, Slice } from '../ast.js';
import { chargeItems, chargeText, copyOf } from '../budget.js';
import { errorAt, quoted, type SourceSpan } from '../sourceSpan.js';
import { ZenDate } from '../values/date.js';
import { Decimal } from '../values/decimal.js';
import { ZenInterval } from '../values/interval.js';
import { isObject, kindOf } from '../values/kinds.js';
import { isNumeric, type Numeric } from '../values/numbers.js';
import { own } from '../values/objects.js';
import { wholePart } from '../values/rounding.js';
import { byteSlice, utf8Length } from '../values/text.js';
import { dynamic, fold, siteOf, type Cell, type Compiled, type Context, type Evaluate } from './context.js';

/** One of each thing that is an object for `typeof` but no dictionary. */
const notDictionaries = [[], new Decimal(0, 0), new ZenDate(null), new ZenInterval('[', 0, 0, ']')];

/**
 * Can `object[name]` be read without asking what `object` is? Then it can reach no prototype's member, no list's length
 * and no field of the engine's own classes: whatever it is, the answer is an own key's value or undefined.
 */
function isHarmless(name: string): boolean {
  return /^[A-Za-z_$#]/.test(name) && !notDictionaries.some((thing) => name in thing);
}

/** Narrows to values of which a harmless name may be read. */
function mayHave(value: Value): value is ValueObject {
  return typeof value === 'object' && value !== null;
}

function read(value: Value, name: string): Value {
  return mayHave(value) ? (value[name] ?? null) : null;
}

type Key = string | number;

/** `a.b[0].c` as its start and the keys after it; null when a key is computed. */
function staticPath(node: Node): { start: Node; keys: Key[] } | null {
  const keys: Key[] = [];
  let start = node;
  while (start.kind === 'member') {
    if (start.property.kind !== 'literal') return null;
    const key = start.property.value;
    const index = isNumeric(key) ? wholePart(key) : undefined;
    if (typeof key === 'string') keys.push(key);
    else if (index !== undefined && index >= 0) keys.push(index);
    else return null;
    start = start.object;
  }
  return { start, keys: keys.reverse() };
}

/** `name`, `#`, `$root` */
export function compileName(context: Context, node: Node): Compiled {
  if (node.kind === 'pointer') return dynamic(readCell(context.closures.at(-1)?.cell));
  if (node.kind === 'root') return dynamic(readRoot(context));
  return dynamic(node.kind === 'identifier' ? readName(context, node.name, siteOf(context, node.span)) : () => null);
}

function readCell(cell: Cell | undefined): Evaluate {
  return cell ? () => cell.value : () => null;
}

/** The data with what has been assigned so far. */
function readRoot(context: Context): Evaluate {
  if (context.variables.size === 0) return (scope) => scope.data;
  const cells = [...context.variables];
  return (scope) => {
    if (!isObject(scope.data)) return scope.data;
    const assigned = cells.filter(([, cell]) => cell.isSet).map(([name, cell]) => [name, cell.value] as const);
    return Object.assign(copyOf(scope.run, scope.data), Object.fromEntries(assigned));
  };
}

/** A name on its own (`strict`: an error where the data is no object) or as the start of a path (null there). */
function readName(context: Context, name: string, strict?: SourceSpan): Evaluate {
  const closure = context.closures.findLast(({ alias }) => alias === name);
  if (closure) return readCell(closure.cell);
  const outer = strict === undefined || reserved.has(name) ? readOuter(name) : readOwnName(strict, name);
  const cell = context.variables.get(name);
  return cell ? (scope) => (cell.isSet ? cell.value : outer(scope)) : outer;
}

const reserved: ReadonlySet<string> = new Set(['$', '$nodes', '$env']);

/** A key of the data. Data of another kind than an object, such as an item of a loop, has no names, which is an error. */
function readOwnName(site: SourceSpan, name: string): Evaluate {
  if (!isHarmless(name)) {
    return ({ data }) => (isObject(data) ? own(data, name) : nameless(site, name, data));
  }
  return ({ data }) => {
    const value = mayHave(data) ? data[name] : undefined;
    return value ?? (data === null || isObject(data) ? null : nameless(site, name, data));
  };
}

function nameless(site: SourceSpan, name: string, data: Value): null {
  if (data === null) return null;
  throw errorAt(site, 'type_error', `there is no ${quoted(name)}: the input is ${kindOf(data)}`);
}

/** A name that the expression itself does not define. */
export function readOuter(name: string): Evaluate {
  switch (name) {
    case '$':
      return (scope) => scope.reference;
    case '$nodes':
      return (scope) => scope.nodes;
    case '$env':
      return readEnvironment;
    default:
      return isHarmless(name) ? (scope) => read(scope.data, name) : (scope) => own(scope.data, name);
  }
}

/** `$env` as a whole, which counts as reading every variable. */
function readEnvironment({ env, run }: Scope): Value {
  run.variableReads?.noteAllRead();
  return env;
}

/** One variable: the others count as unread. */
function readVariable({ env, run }: Scope, name: string): Value {
  run.variableReads?.noteRead(name);
  return own(env, name);
}

/** Is it `$env` itself, and no variable or alias of that name? */
function isEnvironment(context: Context, node: Node): boolean {
  if (node.kind !== 'identifier' || node.name !== '$env') return false;
  return !context.variables.has('$env') && !context.closures.some(({ alias }) => alias === '$env');
}

/** `a.b`, `a[b]` */
export function compileMember(context: Context, node: Member, compile: (node: Node) => Compiled): Compiled {
  const path = staticPath(node);
  if (path) return compilePath(context, path.start, path.keys, compile);
  const property = compile(node.property);
  if (isEnvironment(context, node.object)) {
    return dynamic((scope) => {
      const name = property.evaluate(scope);
      return typeof name === 'string' ? readVariable(scope, name) : null;
    });
  }
  const object = compile(node.object);
  const site = siteOf(context, node.property.span);
  return fold(context, [object, property], (scope) =>
    fetch(site, scope.run, object.evaluate(scope), property.evaluate(scope)),
  );
}

function compilePath(context: Context, start: Node, keys: readonly Key[], compile: (node: Node) => Compiled): Compiled {
  if (start.kind === 'root') {
    // Only the bare `$root` shows assigned variables; a path from it reads what the expression was given.
    const [first, ...rest] = keys;
    if (typeof first === 'string') return dynamic(follow(readOuter(first), rest));
  }
  const [name, ...members] = keys;
  if (typeof name === 'string' && isEnvironment(context, start)) {
    return dynamic(follow((scope) => readVariable(scope, name), members));
  }
  if (start.kind === 'identifier') return dynamic(follow(readName(context, start.name), keys));
  const base = compile(start);
  return fold(context, [base], follow(base.evaluate, keys));
}

function follow(base: Evaluate, keys: readonly Key[]): Evaluate {
  return keys.reduce<Evaluate>((evaluate, key) => {
    if (typeof key === 'number') return (scope) => itemAt(scope.run, evaluate(scope), key);
    return isHarmless(key) ? (scope) => read(evaluate(scope), key) : (scope) => own(evaluate(scope), key);
  }, base);
}

/** An index into a text counts bytes, for which the text is read from its start. */
function itemAt(run: RunState, value: Value, index: number): Value {
  if (Array.isArray(value)) return value[index] ?? null;
  if (typeof value !== 'string') return null;
  chargeText(run, value);
  return byteSlice(value, index, index + 1) ?? null;
}

function fetch(site: SourceSpan, run: RunState, object: Value, property: Value): Value {
  if (typeof property === 'string') return own(object, property);
  if (!isNumeric(property) || !(Array.isArray(object) || typeof object === 'string')) return null;
  return itemAt(run, object, position(site, property, 'an index'));
}

/** @throws EngineError `type_error` for a negative number. */
function position(site: SourceSpan, value: Value, what: string): number {
  const whole = isNumeric(value) ? wholePart(value) : undefined;
  if (whole === undefined && isNumeric(value) && isPositive(value)) return Number.MAX_SAFE_INTEGER;
  if (whole === undefined) throw errorAt(site, 'type_error', `${what} must be a number, not ${kindOf(value)}`);
  if (whole < 0 || Number(value) < 0) throw errorAt(site, 'type_error', `${what} can't be negative`);
  return whole;
}

function isPositive(value: Numeric): boolean {
  return Number(value) > 0;
}

/** `a[from:to]`, both ends included; what is empty has no part. */
export function compileSlice(context: Context, node: Slice, compile: (node: Node) => Compiled): Compiled {
  const object = compile(node.object);
  const from = node.from && compile(node.from);
  const to = node.to && compile(node.to);
  const site = siteOf(context, node.span);
  const operands = [object, ...(from ? [from] : []), ...(to ? [to] : [])];
  return fold(context, operands, (scope: Scope) => {
    const value = object.evaluate(scope);
    if (typeof value !== 'string' && !Array.isArray(value)) {
      throw errorAt(site, 'type_error', `a part can be taken of a string or a list, not of ${kindOf(value)}`);
    }
    if (typeof value === 'string') chargeText(scope.run, value);
    const length = typeof value === 'string' ? utf8Length(value) : value.length;
    const end = to ? position(site, to.evaluate(scope), 'the end of a part') : length - 1;
    const start = from ? position(site, from.evaluate(scope), 'the start of a part') : 0;
    return part(site, scope.run, value, start, end + 1);
  });
}

function part(site: SourceSpan, run: RunState, value: string | Value[], start: number, end: number): Value {
  if (Array.isArray(value) && start <= end && end <= value.length && value.length > 0) {
    chargeItems(run, end - start);
    return value.slice(start, end);
  }
  const text = typeof value === 'string' && value !== '' ? byteSlice(value, start, end) : undefined;
  if (text === undefined) throw errorAt(site, 'type_error', 'the part lies outside of the value');
  return text;
}
