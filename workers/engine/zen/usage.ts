import { tried } from '../errors.js';
import type { Limits } from '../limits.js';
import { arithmetic, parts, type Binary, type ClosureCall, type Node } from './ast.js';
import { functions } from './functions/index.js';
import { parseStandard, parseUnary } from './parser/index.js';
import type { JsonType, Shape, Step } from './shape.js';
import { typeInWords, typeOf } from './resultShape.js';

/** Which field of the data each name of an expression stands for. Undefined: the name stands for no field. */
export interface Scope {
  /** The path of the field that a name stands for; without a name, of the data as a whole. */
  pathOf(name: string | undefined): readonly Step[] | undefined;
  /** The path of the field that a unary test examines; undefined where it examines a computed value. */
  readonly field?: readonly Step[] | undefined;
  /** Collects everything that is read. */
  readonly data: Shape;
}

export const treeOf = (source: string, kind: 'standard' | 'unary', limits?: Limits): Node | undefined =>
  tried(() => (kind === 'unary' ? parseUnary(source, limits) : parseStandard(source, limits)));

/** Adds what an expression reads of the data, with the types that literals, operators and functions tell, to its shape. */
export function addUses(tree: Node, scope: Scope, expected?: JsonType): void {
  new Reading(scope).visit(tree, expected);
}

/** The path that a node reads of the data; undefined where it is anything else. */
export function pathOf(tree: Node, scope: Scope): readonly Step[] | undefined {
  return new Reading(scope).pathOf(tree);
}

class Reading {
  readonly #scope: Scope;
  /** Paths of `#` and of aliases, innermost last. */
  readonly #items: { readonly alias: string | null; readonly path: readonly Step[] | undefined }[] = [];
  readonly #assigned = new Set<string>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  visit(node: Node, expected: JsonType | undefined): void {
    const path = this.pathOf(node);
    if (path !== undefined) this.#scope.data.at(path).is(expected);
    switch (node.kind) {
      case 'member':
        if (path === undefined) this.visit(node.object, undefined);
        if (node.property.kind !== 'literal') this.visit(node.property, undefined);
        break;
      case 'object':
        for (const { key, value } of node.entries) this.#all(key.kind === 'identifier' ? [value] : [key, value]);
        break;
      case 'interval':
        this.#all([node.left, node.right], typeOf(node.left) ?? typeOf(node.right));
        break;
      case 'conditional':
        this.visit(node.condition, 'boolean');
        this.#all([node.whenTrue, node.whenFalse], expected);
        break;
      case 'unary':
        this.visit(node.operand, node.operator === 'not' ? 'boolean' : 'number');
        break;
      case 'binary':
        this.#binary(node, expected);
        break;
      case 'group':
        this.visit(node.inner, expected);
        break;
      case 'call': {
        const parameters = functions.get(node.name)?.parameters ?? [];
        node.args.forEach((argument, index) => this.visit(argument, typeInWords(parameters[index]?.takes)));
        break;
      }
      case 'closure':
        this.#closure(node);
        break;
      case 'assignments':
        for (const { path: to, value } of node.list) {
          this.visit(value, undefined);
          if (to[0] !== undefined) this.#assigned.add(to[0]);
        }
        if (node.output) this.visit(node.output, expected);
        break;
      default:
        this.#all(parts(node));
    }
  }

  pathOf(node: Node): readonly Step[] | undefined {
    switch (node.kind) {
      case 'identifier':
        return this.#named(node.name);
      case 'root':
        return this.#scope.pathOf(undefined);
      case 'pointer':
        return this.#items.at(-1)?.path;
      case 'group':
        return this.pathOf(node.inner);
      case 'member': {
        const value = node.property.kind === 'literal' ? node.property.value : undefined;
        // `$root["Base price"]` is how a name with spaces is written: an earlier node may have written it, as any other.
        if (typeof value === 'string' && isRoot(node.object)) return this.#scope.pathOf(value);
        const path = this.pathOf(node.object);
        if (path === undefined) return undefined;
        if (typeof value === 'string') return [...path, value];
        return typeof value === 'number' ? [...path, null] : undefined;
      }
      default:
        return undefined;
    }
  }

  #named(name: string): readonly Step[] | undefined {
    if (name === '$') return this.#scope.field;
    if (name.startsWith('$') || this.#assigned.has(name)) return undefined;
    const item = this.#items.findLast(({ alias }) => alias === name);
    return item === undefined ? this.#scope.pathOf(name) : item.path;
  }

  #all(nodes: readonly Node[], expected?: JsonType): void {
    for (const node of nodes) this.visit(node, expected);
  }

  #closure({ list, alias, body, name }: ClosureCall): void {
    // A closure may also run over an interval; then what it reads is not a list.
    this.visit(list, list.kind === 'interval' ? undefined : 'array');
    const path = this.pathOf(list);
    this.#items.push({ alias, path: path && [...path, null] });
    this.visit(body, name === 'map' || name === 'flatMap' ? undefined : 'boolean');
    this.#items.pop();
  }

  /** Chains lean to the left and may be long: their left side is walked in a loop. */
  #binary(node: Binary, expected: JsonType | undefined): void {
    let current: Node = node;
    let wanted = expected;
    while (current.kind === 'binary') {
      const [left, right] = operandTypes(current, wanted);
      this.visit(current.right, right);
      wanted = left;
      current = current.left;
    }
    this.visit(current, wanted);
  }
}

const isRoot = (node: Node): boolean => (node.kind === 'group' ? isRoot(node.inner) : node.kind === 'root');

function operandTypes(
  { operator, left, right }: Binary,
  expected: JsonType | undefined,
): readonly [JsonType | undefined, JsonType | undefined] {
  switch (operator) {
    case 'and':
    case 'or':
      return ['boolean', 'boolean'];
    case '??':
      return [typeOf(right) ?? expected, expected];
    case '+': {
      const type = typeOf(left) ?? typeOf(right);
      return type === 'number' || type === 'string' ? [type, type] : [undefined, undefined];
    }
    case 'in':
    case 'not in':
      if (right.kind === 'array') return [right.items[0] && typeOf(right.items[0]), undefined];
      return right.kind === 'interval'
        ? [typeOf(right.left) ?? typeOf(right.right), undefined]
        : [undefined, undefined];
    default:
      if (arithmetic.has(operator)) return ['number', 'number'];
      return [notNull(typeOf(right)), notNull(typeOf(left))];
  }
}

const notNull = (type: JsonType | undefined): JsonType | undefined => (type === 'null' ? undefined : type);
