import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { useScene } from '../../support/scene.js';
import { asCsv, asXlsx, plainFile } from '../../support/sheets.js';
import { writeXlsx } from '../../../workers/sheets/files/writeXlsx.js';

const path = '/logic/conversions/table';

interface Converted {
  readonly content: { readonly nodes: { readonly content: { readonly rules: Record<string, string>[] } }[] };
  readonly inputs: string[];
  readonly outputs: string[];
  readonly faults: { readonly severity: string; readonly field: string; readonly message: string }[];
}

describe('POST /logic/conversions/table', () => {
  const app = useApp();
  const scene = useScene(app);

  const converted = async (file: string | Uint8Array, headers = asCsv, query = ''): Promise<Converted> =>
    bodyOf(await scene.caller.post(`${path}${query}`, file, headers)) as Converted;
  const run = async (content: unknown, fact: object): Promise<unknown> =>
    ((await scene.caller.post('/logic/evaluations', { content, fact })).body as { result: unknown }).result;

  it('makes a model that runs of a plain sheet: words are texts, the last column is the result', async () => {
    const csv = 'Age,Kind of loan,Fee\n>= 65,Personal,1\n[18..64],self-employed,2.50\n,New York,"""free"""\n';
    const { content, inputs, outputs, faults } = await converted(csv);
    expect({ inputs, outputs, faults }).to.deep.equal({
      inputs: ['Age', 'Kind of loan'],
      outputs: ['Fee'],
      faults: [],
    });
    expect(await run(content, { Age: 70, 'Kind of loan': 'Personal' })).to.deep.equal({ Fee: 1 });
    expect(await run(content, { Age: 30, 'Kind of loan': 'self-employed' })).to.deep.equal({ Fee: 2.5 });
    expect(await run(content, { Age: 3, 'Kind of loan': 'New York' })).to.deep.equal({ Fee: 'free' });
  });

  /** The columns of a file that are its inputs, and those that are its outputs. */
  const parted = async (csv: string, query = ''): Promise<string> => {
    const { inputs, outputs } = await converted(csv, asCsv, query.replaceAll(' ', '%20'));
    return `${inputs.join('|')} => ${outputs.join('|')}`;
  };
  const commas = '"Amount, net",Country,"Fee, in EUR, gross",Note\n1,FI,2,x\n';
  const named = (head: string): string => `${head}\n${head.replaceAll(/[^,]+/g, '1')}\n`;
  for (const [what, csv, query, expected] of [
    [
      'by a name with commas, alone',
      commas,
      '?outputs=Fee, in EUR, gross,Note',
      'Amount, net|Country => Fee, in EUR, gross|Note',
    ],
    [
      'by a name with commas, among others',
      commas,
      '?inputs=Country,Amount, net&outputs=Note,Fee, in EUR, gross',
      'Amount, net|Country => Fee, in EUR, gross|Note',
    ],
    ['that the query names as inputs', named('a,b,c'), '?inputs=a', 'a => b|c'],
    ['that the query names as outputs', named('a,b,c'), '?outputs=a', 'b|c => a'],
    ['that the query names as both', named('a,b,c'), '?inputs=b,c&outputs=a', 'b|c => a'],
    ['that the query names one by one', named('a,b,c'), '?inputs=b&inputs=c&outputs=a', 'b|c => a'],
    [
      'called as results are',
      named('Loan type,Score,Decision,Interest rate'),
      '',
      'Loan type|Score => Decision|Interest rate',
    ],
    ['called as results are, and what follows them', named('Rate,Pirate,Fees,Note'), '', 'Rate|Pirate => Fees|Note'],
    ['called as results are, and leaves an input', named('Price,Fee'), '', 'Price => Fee'],
    ['that is the only one', named('Fee'), '', ' => Fee'],
  ] as const) {
    it(`takes columns ${what}: ${expected}`, async () => expect(await parted(csv, query)).to.equal(expected));
  }
  it('refuses a column by a part of its name', async () =>
    expect((await scene.caller.post(`${path}?inputs=Amount,gross`, commas, asCsv)).status).to.equal(400));

  it('begins where it is told that the names stand, below a title that is told', async () => {
    const csv = 'Fees 2026;;\n;;\nAge;Loan;Fee\n18;5;1\n';
    const { faults } = await converted(csv);
    expect(faults.map(({ severity, field }) => `${severity} ${field}`)).to.deep.equal(['error Rules!3:3']);
    const { inputs, outputs, faults: none } = await converted(csv, asCsv, '?header=3');
    expect({ inputs, outputs, none }).to.deep.equal({ inputs: ['Age', 'Loan'], outputs: ['Fee'], none: [] });
    for (const row of ['0', 'x', '9']) {
      expect((await scene.caller.post(`${path}?header=${row}`, csv, asCsv)).status, row).to.equal(400);
    }
  });

  it('reads the sheet that it is told, and tells of those that it has not read', async () => {
    const sheetOf = (name: string, field: string) =>
      ({
        name,
        holds: 'values',
        columns: [],
        rows: [
          [field, 'Fee'],
          ['1', '2'],
        ],
      }) as const;
    const file = writeXlsx([sheetOf('2025', 'a'), sheetOf('2026', 'b')]);
    const { inputs, faults } = await converted(file, asXlsx);
    expect(inputs).to.deep.equal(['a']);
    expect(faults.map(({ severity, field }) => `${severity} ${field}`)).to.deep.equal(['warning 2026']);
    const chosen = await converted(file, asXlsx, '?sheet=2026');
    expect([chosen.inputs, chosen.faults]).to.deep.equal([['b'], []]);
    expect((await scene.caller.post(`${path}?sheet=2027`, Buffer.from(file), asXlsx)).status).to.equal(400);
  });

  it('takes the columns after an empty one for outputs', async () => {
    const sheet = plainFile([
      ['a', 'b', undefined, 'c', 'd'],
      ['1', '2', undefined, '3', '4'],
    ]);
    const { content, inputs, outputs } = await converted(sheet, asXlsx);
    expect([inputs.join(), outputs.join()]).to.deep.equal(['a,b', 'c,d']);
    expect(await run(content, { a: 1, b: 2 })).to.deep.equal({ c: 3, d: 4 });
  });

  it('refuses names that the sheet does not have', async () => {
    expectProblem(await scene.caller.post(`${path}?inputs=a,z`, 'a,b\n1,2\n', asCsv), 'validation_failed', {
      instance: path,
      errors: [{ in: 'query', pointer: 'inputs', message: 'names a column that the sheet does not have: "z"' }],
    });
  });

  it('makes the same table of a file that was made of one', async () => {
    const csv = 'Age,Fee\n>= 65,1\n';
    const { content } = await converted(csv);
    const id = await scene.write('made.json', content);
    const table = content.nodes[1] as unknown as { id: string; content: unknown };
    const { bytes } = await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/${table.id}.xlsx`);
    const again = await converted(bytes!, asXlsx);
    expect(again.content.nodes[1]!.content).to.deep.equal(table.content);
  });

  it('names the cell of what it cannot understand', async () => {
    const { faults } = await converted('Age,Fee\n>= 65,1 +\n');
    expect(faults.map(({ severity, field }) => ({ severity, field }))).to.deep.equal([
      { severity: 'warning', field: 'Rules!B2, rule 1, output Fee' },
    ]);
  });
});
