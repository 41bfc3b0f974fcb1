import { expect } from 'chai';
import { walk } from '../../../../workers/engine/zen/ast.js';
import { parseStandard } from '../../../../workers/engine/zen/parser/index.js';

describe('zen parser', () => {
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
});
