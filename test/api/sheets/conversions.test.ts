import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { useScene } from '../../support/scene.js';
import { asCsv, asXlsx, plainFile } from '../../support/sheets.js';

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

  it('takes a column whose name has commas by that name, alone and among others', async () => {
    const csv = '"Amount, net",Country,"Fee, in EUR, gross",Note\n1,FI,2,x\n';
    for (const [query, wanted] of [
      [
        '?outputs=Fee, in EUR, gross,Note',
        [
          ['Amount, net', 'Country'],
          ['Fee, in EUR, gross', 'Note'],
        ],
      ],
      [
        '?inputs=Country,Amount, net&outputs=Note,Fee, in EUR, gross',
        [
          ['Amount, net', 'Country'],
          ['Fee, in EUR, gross', 'Note'],
        ],
      ],
    ] as const) {
      const { inputs, outputs } = await converted(csv, asCsv, query.replaceAll(' ', '%20'));
      expect([inputs, outputs], query).to.deep.equal(wanted);
    }
    const refused = await scene.caller.post(`${path}?inputs=Amount,gross`, csv, asCsv);
    expect(refused.status).to.equal(400);
  });

  it('takes the columns after an empty one for outputs, and else those that the query names', async () => {
    const sheet = plainFile([
      ['a', 'b', undefined, 'c', 'd'],
      ['1', '2', undefined, '3', '4'],
    ]);
    const guessed = await converted(sheet, asXlsx);
    expect([guessed.inputs, guessed.outputs]).to.deep.equal([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(await run(guessed.content, { a: 1, b: 2 })).to.deep.equal({ c: 3, d: 4 });
    const csv = 'a,b,c\n1,2,3\n';
    for (const [query, expected] of [
      ['?inputs=a', [['a'], ['b', 'c']]],
      ['?outputs=a', [['b', 'c'], ['a']]],
      ['?inputs=b,c&outputs=a', [['b', 'c'], ['a']]],
      ['?inputs=b&inputs=c&outputs=a', [['b', 'c'], ['a']]],
    ] as const) {
      const { inputs, outputs } = await converted(csv, asCsv, query);
      expect([inputs, outputs], query).to.deep.equal(expected);
    }
  });

  it('takes the last columns that are called as results are for outputs, too, and leaves one input at least', async () => {
    for (const [head, expected] of [
      [
        'Loan type,Score,Decision,Interest rate',
        [
          ['Loan type', 'Score'],
          ['Decision', 'Interest rate'],
        ],
      ],
      [
        'Rate,Pirate,Fees,Note',
        [
          ['Rate', 'Pirate'],
          ['Fees', 'Note'],
        ],
      ],
      ['Price,Fee', [['Price'], ['Fee']]],
      ['Fee', [[], ['Fee']]],
    ] as const) {
      const { inputs, outputs } = await converted(`${head}\n${head.replaceAll(/[^,]+/g, '1')}\n`);
      expect([inputs, outputs], head).to.deep.equal(expected);
    }
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
