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
    .diagnostics.filter(
      ({ pointer, repair }) => pointer === '' && repair !== undefined && !repair.startsWith('outputs='),
    )
    .map(({ label, repair }) => [label, repair]);

describe('a sheet with bands down its first column or along its first row', () => {
  it('is told, with what makes a table of it', () => {
    expect(convert(matrix).diagnostics[0]).to.deep.equal({
      code: 'model_invalid',
      severity: 'warning',
      label: 'Rules!A1:C4',
      pointer: '',
      repair: 'Score,,',
      message:
        'Rules!A1:C4: this may be a matrix: what stands down its first column and along its first row meets in its cells.',
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
    [
      'names down',
      ['Country,≤ 1 kg,≤ 5 kg,> 5 kg', 'Finland,4.9,6.5,9', 'Other EU,5.9,8.5,11'],
      'Rules!A1:D3',
      'Country,,',
    ],
    [
      'names down, beside bands without a unit',
      ['Class,1,2-4,5+', 'A,4.9,6.5,9', 'B,5.9,8.5,11'],
      'Rules!A1:D3',
      'Class,,',
    ],
    [
      'a head over bands',
      ['Fees,,', ',Weight,', 'Country,<= 5,> 5', 'FI,1,2', 'SE,3,'],
      'Rules!A3:C5',
      'Country,Weight,',
    ],
    ['words in its cells', ['Country,≤ 5 kg,> 5 kg', 'FI,Posti,DHL', 'SE,DHL,'], 'Rules!A1:C3', 'Country,,'],
    ['codes along', ['Weight (kg),FI,SE,EE', 'up to 1,4.9,6.5,9', 'over 1,5.9,,11'], 'Rules!A1:D3', 'Weight (kg),,'],
    ['zones along', ['kg,Zone 1,Zone 2,Zone 3', '0-5,4.9,6.5,9', '5-10,5.9,8.5,11'], 'Rules!A1:D3', 'kg,,'],
    ['words along', ['Age,Basic,Plus,Premium', '0-5,10,11,12', '6-17,20,21,22'], 'Rules!A1:D3', 'Age,,'],
    [
      'a word among its values, and a remark below it',
      ['Gewicht,Zone 1,Zone 2,Zone 4 (Inseln)', 'bis 5 kg,4.9,6.5,9', 'über 5 kg,5.9,8,auf Anfrage', 'zzgl. MwSt.,,,'],
      ...(['Rules!A1:D3', 'Gewicht,,'] as const),
    ],
    ['letters along', ['kg,A,B,C', '0-5,4.9,6.5,9', '5-10,5.9,8.5,11'], 'Rules!A1:D3', 'kg,,'],
  ] as const)
    it(`is known with ${what}`, () => expect(offered(rows)).to.deep.equal([[label, names]]));

  for (const [what, rows] of [
    ['words among its heads', ['Score,0-60,Total', ...bands]],
    ['years along and names down', ['Country,2025,2026', 'Finland,1,2', 'Sweden,3,4']],
    ['words along and names down', ['Country,Rate 2025,Rate 2026', 'Finland,1,2', 'Sweden,3,4']],
    ['names of results along', ['Age,Rate,Fee,Limit', '18-24,9.5,20,100', '25+,7.5,10,200']],
    ['numbered results along', ['Age,Fee 1,Fee 2,Fee 3', '18-24,9.5,20,100', '25+,7.5,10,200']],
    ['codes along and words in its cells', ['Age,LT,DT,AP', '18-24,FI,20,yes', '25+,SE,10,no']],
    ['numbers down and codes along', ['Age,FI,SE,EE', '18,1,2,3', '19,4,5,6']],
    ['words of measures along', ['Age,Deposit,Limit,Term', '18-24,9,20,12', '25+,7,10,24']],
    ['numbers of several sizes', ['Age,Basic,Plus,Top', '18-24,9,2000,1', '25+,7,1000,2']],
    ['words along two columns', ['Age,Basic,Plus', '18-24,9,20', '25+,7,10']],
    ['several kinds in its cells', ['Country,<= 5,> 5', 'Finland,1,DHL', 'Sweden,2026-01-01,true']],
    ['a name twice', ['Country,<= 5,> 5', 'Finland,1,2', 'Finland,3,4']],
    ['a number in its corner', ['2024,2025,2026', '1,2,3', '4,5,6']],
    ['one column', ['Score,0-60', '300-579,9.5', '580-669,7.5']],
    ['the same band twice', ['Score,0-60,0-60', ...bands]],
    ['a table above', ['Class,Amount,Rate', 'gold,<= 5,1', 'silver,<= 9,2', 'none,> 5,3', 'tin,7-9,4']],
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

  it('becomes a table with names as texts beside its bands, which are told as in other tables', () => {
    const { converted, diagnostics } = convert(
      ['Country,≤ 1 kg,> 1 kg', 'Finland,4.9,6.5', 'Other EU,5.9,8.5'],
      ['Country', 'Weight', 'Fee'],
    );
    const { content } = JSON.parse(converted) as {
      readonly content: { readonly nodes: readonly { readonly content: { rules: Record<string, string>[] } }[] };
    };
    expect(content.nodes[1]!.content.rules.map(({ _id, ...rule }) => Object.values(rule))).to.deep.equal([
      ['"Finland"', '≤ 1 kg', '4.9'],
      ['"Finland"', '> 1 kg', '6.5'],
      ['"Other EU"', '≤ 1 kg', '5.9'],
      ['"Other EU"', '> 1 kg', '8.5'],
    ]);
    const hints = ['For what is meant write <= 1.', 'For what is meant write > 1.'];
    expect(diagnostics.map(({ hint }) => hint)).to.deep.equal([...hints, ...hints]);
  });

  it('is one where somebody says so, though names stand on both sides', () => {
    const { refusal, converted } = convert(
      ['Trip,Europe,World', 'Golf,19,29', 'Winter,20,30'],
      ['Trip', 'Area', 'Price'],
    );
    expect(refusal).to.equal(null);
    expect(JSON.parse(converted)).to.deep.include({ inputs: ['Trip', 'Area'], outputs: ['Price'] });
  });

  it('is refused where there is none', () => {
    expect(convert(['Age,Fee', '18,1'], ['Score', 'LTV', 'Rate']).refusal).to.deep.equal({
      kind: 'broken',
      message:
        'Rules is no matrix: bands or names stand down its first column and along its first row, each another one, and nothing but values between them.',
    });
  });
});
