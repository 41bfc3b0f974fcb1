import { expect } from 'chai';
import { parts, walk, type Node } from '../../../../workers/engine/zen/ast.js';
import { parseStandard, parseUnary } from '../../../../workers/engine/zen/parser/index.js';
import { numberText } from '../../../../workers/engine/zen/values/numbers.js';

/** The tree as nested brackets, so that a test reads like the expression it is about. */
function show(node: Node): string {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'object' && node.value !== null
        ? numberText(node.value)
        : JSON.stringify(node.value);
    case 'identifier':
      return node.name;
    case 'binary':
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
    case 'unary':
      return `(${node.operator} ${show(node.operand)})`;
    case 'group':
      return show(node.inner);
    case 'call':
    case 'method':
      return `${node.name}(${parts(node).map(show).join(', ')})`;
    case 'interval':
      return `${node.open}${show(node.left)}..${show(node.right)}${node.close}`;
    default:
      return `${node.kind}(${parts(node).map(show).join(', ')})`;
  }
}

const standard = (source: string): string => show(parseStandard(source));
const unary = (source: string): string => show(parseUnary(source));

describe('zen parser', () => {
  for (const [source, tree] of [
    ['a or b and c', '(a or (b and c))'],
    ['a or b or c', '((a or b) or c)'],
    ['a == b and c', '((a == b) and c)'],
    ['1 + 2 * 3 ^ 4 ^ 5', '(1 + (2 * (3 ^ (4 ^ 5))))'],
    ['1 - 2 - 3', '((1 - 2) - 3)'],
    ['-2 ^ 2', '((- 2) ^ 2)'],
    ['not a == b', '((not a) == b)'],
    ['a ?? b + c', '((a ?? b) + c)'],
    ['a not in [1..2)', '(a not in [1..2))'],
    [')1..2(', ')1..2('],
    ['a ? b : c ? d : e', 'conditional(a, b, conditional(c, d, e))'],
    ['a.b[0].c', 'member(member(member(a, "b"), 0), "c")'],
    ['a.and', 'member(a, "and")'],
    ['a[1:]', 'slice(a, 1)'],
    ['[a,]', 'array(a)'],
    ['f(a, b)[0]', 'member(f(a, b), 0)'],
    ['d(a).add(1).tz(b)', 'tz(add(d(a), 1), b)'],
    ['map(a as x, x + #)', 'closure(a, (x + pointer()))'],
    ['# + 1', '(# + 1)'],
    ['a = 1; b', 'assignments(1, b)'],
    ['((1))', '1'],
  ] as const) {
    it(`reads ${source}`, () => expect(standard(source)).to.equal(tree));
  }

  for (const [source, tree] of [
    ["'a'", '($ == "a")'],
    ['> 5', '($ > 5)'],
    ["'a', 'b'", '(($ == "a") or ($ == "b"))'],
    ['> 5 and < 9, 0', '((($ > 5) and ($ < 9)) or ($ == 0))'],
    ['[1, 2]', '($ in array(1, 2))'],
    ['not in [1..2]', '($ not in [1..2])'],
    ['a > 5', 'bool((a > 5))'],
    ['contains($, 1)', 'bool(contains($, 1))'],
    ['-5', '($ == (- 5))'],
    ['(a or b)', 'bool((a or b))'],
    ["x ? 'a' : [1]", '($ == conditional(x, "a", array(1)))'],
    ['x ? [1] : [2]', '($ in conditional(x, array(1), array(2)))'],
  ] as const) {
    it(`reads the cell ${source}`, () => expect(unary(source)).to.equal(tree));
  }

  it('gives every node the span of its text', () => {
    const source = "customer.age + len('a b') > 5";
    const found = new Set<string>();
    walk(parseStandard(source), ({ span }) => found.add(source.slice(...span)));
    expect([...found]).to.include.members([
      source,
      "customer.age + len('a b')",
      'customer.age',
      "len('a b')",
      "'a b'",
      '5',
    ]);
  });

  it('walks chains of thousands without recursion', () => {
    let count = 0;
    walk(parseStandard(Array.from({ length: 5000 }, () => '1').join(' + ')), () => (count += 1));
    expect(count).to.equal(9999);
  });
});
