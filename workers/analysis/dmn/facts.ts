import type { CompiledDmn, TypeDescription } from '../../engine/dmn/compileDmn.js';
import type { Value } from '../../engine/values.js';
import { walk } from '../../engine/zen/ast.js';
import { isNumeric, parseNumber } from '../../engine/zen/values/numbers.js';
import { isObject } from '../../engine/zen/values/kinds.js';
import type { Field } from '../fields.js';
import type { AnalysedTable } from '../model.js';
import type { CheckedProperty } from '../properties.js';
import { fieldName } from './fields.js';

/** Values tried for one field. */
const mostValues = 60;
/** Levels of a type that are fields of their own. */
const deepest = 4;

interface Known {
  readonly tables: readonly AnalysedTable[];
  readonly properties: readonly CheckedProperty[];
}

/** The fields that a document reads of a fact, by its types, with values that its tables and texts tell apart. */
export function factFields({ inputs }: CompiledDmn, xml: string, { tables, properties }: Known): Field[] {
  const literals = literalsIn(xml);
  for (const { tree } of properties) walk(tree, (node) => node.kind === 'literal' && literals.push(node.value));
  const leaves = inputs.flatMap(({ name, type }) => leavesOf([name], type));
  return leaves.map(({ path, type }) => {
    const values = new Set<Value>();
    for (const { boxes } of tables.map(({ found }) => found)) {
      for (const dimension of boxes.dimensions) {
        if (dimension.path === null || fieldName(dimension.path) !== fieldName(path)) continue;
        for (const atom of dimension.atoms.keys()) {
          const value = dimension.factValueOf(atom);
          if (isOfType(value, type)) values.add(value);
        }
      }
    }
    for (const value of [...literals, ...usual(type)]) if (isOfType(value, type)) values.add(value);
    return {
      path,
      values: [...values].slice(0, mostValues),
      isOfType: (value) => isOfType(value, type),
    };
  });
}

interface Leaf {
  readonly path: readonly string[];
  readonly type: TypeDescription;
}

function leavesOf(path: readonly string[], type: TypeDescription): Leaf[] {
  const members = Object.entries(type.members ?? {});
  if (members.length === 0 || path.length > deepest) return [{ path, type }];
  return members.flatMap(([name, member]) => leavesOf([...path, name], member));
}

function isOfType(value: Value, { kind }: TypeDescription): boolean {
  if (kind === 'any') return value !== null;
  if (kind === 'number') return isNumeric(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'context') return isObject(value);
  return typeof value === 'string';
}

/** A value of each kind that a reader of the type takes. */
function usual({ kind }: TypeDescription): Value[] {
  switch (kind) {
    case 'number':
      return [0, 1, 100];
    case 'boolean':
      return [true, false];
    case 'date':
      return ['2024-01-31'];
    case 'time':
      return ['12:00:00'];
    case 'date and time':
      return ['2024-01-31T12:00:00'];
    case 'days and time duration':
      return ['P1D'];
    case 'years and months duration':
      return ['P1Y'];
    case 'list':
      return [[], [1], ['other']];
    case 'any':
      return [1, 'other', true];
    default:
      return ['other'];
  }
}

/** Numbers and texts that stand somewhere in the document's expressions: they may make a difference. */
function literalsIn(xml: string): Value[] {
  const found = new Set<Value>();
  for (const [, text = ''] of xml.matchAll(/<(?:\w+:)?text>([^<]{1,2000})</g)) {
    for (const [literal] of text.matchAll(/"[^"\\]{0,100}"|(?<![\w.])\d{1,15}(?:\.\d{1,10})?/g)) {
      const number = parseNumber(literal);
      found.add(literal.startsWith('"') ? literal.slice(1, -1) : (number ?? 0));
      if (found.size >= mostValues) return [...found];
    }
  }
  return [...found];
}
