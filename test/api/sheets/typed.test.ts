import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { foreignFile, type ForeignSheet } from '../../support/foreignSheet.js';
import { expressing } from '../../support/models.js';
import { priced, type Imported } from '../../support/pricedTable.js';
import { useScene } from '../../support/scene.js';
import { factsRecorded, typeOf, type File } from '../../support/sheetBatches.js';
import { asCsv, asXlsx } from '../../support/sheets.js';
import { bodyOf } from '../../support/asserts.js';

interface Table {
  readonly inputs: readonly { readonly id: string; readonly field: string }[];
  readonly outputs: readonly { readonly id: string; readonly field: string }[];
  readonly rules: readonly Readonly<Record<string, string>>[];
}
interface Content {
  readonly nodes: readonly { readonly content: Table }[];
}

describe('cells of files mean the same wherever the files go:', () => {
  const app = useApp();
  const scene = useScene(app);
  let batches: string;
  let tests: string;
  before(async () => {
    const { decisionId, environmentId } = await scene.deployed('echo.json', expressing({ x: 'x' }));
    batches = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    tests = await scene.write('tested.json', expressing({ y: '1' }));
  });

  const factsOf = (file: File): Promise<unknown[]> => factsRecorded(scene.caller, batches, file);
  /** The inputs of tests. */
  const inputsOf = async (file: File): Promise<unknown[]> => {
    const format = typeof file === 'string' ? 'csv' : 'xlsx';
    bodyOf(await scene.caller.put(`/logic/decisions/${tests}/tests.${format}`, file, typeOf(file)));
    const { body } = await scene.caller.get(`/logic/decisions/${tests}/versions/0`);
    return (body as { content: { tests: { input: unknown }[] } }).content.tests.map(({ input }) => input);
  };
  const convert = async (file: File): Promise<{ content: Content; faults: Imported['faults'] }> =>
    bodyOf(await scene.caller.post('/logic/conversions/table', file, typeOf(file))) as {
      content: Content;
      faults: Imported['faults'];
    };
  const cellsIn = ({ inputs, outputs, rules }: Table): string[][] =>
    rules.map((rule) => [...inputs, ...outputs].map(({ id }) => rule[id] ?? ''));
  const convertedCells = async (file: File): Promise<string[][]> =>
    cellsIn((await convert(file)).content.nodes[1]!.content);
  let made = 0;
  /** The cells of a table that a file was brought into. */
  const importedCells = async (file: File): Promise<string[][]> => {
    const id = await scene.write(`typed/${++made}.json`, priced([]));
    bodyOf(await scene.caller.put(`/logic/decisions/${id}/tables/fees`, file, typeOf(file)));
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    return cellsIn((body as { content: Content }).content.nodes[1]!.content);
  };
  const run = async (content: unknown, fact: object): Promise<unknown> =>
    ((await scene.caller.post('/logic/evaluations', { content, fact })).body as { result: unknown }).result;

  /** Facts, tests, plain sheets and tables that are there: the same file to each, but for what its columns are called. */
  const expectMeant = async (fileWith: (...head: string[]) => File, rows: readonly unknown[][]): Promise<void> => {
    const named = rows.map(([a, b]) => ({ a, b }));
    const cells = rows.map((row) => row.map((value) => JSON.stringify(value)));
    expect(await factsOf(fileWith('a', 'b'))).to.deep.equal(named);
    expect(await inputsOf(fileWith('input.a', 'input.b'))).to.deep.equal(named);
    expect(await convertedCells(fileWith('a', 'b'))).to.deep.equal(cells);
    expect(await importedCells(fileWith('Age', 'Fee'))).to.deep.equal(cells);
  };
  const csvOf =
    (text: string, separator = ',', line = '') =>
    (...head: string[]): string =>
      `${line}${head.join(separator)}\n${text}\n`;
  const sheetOf =
    (rows: ForeignSheet['rows'], more: object = {}) =>
    (...head: string[]): Uint8Array =>
      foreignFile({ rows: [head, ...rows], ...more });

  const text = (value: string, more: object): object => ({ value, ...more });
  const codes = [
    text('01067', { type: 's', format: '@' }),
    text('1067', { format: '00000' }),
    text('1067', { format: '@' }),
    text('10115', { type: 's', quoted: true }),
    '01067',
  ] as ForeignSheet['rows'][number];
  const [no, yes] = ['0', '1'].map((value) => ({ value, type: 'b' }) as const);
  const meant: Readonly<Record<string, readonly [file: (...head: string[]) => File, rows: readonly unknown[][]]>> = {
    'booleans of a .csv, however programs write them': [
      csvOf('TRUE,FALSE\nTrue,False\ntrue,fAlSe'),
      Array<boolean[]>(3).fill([true, false]),
    ],
    'codes with zeros before them, and whole numbers of their column, which are texts': [
      csvOf('01067,1\n10115,007\n00,2'),
      [
        ['01067', '1'],
        ['10115', '007'],
        ['00', '2'],
      ],
    ],
    'codes that look like numbers with an exponent, which are texts': [csvOf('1e3,1'), [['1e3', 1]]],
    'codes of an .xlsx as its cells show them: by their format, by an apostrophe, by zeros': [
      sheetOf(codes.map((cell) => [cell, { value: '1' }])),
      ['01067', '01067', '1067', '10115', '01067'].map((code) => [code, 1]),
    ],
    'merged cells, which count for each row that they cover': [
      sheetOf([[{ value: '7' }, no], [null], [{ value: '8' }, yes]], { merged: ['A2:A3', 'B2:B3'] }),
      [
        [7, false],
        [7, false],
        [8, true],
      ],
    ],
  };
  for (const [what, [fileWith, rows]] of Object.entries(meant)) it(what, () => expectMeant(fileWith, rows));

  it('a first line that names the separator is no data', async () => {
    for (const line of ['sep=;', '"sep=;"', 'sep=,', 'sep=\t', 'sep=|']) {
      const separator = line.replaceAll('"', '').at(-1)!;
      await expectMeant(csvOf(['TRUE', '01067'].join(separator), separator, `${line}\r\n`), [[true, '01067']]);
    }
  });

  it('numbers as programs write them are numbers of facts', async () => {
    expect(await factsOf('n\n1.00E+03\n2e-05\n')).to.deep.equal([{ n: 1000 }, { n: 0.00002 }]);
  });

  it('codes of a condition are texts one by one, in a model that runs', async () => {
    const file = 'plz,n\n01067,1\n"10115, 01099",2\n> 5,3\n';
    const cells = [
      ['"01067"', '1'],
      ['"10115", "01099"', '2'],
      ['> 5', '3'],
    ];
    expect(await convertedCells(file)).to.deep.equal(cells);
    expect(await run((await convert(file)).content, { plz: '01099' })).to.deep.equal({ n: 2 });
  });

  it('booleans change nothing of a table that a spreadsheet has saved', async () => {
    const rules = [
      { _id: 'a', age: 'true', country: '"TRUE"', fee: '1', text: 'false' },
      { _id: 'b', age: 'false', country: '', fee: '2', text: 'true' },
    ];
    const id = await scene.write('saved.json', priced(rules));
    const { text } = await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.csv`);
    const [head, ...lines] = text.trimEnd().split('\n');
    const saved = [head, ...lines.toReversed()].join('\n').replace(/\b(true|false)\b/g, (word) => word.toUpperCase());
    const { body } = await scene.caller.put(`/logic/decisions/${id}/tables/fees`, saved, asCsv);
    expect((body as Imported).differences.rows.map((row) => (row as { change: string }).change)).to.deep.equal([
      'moved',
    ]);
  });

  it('headings that ZEN cannot name are names of facts: in forms, in analyses, in batches', async () => {
    const csv = 'Größe,Zip Code,2nd,and,Straße\n> 5,a,1,TRUE,10\n<= 5,b,2,FALSE,20\n';
    const { content, faults } = await convert(csv);
    expect(faults).to.deep.equal([]);
    const fact = { Größe: 7, 'Zip Code': 'a', '2nd': 1, and: true };
    expect(await run(content, fact)).to.deep.equal({ Straße: 10 });
    const id = await scene.decision('größe.json', content as never);
    const schema = (await scene.caller.get(`/logic/decisions/${id}/versions/1/schema`)).body as {
      input: { properties: Record<string, { type: string }> };
      output: { properties: object };
    };
    expect(Object.entries(schema.input.properties).map(([name, { type }]) => [name, type])).to.have.deep.members([
      ['Größe', 'number'],
      ['Zip Code', 'string'],
      ['2nd', 'number'],
      ['and', 'boolean'],
    ]);
    expect(schema.output.properties).to.have.all.keys('Straße');
    const { body } = await scene.caller.post('/logic/analyses', { decisionId: id, version: 1 });
    const { tables, reach } = body as {
      tables: { findings: { kind: string; status: string; witness: { fact: unknown } }[] }[];
      reach: { reachable: number; unknown: number };
    };
    expect(reach).to.include({ reachable: 2, unknown: 0 });
    const [gap] = tables[0]!.findings;
    expect(gap).to.include({ kind: 'gap', status: 'proved' });
    expect(Object.keys(gap!.witness.fact as object)).to.include('Größe');
    const environmentId = await scene.environment();
    await scene.deploy(id, environmentId, 1);
    const facts = 'Größe,Zip Code,2nd,and\n7,a,1,TRUE\n3,b,2,false\n';
    const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${id}/batches`, facts, asCsv);
    const [head, ...rows] = answer.text
      .trimEnd()
      .replace('\ufeff', '')
      .split('\n')
      .map((line) => line.split(','));
    expect(head).to.deep.equal(['Größe', 'Zip Code', '2nd', 'and', 'id', 'status', 'result.Straße']);
    expect(rows.map((cells) => cells.slice(5))).to.deep.equal([
      ['COMPLETED', '10'],
      ['COMPLETED', '20'],
    ]);
  });

  it('times that went by are durations, which a table is told of', async () => {
    const file = foreignFile({ rows: [['a'], [{ value: '1.25', format: '[h]:mm' }]] });
    expect(await factsOf(file)).to.deep.equal([{ a: 'PT30H' }]);
    const { faults } = await convert(file);
    expect(faults.map(({ severity, field }) => [severity, field])).to.deep.equal([['warning', 'Sheet1!A2']]);
  });

  it('a formula without a value, or with an error, is an error that stays in the model', async () => {
    const rows = [
      ['Age', 'Fee'],
      [{ formula: 'B2*2' }, { value: '1' }],
      [{ formula: 'A1/0', type: 'e', value: '#DIV/0!' }, { value: '2' }],
      [{ value: '3' }, { formula: '', value: '' }],
    ] as const;
    const { content, faults } = await convert(foreignFile({ rows }));
    expect(faults.filter(({ severity }) => severity === 'error').map(({ field }) => field)).to.deep.equal([
      'Sheet1!A2',
      'Sheet1!A3',
      'Sheet1!B4',
    ]);
    expect(await run(content, { Age: 7 })).to.deep.equal({});
    const id = await scene.write('kept.json', content as never);
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    expect(cellsIn((body as { content: Content }).content.nodes[1]!.content).flat()).to.include.members([
      '=B2*2',
      '=#DIV/0!',
      '=',
    ]);
    expect((await scene.caller.get(`/logic/decisions/${id}`)).body).to.have.property('warnings', 3);
    // Into a table that is there nothing of such a file is taken.
    const put = await scene.caller.put(
      `/logic/decisions/${await scene.write('kept2.json', priced([]))}/tables/fees`,
      foreignFile({ rows }),
      asXlsx,
    );
    expect(put.status).to.equal(422);
  });
});
