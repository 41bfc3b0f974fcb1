import { expect } from 'chai';
import type { ConvertAnswer } from '../../../workers/sheets/tasks.js';
import { convertCsv } from '../../support/sheets.js';

const convert = (rows: readonly string[], empty?: readonly string[]): ConvertAnswer =>
  convertCsv(rows, empty === undefined ? {} : { empty });
const offered = (rows: readonly string[], empty?: readonly string[]): unknown =>
  convert(rows, empty)
    .diagnostics.filter(({ pointer, readings }) => pointer === '' && readings !== undefined)
    .map(({ label, readings }) => [label, readings]);
function rulesOf({ converted }: ConvertAnswer): unknown {
  const { content } = JSON.parse(converted) as {
    readonly content: { readonly nodes: readonly { readonly content: { rules: Record<string, string>[] } }[] };
  };
  return content.nodes[1]!.content.rules.map(({ _id, ...rule }) => Object.values(rule));
}

const branches = ['Branch,Type,Fee', 'North,Private,3', ',Student,4', ',Business,5', 'South,Private,6', ',Student,7'];
const nested = [
  ...['House,LTV,Term,Rate', 'EFH,<= 60,5,1', ',,10,2', ',> 60,5,3', ',,10,4'],
  ...['ETW,<= 60,5,5', ',,10,6', ',> 60,5,7', ',,10,8'],
];

describe('a column that has its value in the first row of each block alone', () => {
  it('is told, with what its empty cells may be', () => {
    expect(convert(branches).diagnostics.filter(({ pointer }) => pointer === '')).to.deep.equal([
      {
        code: 'model_invalid',
        severity: 'warning',
        label: 'Rules!A2:A6',
        pointer: '',
        readings: ['Branch=above', 'Branch=any'],
        message:
          'Rules!A2:A6: `Branch` is empty below `North` and others, which takes any value. It may be the same as above.',
        hint: 'The parameter `empty` (`--empty`) says which: `Branch=above`, or `Branch=any`.',
      },
    ]);
  });

  it('is filled where it is the same as above, and is told no more once somebody has said it', () => {
    const filled = convert(branches, ['Branch=above']);
    expect({ diagnostics: filled.diagnostics, rules: rulesOf(filled) }).to.deep.equal({
      diagnostics: [],
      rules: [
        ['"North"', '"Private"', '3'],
        ['"North"', '"Student"', '4'],
        ['"North"', '"Business"', '5'],
        ['"South"', '"Private"', '6'],
        ['"South"', '"Student"', '7'],
      ],
    });
    const any = convert(branches, ['Branch=any']);
    expect([offered(branches, ['Branch=any']), rulesOf(any)]).to.deep.equal([[], rulesOf(convert(branches))]);
  });

  it('may be one of several, each within the other', () => {
    expect(offered(nested)).to.deep.equal([
      ['Rules!A2:A9', ['House=above', 'House=any']],
      ['Rules!B2:B9', ['LTV=above', 'LTV=any']],
    ]);
    expect(offered(nested, ['House=above'])).to.deep.equal([['Rules!B2:B9', ['LTV=above', 'LTV=any']]]);
    expect(rulesOf(convert(nested, ['House=above', 'LTV=above']))).to.deep.equal(
      ['EFH', 'ETW'].flatMap((house, at) =>
        ['<= 60', '> 60'].flatMap((ltv, below) =>
          ['5', '10'].map((term, last) => [`"${house}"`, ltv, term, String(4 * at + 2 * below + last + 1)]),
        ),
      ),
    );
  });

  it('leaves a last row that asks for nothing, and what stands below the table, as they are', () => {
    const more = [...branches, ',,9', ',,', 'Source: the handbook of the bank,,'];
    expect(offered(more)).to.deep.equal([['Rules!A2:A6', ['Branch=above', 'Branch=any']]]);
    expect((rulesOf(convert(more, ['Branch=above'])) as string[][]).slice(5)).to.deep.equal([
      ['', '', '9'],
      ['"Source: the handbook of the bank"', '', ''],
    ]);
  });

  for (const [what, rows] of [
    ['what follows does not repeat', ['Branch,Score,Fee', 'North,> 700,1', ',> 600,2', 'South,> 650,3', ',> 500,4']],
    ['one row is empty, for all others', ['Branch,Type,Fee', 'North,A,1', 'South,A,2', 'East,A,3', ',A,4']],
    ['each row of a block has it', ['Branch,Type,Fee', 'North,A,1', 'North,B,2', 'South,A,3', 'South,B,4', ',A,5']],
    ['there is one value', ['Branch,Type,Fee', 'North,A,1', ',B,2', ',C,3']],
    [
      'the rows have ids, as those that were exported',
      ['_id,Branch,Type,Fee', 'a,N,A,1', 'b,,B,2', 'c,S,A,3', 'd,,B,4'],
    ],
  ] as const)
    it(`is none where ${what}`, () => expect(offered(rows)).to.deep.equal([]));

  for (const [text, message] of [
    ['Branch', '"Branch" says of no column what is empty: write NAME=above, or NAME=any.'],
    ['Town=above', 'Rules has no column "Town".'],
  ] as const)
    it(`refuses ${text}`, () => expect(convert(branches, [text]).refusal).to.deep.equal({ kind: 'broken', message }));
});
