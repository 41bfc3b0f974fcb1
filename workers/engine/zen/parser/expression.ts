import type { BinaryOperator, Node } from '../ast.js';
import { parseNumber } from '../values/numbers.js';
import { parseBracket, parseObject, parseTemplate } from './brackets.js';
import type { Cursor } from './cursor.js';
import { parseName } from './names.js';
import { parsePostfix } from './postfix.js';

interface Precedence {
  readonly level: number;
  readonly rightToLeft?: true;
}

/** From loosest to tightest, as in the reference. */
const binaryOperators: ReadonlyMap<string, Precedence> = new Map<BinaryOperator, Precedence>([
  ['or', { level: 10 }],
  ['and', { level: 15 }],
  ['==', { level: 20 }],
  ['!=', { level: 20 }],
  ['<', { level: 20 }],
  ['>', { level: 20 }],
  ['<=', { level: 20 }],
  ['>=', { level: 20 }],
  ['in', { level: 20 }],
  ['not in', { level: 20 }],
  ['+', { level: 30 }],
  ['-', { level: 30 }],
  ['*', { level: 60 }],
  ['/', { level: 60 }],
  ['%', { level: 60 }],
  ['^', { level: 70, rightToLeft: true }],
  ['??', { level: 80 }],
]);

/** How tightly prefix operators bind: `not a + b` is `(not a) + b`… and `-2 ^ 2` is 4. */
const prefixOperators: ReadonlyMap<string, { operator: 'not' | '-' | '+'; level: number }> = new Map([
  ['not', { operator: 'not', level: 50 }],
  ['!', { operator: 'not', level: 50 }],
  ['+', { operator: '+', level: 200 }],
  ['-', { operator: '-', level: 200 }],
]);

function binaryOperator(cursor: Cursor): { operator: BinaryOperator; precedence: Precedence } | undefined {
  const { kind, text } = cursor.token;
  if (kind !== 'operator') return undefined;
  if (cursor.joinsTests && (text === 'and' || text === 'or')) return undefined;
  const precedence = binaryOperators.get(text);
  return precedence && { operator: text as BinaryOperator, precedence };
}

/** An expression whose operators bind at least as tightly as `level`; 0 takes a ternary too. */
export function parseExpression(cursor: Cursor, level = 0): Node {
  return cursor.nested(() => {
    let left = parsePrefix(cursor);
    for (let found = binaryOperator(cursor); found && found.precedence.level >= level; found = binaryOperator(cursor)) {
      cursor.next();
      const { operator, precedence } = found;
      const right = parseExpression(cursor, precedence.rightToLeft ? precedence.level : precedence.level + 1);
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
      if (value === undefined) throw cursor.error('syntax_error', `\`${text}\` is not a number that fits 28 digits`);
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
