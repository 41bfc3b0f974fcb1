import type { Node } from '../ast.js';
import type { Token } from '../lexer.js';
import type { Cursor } from './cursor.js';
import { parseExpression } from './expression.js';
import { parseArguments } from './names.js';

const wordLike = new Set(['and', 'or', 'in', 'not', '??', '!']);

/** May the token stand after a dot? Words of the language may. */
export function isPropertyName(token: Token): boolean {
  if (token.kind === 'word') return token.text !== 'true' && token.text !== 'false';
  return token.kind === 'operator' && wordLike.has(token.text);
}

/** `.name`, `.name(…)`, `[index]` and `[from:to]` after a value, as many as follow. */
export function parsePostfix(cursor: Cursor, start: Node): Node {
  let node = start;
  for (;;) {
    if (cursor.is('operator', '.')) node = parseMember(cursor, node);
    else if (cursor.is('bracket', '[')) node = parseIndex(cursor, node);
    else return node;
    cursor.lower();
  }
}

function parseMember(cursor: Cursor, object: Node): Node {
  cursor.expect('operator', '.');
  if (!isPropertyName(cursor.token)) throw cursor.unexpected('the name of a property');
  const name = cursor.next();
  if (cursor.is('bracket', '(')) {
    const args = parseArguments(cursor);
    const span = cursor.spanFrom(object.span[0]);
    return cursor.node({ kind: 'method', object, name: name.text, nameSpan: name.span, args, span });
  }
  const property = cursor.node({ kind: 'literal', value: name.text, span: name.span });
  return cursor.node({ kind: 'member', object, property, span: cursor.spanFrom(object.span[0]) });
}

function parseIndex(cursor: Cursor, object: Node): Node {
  cursor.expect('bracket', '[');
  return cursor.delimited(() => {
    const from = cursor.is('operator', ':') ? null : parseExpression(cursor);
    if (cursor.accept('operator', ':')) {
      const to = cursor.is('bracket', ']') ? null : parseExpression(cursor);
      cursor.expect('bracket', ']');
      return cursor.node({ kind: 'slice', object, from, to, span: cursor.spanFrom(object.span[0]) });
    }
    cursor.expect('bracket', ']');
    if (!from) throw cursor.unexpected('an index');
    return cursor.node({ kind: 'member', object, property: from, span: cursor.spanFrom(object.span[0]) });
  });
}
