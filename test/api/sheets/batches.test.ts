import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { expectProblem, uuidV7 } from '../../support/asserts.js';
import { expressing } from '../../support/models.js';
import { useScene } from '../../support/scene.js';
import { factsRecorded } from '../../support/sheetBatches.js';
import { asCsv, asXlsx, cellsOf, plainFile, xlsxType } from '../../support/sheets.js';

const model = expressing({ 'fee.amount': 'customer.age * 2', who: 'items[0].name' });

describe('batches of spreadsheets', () => {
  const app = useApp();
  const scene = useScene(app);
  let path: string;
  before(async () => {
    const { decisionId, environmentId } = await scene.deployed('fees.json', model);
    path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
  });

  const csv =
    'key,reference,customer.age,items[0].name\n' +
    'k1,case-1,20,Ann\n' +
    'k2,not one word,20,Bo\n' +
    'k3,case-3,"""old""",Cy\n';

  it('are answered as the same .csv with id, status and the fields of the results', async () => {
    const { status, headers, text } = await scene.caller.post(path, csv, asCsv);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    const [head, first, second, third, ...rest] = text.split('\n').map((line) => line.split(','));
    expect(head!.join()).to.equal(
      'key,reference,customer.age,items[0].name,id,status,result.fee.amount,result.who,result.error',
    );
    expect(first![4]).to.match(uuidV7);
    expect(first!.toSpliced(4, 1)).to.deep.equal(['k1', 'case-1', '20', 'Ann', 'COMPLETED', '40', 'Ann', '']);
    expect(second!.slice(0, 8)).to.deep.equal(['k2', 'not one word', '20', 'Bo', '', 'FAILED', '', '']);
    expect(second!.slice(8).join()).to.match(/^"reference must match pattern /);
    expect(third!.slice(0, 4)).to.deep.equal(['k3', 'case-3', '"""old"""', 'Cy']);
    expect(third![5]).to.equal('FAILED');
    expect(rest).to.deep.equal([['']]);
    const recorded = await scene.caller.get(`/logic/executions?reference=case-1`);
    expect((recorded.body as { data: { id: string }[] }).data.map(({ id }) => id)).to.deep.equal([first![4]]);
  });

  it('are answered as .xlsx, and run again as they came back', async () => {
    const file = plainFile([
      ['customer.age', 'items[0].name'],
      ['20', 'Ann'],
      ['30.5', '"7"'],
    ]);
    const { status, headers, bytes } = await scene.caller.post(path, file, asXlsx);
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal(xlsxType);
    const { sheet } = cellsOf(bytes!);
    expect(sheet[0]).to.deep.equal([
      'customer.age',
      'items[0].name',
      'id',
      'status',
      'result.fee.amount',
      'result.who',
    ]);
    expect(sheet.slice(1).map((row) => row.toSpliced(2, 1))).to.deep.equal([
      ['20', 'Ann', 'COMPLETED', '40', 'Ann'],
      ['30.5', '"7"', 'COMPLETED', '61', '"7"'],
    ]);
    const again = cellsOf((await scene.caller.post(path, bytes!, asXlsx)).bytes!).sheet;
    expect(again[0]).to.deep.equal(sheet[0]);
    expect(again[1]![2]).to.not.equal(sheet[1]![2]);
  });

  it('run what has no record yet when they are repeated with their key', async () => {
    const headers = { ...asCsv, 'Idempotency-Key': 'once' };
    const first = await scene.caller.post(path, 'key,customer.age\na,1\n', headers);
    const second = await scene.caller.post(path, 'key,customer.age\na,1\nb,2\n', headers);
    const [, again, added] = second.text.split('\n');
    expect(again!.split(',').slice(0, 4)).to.deep.equal(first.text.split('\n')[1]!.split(',').slice(0, 4));
    expect(added).to.match(/^b,2,[0-9a-f-]{36},COMPLETED,4$|^b,2,[0-9a-f-]{36},COMPLETED,4,/);
  });

  it('have fields of facts that answers have, too: as sent, and as answered and sent again', async () => {
    const sent = 'id,status,customer.age,result.kept\nCUST-7,gold,1,yes\nCUST-8,,2,no\n';
    const facts = [
      { id: 'CUST-7', status: 'gold', customer: { age: 1 }, result: { kept: 'yes' } },
      { id: 'CUST-8', customer: { age: 2 }, result: { kept: 'no' } },
    ];
    expect(await factsRecorded(scene.caller, path, sent)).to.deep.equal(facts);
    const answered = (await scene.caller.post(path, sent, asCsv)).text;
    expect(answered.split('\n')[0]).to.match(/^id,status,customer\.age,result\.kept,id,status,result\.fee\.amount/);
    const again = (await scene.caller.post(path, answered, asCsv)).text;
    const withoutIds = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '');
    expect(withoutIds(again)).to.equal(withoutIds(answered));
  });

  it('refuse a cell below no name: it would be lost, and with it what stands before a separator', async () => {
    const message = 'Facts!C3: this column has no name in row 1.';
    expectProblem(await scene.caller.post(path, 'customer.age,price\n1,2\n1,1,234.50\n', asCsv), 'validation_failed', {
      instance: path,
      errors: [{ in: 'body', pointer: 'Facts!C3', message }],
    });
  });

  it('refuse texts in a column of nothing else, where the deployed decision takes numbers that they may be', async () => {
    const message =
      'A2: "1,5" is a text where the decision takes a number. Write 1.5; a text has quotes in its cell. So is 1 more cell of the column.';
    const files = [
      ['Facts', 'customer.age;name\n1,5;1,5\n2,5;x\n', asCsv],
      ['Sheet1', plainFile([['customer.age'], ['1,5'], ['2,5']]), asXlsx],
    ] as const;
    for (const [sheet, file, type] of files)
      expectProblem(await scene.caller.post(path, file, type), 'validation_failed', {
        instance: path,
        errors: [{ in: 'body', pointer: `${sheet}!A2`, message: `${sheet}!${message}` }],
      });
    expect((await scene.caller.post(path, 'customer.age\n"""1,5"""\n', asCsv)).status).to.equal(200);
  });

  it('are refused where a field of the decision has no column and somebody has not said that it needs none', async () => {
    const facts = 'Customer.Age,items\n20,[]\n';
    const known = await scene.caller.post(`${path}?meant=true`, facts, asCsv);
    expect([known.headers['x-row-count'], known.headers['x-nothing-count']]).to.deep.equal(['1', '0']);
    expect(known.text).to.match(/,COMPLETED,40/);
    const file = 'customer.age,item\n20,[]\n';
    expectProblem(await scene.caller.post(`${path}?meant=true`, file, asCsv), 'validation_failed', {
      instance: path,
      errors: [
        'Facts!B1: "item" is no field that the decision takes. Is "items" meant?',
        'No column is the field "items", which the decision takes.',
      ].map((message) => ({ in: 'query', pointer: '/others', message })),
    });
    const taken = await scene.caller.post(`${path}?meant=true&others=taken`, file, asCsv);
    expect(taken.text).to.match(/^20,\[\],[0-9a-f-]{36},COMPLETED,40/m);
  });

  it('are read as they are meant where somebody asks for that, and refused where cells have two meanings', async () => {
    const facts = 'reference;customer.age;name\nK-1;1,5;1,5\nK-2;20 %;x\n';
    const meant = `${path}?meant=true&others=taken`;
    const { text, status } = await scene.caller.post(meant, facts, asCsv);
    expect(status, text).to.equal(200);
    expect(
      text.split('\n').map((line) => line.replaceAll('"""', '"').split(';').toSpliced(3, 1).slice(0, 5)),
    ).to.deep.include.members([
      ['K-1', '"1,5"', '"1,5"', 'COMPLETED', '3'],
      // As its own numbers have them.
      ['K-2', '20 %', 'x', 'COMPLETED', '"0,4"'],
    ]);
    expectProblem(await scene.caller.post(meant, 'customer.age\n"1,500"\n', asCsv), 'validation_failed', {
      instance: path,
      errors: [
        {
          in: 'body',
          pointer: 'Facts!A2',
          message:
            'Facts!A2: "1,500" is a text where the decision takes a number. Write 1500 or 1.5; a text has quotes in its cell.',
        },
      ],
    });
  });

  it('refuse sheets without facts, and columns that are no paths', async () => {
    expectProblem(await scene.caller.post(path, 'a\n', asCsv), 'validation_failed', {
      instance: path,
      errors: [
        {
          in: 'body',
          pointer: '',
          message: 'the sheet has no facts: the first row has their names, and each row after it is one',
        },
      ],
    });
    const wrong = 'a[x,[0].b,items[1000].c,d,d.e\n1,2,3,4,5\n';
    expectProblem(await scene.caller.post(path, wrong, asCsv), 'validation_failed', {
      instance: path,
      errors: [
        ['Facts!A1', '"a[x" is no path such as customer.age or items[0].price.'],
        ['Facts!B1', '"[0].b" is no path such as customer.age or items[0].price.'],
        ['Facts!C1', '"items[1000].c" names [1000]; lists of a sheet have places [0] to [999].'],
        ['Facts!E2', 'another cell of this row says something else of d.e.'],
      ].map(([pointer, message]) => ({ in: 'body' as const, pointer: pointer!, message: `${pointer}: ${message}` })),
    });
  });
});
