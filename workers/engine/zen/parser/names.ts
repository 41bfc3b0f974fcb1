import { closureNames, type ClosureName, type Node } from '../ast.js';
import type { Cursor } from './cursor.js';
import { parseExpression } from './expression.js';
import { isPropertyName, parsePostfix } from './postfix.js';

const closures: ReadonlyMap<string, ClosureName> = new Map(closureNames.map((name) => [name, name]));

/** What starts with a name: a variable, a call, or an assignment. */
export function parseName(cursor: Cursor): Node {
  const path = assignedPath(cursor);
  if (path) return parseAssignments(cursor);
  const token = cursor.next();
  if (cursor.is('bracket', '(')) return parsePostfix(cursor, parseCall(cursor, token.text, token.span));
  const node: Node =
    token.text === '$root'
      ? cursor.node({ kind: 'root', span: token.span })
      : cursor.node({ kind: 'identifier', name: token.text, span: token.span });
  const whole = parsePostfix(cursor, node);
  if (cursor.is('operator', '=')) {
    throw cursor.error(
      'syntax_error',
      'only a name such as `a` or `a.b` can be assigned; to compare, use `==`',
      whole.span,
    );
  }
  return whole;
}

/** The names of `a.b.c =` and how many tokens they are, when that is what stands here. */
function assignedPath(cursor: Cursor): { path: string[]; length: number } | undefined {
  if (cursor.token.kind !== 'word') return undefined;
  const path = [cursor.token.text];
  let ahead = 1;
  for (;;) {
    const token = cursor.peek(ahead);
    if (token.kind !== 'operator') return undefined;
    if (token.text === '=') return { path, length: ahead };
    const name = cursor.peek(ahead + 1);
    if (token.text !== '.' || !isPropertyName(name)) return undefined;
    path.push(name.text);
    ahead += 2;
  }
}

/** `a = 1; b.c = 2; a + b.c` */
function parseAssignments(cursor: Cursor): Node {
  const start = cursor.token.span[0];
  const list: { path: string[]; value: Node; span: [number, number] }[] = [];
  let output: Node | null = null;
  for (;;) {
    const assigned = assignedPath(cursor);
    if (!assigned) {
      output = parseExpression(cursor);
      break;
    }
    const at = cursor.token.span[0];
    for (let taken = 0; taken < assigned.length; taken++) cursor.next();
    const span: [number, number] = [at, cursor.lastEnd];
    cursor.expect('operator', '=');
    list.push({ path: assigned.path, value: parseExpression(cursor), span });
    if (!cursor.accept('operator', ';') || cursor.is('end')) break;
  }
  return cursor.node({ kind: 'assignments', list, output, span: cursor.spanFrom(start) });
}

function parseCall(cursor: Cursor, name: string, nameSpan: readonly [number, number]): Node {
  const closure = closures.get(name);
  if (closure) return parseClosure(cursor, closure, nameSpan[0]);
  const args = parseArguments(cursor);
  return cursor.node({ kind: 'call', name, nameSpan, args, span: cursor.spanFrom(nameSpan[0]) });
}

/** `(a, b)` */
export function parseArguments(cursor: Cursor): Node[] {
  cursor.expect('bracket', '(');
  return cursor.delimited(() => {
    const args: Node[] = [];
    while (!cursor.is('bracket', ')')) {
      args.push(parseExpression(cursor));
      if (!cursor.accept('operator', ',') && !cursor.is('bracket', ')')) throw cursor.unexpected('`,` or `)`');
    }
    cursor.expect('bracket', ')');
    return args;
  });
}

/** `map(list, # * 2)`, `filter(list as item, item.price > 5)` */
function parseClosure(cursor: Cursor, name: ClosureName, start: number): Node {
  cursor.expect('bracket', '(');
  return cursor.delimited(() => {
    const list = parseExpression(cursor);
    let alias: string | null = null;
    if (cursor.accept('word', 'as')) {
      if (!cursor.is('word')) throw cursor.unexpected('a name after `as`');
      alias = cursor.next().text;
    }
    if (!cursor.accept('operator', ',')) {
      throw cursor.unexpected(`\`,\` and what \`${name}\` does with each item (\`#\`)`);
    }
    cursor.closures += 1;
    const body = parseExpression(cursor);
    cursor.closures -= 1;
    cursor.expect('bracket', ')');
    return cursor.node({ kind: 'closure', name, list, alias, body, span: cursor.spanFrom(start) });
  });
}
