import { expect } from 'chai';
import { faultDocument } from '../../../src/decisions/diagnostics.js';

const plain = { code: 'model_invalid', message: 'The model has no input node.' } as const;

describe('faults as documents', () => {
  it('have null where something does not apply', () => {
    expect(faultDocument({ key: 'k', diagnostic: plain })).to.deep.equal({
      severity: 'error',
      key: 'k',
      nodeId: null,
      node: null,
      field: null,
      pointer: null,
      message: 'The model has no input node.',
      hint: null,
      line: null,
      column: null,
      excerpt: null,
    });
  });

  it('say line and column in the expression, and show that line', () => {
    const fault = {
      ...plain,
      severity: 'warning',
      nodeId: 'n',
      nodeName: 'Fees',
      field: 'content.rules[0].inputs[0]',
      label: 'rule 1, input a',
      pointer: '/nodes/1/content/rules/0/i0',
      source: '1 +\n  lenn(a)\n+ 2',
      span: [6, 10],
      hint: 'did you mean `len`?',
    } as const;
    expect(faultDocument({ key: 'k', diagnostic: fault })).to.deep.equal({
      severity: 'warning',
      key: 'k',
      nodeId: 'n',
      node: 'Fees',
      field: 'rule 1, input a',
      pointer: '/nodes/1/content/rules/0/i0',
      message: plain.message,
      hint: 'did you mean `len`?',
      line: 2,
      column: 3,
      excerpt: '  lenn(a)',
    });
  });

  it('show a part of a line that is very long, with the place in it', () => {
    const source = `${'a'.repeat(5000)}!${'b'.repeat(5000)}`;
    const { excerpt, column } = faultDocument({ key: 'k', diagnostic: { ...plain, source, span: [5000, 5001] } });
    expect(column).to.equal(5001);
    expect(excerpt).to.have.length(1000).and.include('!');
  });

  it('say the place in the file where that is no JSON', () => {
    const at = { line: 7, column: 3 };
    expect(faultDocument({ key: 'k', at, diagnostic: { ...plain, source: '  tru', span: [2, 3] } })).to.include(at);
  });
});
