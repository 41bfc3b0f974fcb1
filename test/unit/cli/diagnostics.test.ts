import { expect } from 'chai';
import { drawDiagnostics } from '../../../src/cli/diagnostics.js';

const base = { code: 'syntax_error', message: 'unknown name', nodeName: 'Fees', field: 'rules[2].inputs[0]' } as const;

describe('faults for people', () => {
  it('show place, message, the expression with carets under the place, and what to do', () => {
    const fault = {
      ...base,
      label: 'rule 3, input weight',
      source: 'len(itms) > 3',
      span: [4, 8],
      hint: 'try `items`',
    };
    expect(drawDiagnostics([{ place: 'fee.json', diagnostic: { ...fault, span: [4, 8] } }])).to.equal(
      [
        'fee.json, node "Fees", rule 3, input weight',
        '  unknown name',
        '    len(itms) > 3',
        '        ^^^^',
        '  hint: try `items`',
      ].join('\n'),
    );
  });

  it('show the line of a longer source that the place is in', () => {
    const source = 'a\n  + bb\n  + c';
    const drawn = drawDiagnostics([{ place: 'x', diagnostic: { ...base, source, span: [6, 8] } }]);
    expect(drawn.split('\n').slice(2)).to.deep.equal(['      + bb', '        ^^']);
  });

  it('cut a long line around the place, and put the caret under it still', () => {
    const source = `${'a'.repeat(300)}!${'b'.repeat(300)}`;
    const [line = '', carets = ''] = drawDiagnostics([
      { place: 'x', diagnostic: { ...base, source, span: [300, 301] } },
    ])
      .split('\n')
      .slice(2);
    expect(line).to.have.length.below(110);
    expect(line[carets.indexOf('^')]).to.equal('!');
  });

  it('point past the end of an expression that ends too early', () => {
    const drawn = drawDiagnostics([{ place: 'x', diagnostic: { ...base, source: '1 +', span: [3, 3] } }]);
    expect(drawn.split('\n').slice(2)).to.deep.equal(['    1 +', '       ^']);
  });

  it('let no control character of a model through to the terminal', () => {
    const drawn = drawDiagnostics([
      { place: 'x', diagnostic: { ...base, nodeName: '\u001b[2J', source: '\u0007', span: [0, 1] } },
    ]);
    expect(drawn).to.not.match(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
