import { expect } from 'chai';
import type { MatrixNames } from '../../../workers/cells/sheets.js';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { convertCsv } from '../../support/sheets.js';

const convert = (rows: readonly string[], matrix?: MatrixNames): ConvertAnswer =>
  convertCsv(rows, matrix === undefined ? {} : { matrix });
const bands = ['300-579,9.5,10.5', '580-669,7.5,', '670+,5.5,6.5'];
const matrix = ['Score,0-60,60-80', ...bands];
const offered = (rows: readonly string[]): unknown =>
  convert(rows)
    .diagnostics.filter(({ pointer, repair }) => pointer === '' && repair !== undefined)
    .map(({ label, repair }) => [label, repair]);

describe('a sheet with bands down its first column and along its first row', () => {
  it('is told, with what makes a table of it', () => {
    expect(convert(matrix).diagnostics[0]).to.deep.equal({
      code: 'model_invalid',
      severity: 'warning',
      label: 'Rules!A1:C4',
      pointer: '',
      repair: 'Score,,',
      message: 'Rules!A1:C4: this may be a matrix, with bands down its first column and along its first row.',
      hint: 'The parameter `matrix` (`--matrix`) makes a row of each of its cells: `Score,COLUMNS,VALUE` names what stands down, across and in its cells.',
    });
  });

  for (const [what, rows, label, names] of [
    ['both names in the corner', ['Score / LTV,0-60,60-80', ...bands], 'Rules!A1:C4', 'Score,LTV,'],
    ['arrows in the corner', ['LTV → Score ↓,0-60,60-80', ...bands], 'Rules!A1:C4', 'Score,LTV,'],
    ['a name above the bands', [',LTV,', ...matrix], 'Rules!A2:C5', 'Score,LTV,'],
    ['a title above', ['Rates 2026,,', ',,', ...matrix], 'Rules!A3:C6', 'Score,,'],
    ['nothing in the corner', [',0-60,60-80', ...bands], 'Rules!A1:C4', ',,'],
    ['numbers', ['Score,60,80', '300,9.5,10.5', '580,7.5,8.5'], 'Rules!A1:C3', 'Score,,'],
  ] as const)
    it(`is known with ${what}`, () => expect(offered(rows)).to.deep.equal([[label, names]]));

  for (const [what, rows] of [
    ['words among its heads', ['Score,0-60,Total', ...bands]],
    ['words down its first column', ['Score,0-60,60-80', 'good,1,2', 'bad,3,4']],
    ['a number in its corner', ['2024,2025,2026', '1,2,3', '4,5,6']],
    ['one column', ['Score,0-60', '300-579,9.5', '580-669,7.5']],
    ['the same band twice', ['Score,0-60,0-60', ...bands]],
    ['hardly a value', ['Score,0-60,60-80', '300-579,,', '580-669,7.5,', '670+,,']],
  ] as const)
    it(`is none with ${what}`, () => expect(offered(rows)).to.deep.equal([]));

  it('becomes a table with a row for each cell that has a value, whose faults name the cells of the file', () => {
    const rows = [',LTV,', 'Score,0-60,60%', '300-579,9.5,oops(', '580+,7.5,', '670,,6'];
    const { converted, diagnostics } = convert(rows, ['Score', 'LTV', 'Fee level']);
    const { content, inputs, outputs } = JSON.parse(converted) as {
      readonly content: { readonly nodes: readonly { readonly content: { rules: Record<string, string>[] } }[] };
      readonly inputs: unknown;
      readonly outputs: unknown;
    };
    expect({ inputs, outputs }).to.deep.equal({ inputs: ['Score', 'LTV'], outputs: ['Fee level'] });
    const cells = content.nodes[1]!.content.rules.map(({ _id, ...rule }) => Object.values(rule));
    expect(cells).to.deep.equal([
      ['300-579', '0-60', '9.5'],
      ['300-579', '60%', 'oops('],
      ['580+', '0-60', '7.5'],
      ['670', '60%', '6'],
    ]);
    expect(diagnostics.map(({ label }) => label?.split(',')[0])).to.have.members([
      ...['Rules!A3', 'Rules!B2', 'Rules!A3', 'Rules!C2', 'Rules!C3', 'Rules!A4', 'Rules!B2', 'Rules!C2'],
    ]);
  });

  it('is refused where there is none', () => {
    expect(convert(['Age,Fee', '18,1'], ['Score', 'LTV', 'Rate']).refusal).to.deep.equal({
      kind: 'broken',
      message:
        'Rules is no matrix: bands stand down its first column and along its first row, and nothing but values between them.',
    });
  });
});
