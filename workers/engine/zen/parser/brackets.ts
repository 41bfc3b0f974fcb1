import type { Node } from '../ast.js';
import type { Bracket } from '../values/interval.js';
import type { Cursor } from './cursor.js';
import { parseExpression } from './expression.js';
import { parsePostfix } from './postfix.js';

function intervalBracket(text: string): Bracket | undefined {
  return text === '(' || text === ')' || text === '[' || text === ']' ? text : undefined;
}

/** What starts with a round or square bracket: a group, a list, or an interval (whose brackets may be turned). */
export function parseBracket(cursor: Cursor): Node {
  const token = cursor.token;
  const open = intervalBracket(token.text);
  if (open === undefined) throw cursor.unexpected('a value');
  cursor.next();
  const node = cursor.delimited(() => {
    if (open === '[' && cursor.is('bracket', ']')) return parseItems(cursor, [], token.span[0]);
    const first = parseExpression(cursor);
    if (cursor.accept('operator', '..')) return parseIntervalEnd(cursor, open, first, token.span[0]);
    if (open === '[') return parseItems(cursor, [first], token.span[0]);
    if (open !== '(') throw cursor.unexpected('`..`');
    if (first.kind === 'assignments' && first.output === null) {
      throw cursor.unexpected('`;` and an expression, which gives the value of the brackets');
    }
    cursor.expect('bracket', ')');
    return cursor.node({ kind: 'group', inner: first, span: cursor.spanFrom(token.span[0]) });
  });
  return parsePostfix(cursor, node);
}

function parseIntervalEnd(cursor: Cursor, open: Bracket, left: Node, start: number): Node {
  const right = parseExpression(cursor);
  const close = cursor.token.kind === 'bracket' ? intervalBracket(cursor.token.text) : undefined;
  if (close === undefined) throw cursor.unexpected('a bracket that ends the interval');
  cursor.next();
  return cursor.node({ kind: 'interval', open, left, right, close, span: cursor.spanFrom(start) });
}

/** The rest of a list, its first item read; a comma may follow the last one. */
function parseItems(cursor: Cursor, items: Node[], start: number): Node {
  while (!cursor.is('bracket', ']')) {
    if (items.length > 0) {
      if (!cursor.accept('operator', ',')) throw cursor.unexpected('`,` or `]`');
      if (cursor.is('bracket', ']')) break;
    }
    items.push(parseExpression(cursor));
  }
  cursor.expect('bracket', ']');
  return cursor.node({ kind: 'array', items, span: cursor.spanFrom(start) });
}

/** `{ key: value, 'a b': 1, [computed]: 2 }` */
export function parseObject(cursor: Cursor): Node {
  const start = cursor.expect('bracket', '{').span[0];
  const entries: { key: Node; value: Node }[] = [];
  cursor.delimited(() => {
    while (!cursor.is('bracket', '}')) {
      const key = parseKey(cursor);
      cursor.expect('operator', ':');
      entries.push({ key, value: parseExpression(cursor) });
      if (cursor.accept('operator', ',')) {
        if (cursor.is('bracket', '}')) throw cursor.unexpected('a key');
      } else if (!cursor.is('bracket', '}')) {
        throw cursor.unexpected('`,` or `}`');
      }
    }
    cursor.expect('bracket', '}');
  });
  return cursor.node({ kind: 'object', entries, span: cursor.spanFrom(start) });
}

function parseKey(cursor: Cursor): Node {
  const { kind, text, span } = cursor.token;
  if (kind === 'word' || kind === 'number' || kind === 'string') {
    cursor.next();
    return cursor.node({ kind: 'literal', value: text, span });
  }
  if (!cursor.accept('bracket', '[')) throw cursor.unexpected('a key');
  const key = parseExpression(cursor);
  cursor.expect('bracket', ']');
  return key;
}

/** Text with `${expressions}` in it; the lexer has cut it already. */
export function parseTemplate(cursor: Cursor): Node {
  const token = cursor.next();
  const parts = (token.parts ?? []).map((part) =>
    'text' in part
      ? cursor.node({ kind: 'literal', value: part.text, span: part.span })
      : cursor.within(part.tokens, () => parseExpression(cursor)),
  );
  return cursor.node({ kind: 'template', parts, span: token.span });
}
