import { arithmetic, type Node } from '../ast.js';
import { unaryUseOfFunction, unaryUseOfMethod, type UnaryUse } from '../functions/index.js';
import type { Cursor } from './cursor.js';
import { comparisonAt, parseExpression } from './expression.js';

/** Tests joined by `and`, by `or` and by commas, which mean `or`; all bind alike, from left to right. */
export function parseTests(cursor: Cursor): Node {
  let left = parseTest(cursor);
  while (!cursor.is('end')) {
    const { kind, text } = cursor.token;
    if (kind !== 'operator' || (text !== 'and' && text !== 'or' && text !== ',')) {
      throw cursor.unexpected('`,`, `and`, `or` or the end');
    }
    cursor.next();
    const right = parseTest(cursor);
    const operator = text === 'and' ? 'and' : 'or';
    left = cursor.node({ kind: 'binary', operator, left, right, span: [left.span[0], right.span[1]] });
  }
  return left;
}

function parseTest(cursor: Cursor): Node {
  const start = cursor.token.span[0];
  const field = (): Node => cursor.node({ kind: 'identifier', name: '$', span: [start, start] });
  const compared = comparisonAt(cursor) ? field() : parseExpression(cursor);
  const operator = comparisonAt(cursor);
  if (operator) {
    cursor.next();
    const right = parseExpression(cursor);
    return cursor.node({ kind: 'binary', operator, left: compared, right, span: cursor.spanFrom(start) });
  }
  const span = cursor.spanFrom(start);
  const use = unaryUse(compared);
  if (use === 'boolean') {
    return cursor.node({ kind: 'call', name: 'bool', nameSpan: span, args: [compared], span });
  }
  return cursor.node({ kind: 'binary', operator: use === 'in' ? 'in' : '==', left: field(), right: compared, span });
}

/** How a value in a cell is tested against the field: equal to it, among it, or a condition of its own. */
function unaryUse(node: Node): UnaryUse {
  switch (node.kind) {
    case 'pointer':
      return 'boolean';
    case 'array':
    case 'slice':
    case 'interval':
      return 'in';
    case 'conditional':
      return same(unaryUse(node.whenTrue), unaryUse(node.whenFalse));
    case 'unary':
      return unaryUse(node.operand);
    case 'group':
      return unaryUse(node.inner);
    case 'binary':
      return unaryUseOfBinary(node);
    case 'call':
    case 'closure':
      return unaryUseOfFunction(node.name);
    case 'method':
      return unaryUseOfMethod(node.name);
    default:
      return 'equal';
  }
}

/** Arithmetic takes the use that all its operands share; its left side may be a long chain. */
function unaryUseOfBinary(root: Node): UnaryUse {
  let use: UnaryUse | undefined;
  let node = root;
  while (node.kind === 'binary') {
    if (!arithmetic.has(node.operator)) return use === undefined ? 'boolean' : same(use, 'boolean');
    const right = unaryUse(node.right);
    use = use === undefined ? right : same(use, right);
    node = node.left;
  }
  const left = unaryUse(node);
  return use === undefined ? left : same(use, left);
}

function same(a: UnaryUse, b: UnaryUse): UnaryUse {
  return a === b ? a : 'equal';
}
