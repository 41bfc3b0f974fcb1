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
    const put = await scene.caller.put(`/logic/decisions/${tests}/tests.${format}`, file, typeOf(file));
    expect(put.status, put.text).to.equal(200);
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
    const { status, text } = await scene.caller.put(`/logic/decisions/${id}/tables/fees`, file, typeOf(file));
    expect(status, text).to.equal(200);
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    return cellsIn((body as { content: Content }).content.nodes[1]!.content);
  };
  const run = async (content: unknown, fact: object): Promise<unknown> =>
    ((await scene.caller.post('/logic/evaluations', { content, fact })).body as { result: unknown }).result;

  describe('booleans of a .csv, however programs write them,', () => {
    const words = ['TRUE', 'True', 'true', 'FALSE', 'False', 'fAlSe'];
    const values = [true, true, true, false, false, false];

    it('are booleans of facts and of tests', async () => {
      expect(await factsOf(`member\n${words.join('\n')}\n`)).to.deep.equal(values.map((member) => ({ member })));
      expect(await inputsOf(`input.member,output.y\n${words.map((word) => `${word},1\n`).join('')}`)).to.deep.equal(
        values.map((member) => ({ member })),
      );
    });

    it('are booleans of tables, those of plain sheets too', async () => {
      const cells = values.map(String);
      const plain = `Member,Ok\n${words.map((word) => `${word},${word}\n`).join('')}`;
      expect(await convertedCells(plain)).to.deep.equal(cells.map((cell) => [cell, cell]));
      const own = `Age,Fee\n${words.map((word) => `${word},${word}\n`).join('')}`;
      expect(await importedCells(own)).to.deep.equal(cells.map((cell) => [cell, cell]));
      const { content } = await convert(plain);
      expect(await run(content, { Member: true })).to.deep.equal({ Ok: true });
      expect(await run(content, { Member: false })).to.deep.equal({ Ok: false });
    });

    it('change nothing of a table that a spreadsheet has saved', async () => {
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
  });

  describe('codes', () => {
    it('with zeros before them are texts, and so are the whole numbers of their column', async () => {
      const csv = 'plz,n\n01067,1\n10115,007\n00,2\n';
      expect(await factsOf(csv)).to.deep.equal([
        { plz: '01067', n: '1' },
        { plz: '10115', n: '007' },
        { plz: '00', n: '2' },
      ]);
      expect(await inputsOf(`input.plz,output.y\n01067,1\n10115,0815\n`)).to.deep.equal([
        { plz: '01067' },
        { plz: '10115' },
      ]);
      expect(await convertedCells('plz,n,x\n01067,1,1.5\n"10115, 01099",007,2\n> 5,2,\n')).to.deep.equal([
        ['"01067"', '"1"', '1.5'],
        ['"10115", "01099"', '"007"', '2'],
        ['> 5', '"2"', ''],
      ]);
      expect(await importedCells('Age,Fee\n01067,1\n10115,0815\n')).to.deep.equal([
        ['"01067"', '"1"'],
        ['"10115"', '"0815"'],
      ]);
      const { content } = await convert('plz,Fee\n01067,1\n10115,2\n');
      expect(await run(content, { plz: '01067' })).to.deep.equal({ Fee: 1 });
      expect(await run(content, { plz: '10115' })).to.deep.equal({ Fee: 2 });
    });

    it('that look like numbers with an exponent are texts; numbers as programs write them are numbers', async () => {
      const csv = 'a,n\n1e3,1.00E+03\n5E10,2e-05\n';
      expect(await factsOf(csv)).to.deep.equal([
        { a: '1e3', n: 1000 },
        { a: '5E10', n: 0.00002 },
      ]);
      expect((await convertedCells(csv)).map(([a]) => a)).to.deep.equal(['"1e3"', '"5E10"']);
      expect((await importedCells('Age,Fee\n1e3,1\n')).flat()).to.deep.equal(['"1e3"', '1']);
    });

    it('of an .xlsx are what its cells show: texts by their format, by an apostrophe, by zeros', async () => {
      const cells = [
        { value: '01067', type: 's', format: '@' },
        { value: '1067', format: '00000' },
        { value: '1067', format: '@' },
        { value: '10115', type: 's', quoted: true },
        '01067',
      ] as const;
      const shown = ['01067', '01067', '1067', '10115', '01067'];
      const rows = cells.map((cell) => [cell, { value: '1' }]);
      expect(await factsOf(foreignFile({ rows: [['plz', 'n'], ...rows] }))).to.deep.equal(
        shown.map((plz) => ({ plz, n: 1 })),
      );
      expect(await inputsOf(foreignFile({ rows: [['input.plz', 'output.y'], ...rows] }))).to.deep.equal(
        shown.map((plz) => ({ plz })),
      );
      const texts = shown.map((plz) => [JSON.stringify(plz), '1']);
      expect(await convertedCells(foreignFile({ rows: [['plz', 'Fee'], ...rows] }))).to.deep.equal(texts);
      expect(await importedCells(foreignFile({ rows: [['Age', 'Fee'], ...rows] }))).to.deep.equal(texts);
    });
  });

  it('a first line that names the separator is no data', async () => {
    for (const [line, separator] of [
      ['sep=;', ';'],
      ['"sep=;"', ';'],
      ['sep=,', ','],
      ['sep=\t', '\t'],
      ['sep=|', '|'],
    ] as const) {
      const csv = (...rows: string[][]): string =>
        [line, ...rows.map((cells) => cells.join(separator)), ''].join('\r\n');
      expect(await factsOf(csv(['member', 'plz'], ['TRUE', '01067'])), line).to.deep.equal([
        { member: true, plz: '01067' },
      ]);
      expect(await inputsOf(csv(['input.a', 'output.y'], ['1', '2'])), line).to.deep.equal([{ a: 1 }]);
      expect(await convertedCells(csv(['a', 'b'], ['1', '2'])), line).to.deep.equal([['1', '2']]);
      expect(await importedCells(csv(['Age', 'Fee'], ['1', '2'])), line).to.deep.equal([['1', '2']]);
    }
  });

  it('merged cells count for each row that they cover, in conditions, results and facts', async () => {
    const no = { value: '0', type: 'b' } as const;
    const file = (head: readonly string[]): ForeignSheet => ({
      rows: [
        head,
        ['Gold', { value: '1' }, no],
        [null, { value: '2' }],
        [null, { value: '3' }],
        ['Silver', { value: '1' }, { value: '1', type: 'b' }],
      ],
      merged: ['A2:A4', 'C2:C4'],
    });
    const rows = [
      ['"Gold"', '1', 'false'],
      ['"Gold"', '2', 'false'],
      ['"Gold"', '3', 'false'],
      ['"Silver"', '1', 'true'],
    ];
    const plain = foreignFile(file(['Segment', 'Amount', 'Ok']));
    expect(await convertedCells(plain)).to.deep.equal(rows);
    expect(await run((await convert(plain)).content, { Segment: 'Silver', Amount: 2 })).to.deep.equal({});
    expect(
      (await importedCells(foreignFile(file(['Country', 'Age', 'Fee'])))).map((cells) => cells.slice(0, 3)),
    ).to.deep.equal(rows.map(([one, two, three]) => [one!.replaceAll('"', ''), two, three]));
    expect(await factsOf(plain)).to.deep.equal(
      rows.map(([segment, amount, ok]) => ({
        Segment: JSON.parse(segment!) as string,
        Amount: Number(amount),
        Ok: ok === 'true',
      })),
    );
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

  it('padding and literal letters of a format make no date, times that went by are durations', async () => {
    const file = foreignFile({
      rows: [
        ['a', 'b', 'c'],
        [
          { value: '1000', format: '#,##0_M_M_M;#,##0_M_M_M;_(@_M_M_M' },
          { value: '1500.5', format: '_-* #,##0.00\\ _m_k_-' },
          { value: '1.25', format: '[h]:mm' },
        ],
      ],
    });
    expect(await factsOf(file)).to.deep.equal([{ a: 1000, b: 1500.5, c: 'PT30H' }]);
    const { content, faults } = await convert(file);
    expect(cellsIn(content.nodes[1]!.content)).to.deep.equal([['1000', '1500.5', '"PT30H"']]);
    expect(faults.map(({ severity, field }) => [severity, field])).to.deep.equal([['warning', 'Sheet1!C2']]);
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
