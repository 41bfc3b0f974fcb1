import { arithmetic, type Node } from './ast.js';
import { functions } from './functions/index.js';
import type { Shape, JsonType } from './shape.js';

const given: ReadonlyMap<string, JsonType> = new Map(
  Object.entries({
    'a boolean': 'boolean',
    'a number': 'number',
    'a number of seconds': 'number',
    'a string': 'string',
    'a date': 'string',
    'a list': 'array',
    'a list of strings': 'array',
    'an object': 'object',
  }),
);

/** The type that functions and their parameters name in words. */
export const typeInWords = (words = ''): JsonType | undefined => given.get(words);

/** The type of what an expression gives; undefined where its text alone does not tell. Dates are texts in results. */
export function typeOf(node: Node): JsonType | undefined {
  switch (node.kind) {
    case 'literal':
      return literalType(node.value);
    case 'group':
      return typeOf(node.inner);
    case 'template':
      return 'string';
    case 'array':
      return 'array';
    case 'object':
      return 'object';
    case 'unary':
      return node.operator === 'not' ? 'boolean' : 'number';
    case 'binary':
      return binaryType(node.operator, node.right);
    case 'conditional': {
      const [one, other] = [typeOf(node.whenTrue), typeOf(node.whenFalse)];
      return one === other ? one : undefined;
    }
    case 'call':
      return typeInWords(functions.get(node.name)?.gives);
    case 'closure':
      if (node.name === 'count') return 'number';
      return ['map', 'flatMap', 'filter'].includes(node.name) ? 'array' : 'boolean';
    case 'assignments':
      return node.output === null ? 'object' : typeOf(node.output);
    default:
      return undefined;
  }
}

function literalType(value: unknown): JsonType {
  if (value === null) return 'null';
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value as 'string' | 'boolean';
  return 'number';
}

/** By its right side alone, as chains lean to the left. */
function binaryType(operator: string, right: Node): JsonType | undefined {
  switch (operator) {
    case '+': {
      const type = typeOf(right);
      return type === 'string' || type === 'number' ? type : undefined;
    }
    case '??':
      return typeOf(right);
    default:
      return arithmetic.has(operator) ? 'number' : 'boolean';
  }
}

/** Adds the shape of what an expression gives to another. */
export function addResult(node: Node, to: Shape): void {
  switch (node.kind) {
    case 'group':
      addResult(node.inner, to);
      break;
    case 'conditional':
      addResult(node.whenTrue, to);
      addResult(node.whenFalse, to);
      break;
    case 'object':
      to.is('object');
      for (const { key, value } of node.entries) {
        const name = key.kind === 'literal' ? key.value : key.kind === 'identifier' ? key.name : undefined;
        if (typeof name === 'string') addResult(value, to.property(name));
      }
      break;
    case 'array':
      to.is('array');
      for (const item of node.items) addResult(item, to.items());
      break;
    case 'closure':
      if (node.name === 'map') addResult(node.body, to.items());
      else to.is(typeOf(node));
      break;
    default:
      to.is(typeOf(node));
  }
}
