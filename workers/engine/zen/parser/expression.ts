import type { BinaryOperator, Node } from '../ast.js';
import { quoted } from '../sourceSpan.js';
import { parseNumber } from '../values/numbers.js';
import { parseBracket, parseObject, parseTemplate } from './brackets.js';
import type { Cursor } from './cursor.js';
import { parseName } from './names.js';
import { parsePostfix } from './postfix.js';

interface Infix {
  readonly operator: BinaryOperator;
  readonly level: number;
  readonly rightToLeft?: true;
}

/** From loosest to tightest, as in the reference. */
const infixes: readonly Infix[] = [
  { operator: 'or', level: 10 },
  { operator: 'and', level: 15 },
  { operator: '==', level: 20 },
  { operator: '!=', level: 20 },
  { operator: '<', level: 20 },
  { operator: '>', level: 20 },
  { operator: '<=', level: 20 },
  { operator: '>=', level: 20 },
  { operator: 'in', level: 20 },
  { operator: 'not in', level: 20 },
  { operator: '+', level: 30 },
  { operator: '-', level: 30 },
  { operator: '*', level: 60 },
  { operator: '/', level: 60 },
  { operator: '%', level: 60 },
  { operator: '^', level: 70, rightToLeft: true },
  { operator: '??', level: 80 },
];
const infixOperators: ReadonlyMap<string, Infix> = new Map(infixes.map((infix) => [infix.operator, infix]));
const comparisonLevel = 20;

/** The comparison that the present token is, if it is one. */
export function comparisonAt(cursor: Cursor): BinaryOperator | undefined {
  const infix = infixAt(cursor);
  return infix?.level === comparisonLevel ? infix.operator : undefined;
}

/** How tightly prefix operators bind: `not a + b` is `(not a) + b`… and `-2 ^ 2` is 4. */
const prefixOperators: ReadonlyMap<string, { operator: 'not' | '-' | '+'; level: number }> = new Map([
  ['not', { operator: 'not', level: 50 }],
  ['!', { operator: 'not', level: 50 }],
  ['+', { operator: '+', level: 200 }],
  ['-', { operator: '-', level: 200 }],
]);

function infixAt(cursor: Cursor): Infix | undefined {
  const { kind, text } = cursor.token;
  if (kind !== 'operator') return undefined;
  return cursor.joinsTests && (text === 'and' || text === 'or') ? undefined : infixOperators.get(text);
}

/** An expression whose operators bind at least as tightly as `level`; 0 takes a ternary too. */
export function parseExpression(cursor: Cursor, level = 0): Node {
  return cursor.nested(() => {
    let left = parsePrefix(cursor);
    for (let infix = infixAt(cursor); infix && infix.level >= level; infix = infixAt(cursor)) {
      cursor.next();
      const { operator } = infix;
      const right = parseExpression(cursor, infix.rightToLeft ? infix.level : infix.level + 1);
      left = cursor.node({ kind: 'binary', operator, left, right, span: [left.span[0], right.span[1]] });
    }
    return level === 0 ? parseConditional(cursor, left) : left;
  });
}

function parseConditional(cursor: Cursor, condition: Node): Node {
  if (!cursor.accept('operator', '?')) return condition;
  const whenTrue = cursor.delimited(() => parseExpression(cursor));
  cursor.expect('operator', ':');
  const whenFalse = parseExpression(cursor);
  const span = cursor.spanFrom(condition.span[0]);
  return cursor.node({ kind: 'conditional', condition, whenTrue, whenFalse, span });
}

function parsePrefix(cursor: Cursor): Node {
  const { kind, text, span } = cursor.token;
  if (kind !== 'operator') return parsePrimary(cursor);
  const prefix = prefixOperators.get(text);
  if (!prefix) throw cursor.unexpected('a value');
  cursor.next();
  const operand = parseExpression(cursor, prefix.level);
  return cursor.node({ kind: 'unary', operator: prefix.operator, operand, span: [span[0], operand.span[1]] });
}

function parsePrimary(cursor: Cursor): Node {
  const { kind, text, span } = cursor.token;
  switch (kind) {
    case 'number': {
      const value = parseNumber(text);
      if (value === undefined)
        throw cursor.error('syntax_error', `${quoted(text)} is not a number that fits 28 digits`);
      cursor.next();
      return cursor.node({ kind: 'literal', value, span });
    }
    case 'string':
      cursor.next();
      return cursor.node({ kind: 'literal', value: text, span });
    case 'template':
      return parseTemplate(cursor);
    case 'bracket':
      return text === '{' ? parseObject(cursor) : parseBracket(cursor);
    case 'word':
      return parseWord(cursor);
    default:
      throw cursor.unexpected('a value');
  }
}

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
]);

function parseWord(cursor: Cursor): Node {
  const { text, span } = cursor.token;
  const value = constants.get(text);
  if (value !== undefined) {
    cursor.next();
    return cursor.node({ kind: 'literal', value, span });
  }
  if (text === '#' && cursor.closures > 0) {
    cursor.next();
    return parsePostfix(cursor, cursor.node({ kind: 'pointer', span }));
  }
  return parseName(cursor);
}
