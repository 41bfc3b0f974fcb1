import { expect } from 'chai';
import { analyse } from '../../../../workers/analysis/index.js';
import type { ReportedFinding } from '../../../../workers/analysis/report.js';
import { dmn } from '../../../support/dmn.js';
import { tableDocument, type TableDocument } from '../../../support/dmnTables.js';

async function findingsOf(table: TableDocument): Promise<readonly ReportedFinding[]> {
  const version = { document: dmn(tableDocument(table)), program: null, linked: '' };
  const { report, unconfirmed } = await analyse({ version, until: performance.now() + 20_000 });
  expect(unconfirmed).to.equal(0);
  return report.tables[0]?.findings ?? [];
}

const kinds = (findings: readonly ReportedFinding[]): string[] =>
  findings.map(({ kind, status, rules }) => [kind, status, ...rules].join(' '));
const number = { name: 'n', type: 'number' };

describe('findings about tables of DMN', () => {
  it('are told in words of FEEL, with dates and durations as FEEL writes them', async () => {
    const inputs = [
      { name: 'd', type: 'date' },
      { name: 'p', type: 'years and months duration' },
    ];
    const [gap] = await findingsOf({
      hitPolicy: 'UNIQUE',
      inputs,
      rows: [
        ['< date("2024-01-01")', '-', '1'],
        ['> date("2024-01-02")', '-', '2'],
        ['[date("2024-01-01")..date("2024-01-02")]', '>= duration("P1Y")', '3'],
      ],
    });
    expect(gap?.message).to.equal(
      'No rule takes d in [date("2024-01-01")..date("2024-01-02")] and p < duration("P1Y")',
    );
    expect(gap?.witness?.fact).to.deep.equal({ d: '2024-01-01', p: 'P11M' });
  });

  it('see that nothing lies between two days that follow one another', async () => {
    const rows = [
      ['<= date("2024-01-01")', '1'],
      ['>= date("2024-01-02")', '2'],
    ];
    expect(await findingsOf({ hitPolicy: 'UNIQUE', inputs: [{ name: 'd', type: 'date' }], rows })).to.deep.equal([]);
  });

  it('read conditions that name their own input', async () => {
    const rows = [
      ['n < 18', '1'],
      ['n > 18 and n <= 65', '2'],
    ];
    const found = await findingsOf({ hitPolicy: 'UNIQUE', inputs: [number], rows });
    expect(found.map(({ status, message }) => [status, message])).to.deep.equal([
      ['proved', 'No rule takes (n = 18 or n > 65)'],
    ]);
    // What names another input compares two, and is not decided by one of them.
    const others = await findingsOf({
      hitPolicy: 'UNIQUE',
      inputs: [number, { name: 'm', type: 'number' }],
      rows: [['m > 18 and n > 1', '-', '1']],
    });
    expect(others.map(({ message }) => message)).to.deep.equal([
      'No rule takes this input; whether there are other such inputs is not known, as `m > 18 and n > 1` does more than compare a field with constants',
    ]);
  });

  it('decide nothing of texts in an order, which has no neighbours', async () => {
    const rows = [
      ['< "m"', '1'],
      ['> "m"', '2'],
    ];
    const found = await findingsOf({ hitPolicy: 'UNIQUE', inputs: [{ name: 't', type: 'string' }], rows });
    expect(found.filter(({ kind, message }) => kind === 'gap' && !message.includes('not decided'))).to.deep.equal([]);
  });

  it('decide nothing of cells that call functions of the value', async () => {
    const rows = [
      ['string length(?) > 3', '1'],
      ['string length(?) <= 3', '2'],
    ];
    const found = await findingsOf({ hitPolicy: 'UNIQUE', inputs: [{ name: 't', type: 'string' }], rows });
    expect(found.every(({ status, message }) => status === 'unknown' || message.includes('not decided'))).to.equal(
      true,
    );
    expect(found).to.have.length.greaterThan(0);
  });

  it('know that three comparisons with another field take every value, and that two do not', async () => {
    const inputs = [number, { name: 'other', type: 'number' }];
    const complete = [
      ['< other', '-', '1'],
      ['other', '-', '2'],
      ['> other', '-', '3'],
    ];
    expect(await findingsOf({ hitPolicy: 'UNIQUE', inputs, rows: complete })).to.deep.equal([]);
    const overlapping = [
      ['<= other', '-', '1'],
      ['>= other', '-', '2'],
    ];
    expect(kinds(await findingsOf({ hitPolicy: 'UNIQUE', inputs, rows: overlapping }))[0]).to.match(/^overlap/);
  });

  it('are none for gaps where the table has default outputs', async () => {
    const document = tableDocument({ hitPolicy: 'UNIQUE', inputs: [number], rows: [['< 1', '1']] }).replace(
      '<output name="Result">',
      '<output name="Result"><defaultOutputEntry><text>0</text></defaultOutputEntry>',
    );
    const version = { document: dmn(document), program: null, linked: '' };
    const { report } = await analyse({ version, until: performance.now() + 20_000 });
    expect(report.tables[0]?.findings).to.deep.equal([]);
  });

  it('compare two versions that differ in rules alone: equal where they take every value alike, else by region', async () => {
    const table = (rows: readonly string[][]) => ({
      document: dmn(tableDocument({ hitPolicy: 'FIRST', inputs: [number], rows })),
      program: null,
      linked: '',
    });
    const changeOf = async (rows: readonly string[][]) => {
      const against = table([
        ['< 5', '1'],
        ['-', '2'],
      ]);
      return (await analyse({ version: table(rows), against, until: performance.now() + 20_000 })).report.change;
    };
    expect(
      await changeOf([
        ['>= 5', '2'],
        ['null', '2'],
        ['-', '1'],
      ]),
    ).to.deep.include({ status: 'equal', regions: [] });
    const change = await changeOf([
      ['< 7', '1'],
      ['-', '2'],
    ]);
    expect(change?.status).to.equal('different');
    expect(change?.regions.map(({ when, before, after }) => [when, before, after])).to.deep.equal([
      ['n in [5..7)', { Result: 2 }, { Result: 1 }],
    ]);
  });
});
