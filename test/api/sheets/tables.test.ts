import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { bodyOf, expectProblem } from '../../support/asserts.js';
import { definitions, dmn } from '../../support/dmn.js';
import { expressing, type Model } from '../../support/models.js';
import { priced, rules, type Imported } from '../../support/pricedTable.js';
import { useScene } from '../../support/scene.js';
import { asCsv, asXlsx, cellsOf, fileOf, plainFile, xlsxType } from '../../support/sheets.js';

const head = ['_id', 'Age', 'Country', 'Fee', 'text', '_description'];

describe('decision tables as spreadsheets', () => {
  const app = useApp();
  const scene = useScene(app);
  let made = 0;

  const write = (model: Model = priced()): Promise<string> => scene.write(`tables/${++made}.json`, model);
  const pathOf = (id: string): string => `/logic/decisions/${id}/tables/fees`;
  const exported = async (id: string, format = 'xlsx'): Promise<Buffer> =>
    (await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.${format}`)).bytes!;
  const rulesOf = async (id: string): Promise<unknown> => {
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    return (body as { content: { nodes: { content: { rules: unknown } }[] } }).content.nodes[1]!.content.rules;
  };
  const hashOf = async (id: string): Promise<string> =>
    ((await scene.caller.get(`/logic/decisions/${id}`)).body as { contentHash: string }).contentHash;
  const imported = async (id: string, file: Uint8Array | string, headers = asXlsx): Promise<Imported> =>
    bodyOf(await scene.caller.put(pathOf(id), file, headers)) as Imported;

  describe('GET …/tables/{nodeId}.xlsx and .csv', () => {
    it('give the table as a file with a name, its rows by hidden ids', async () => {
      const id = await write();
      const { status, headers, bytes } = await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.xlsx`);
      expect(status).to.equal(200);
      expect(headers).to.include({
        'content-type': xlsxType,
        'content-disposition': `attachment; filename="tables-${made} Fees - more.xlsx"; filename*=UTF-8''tables-${made}%20Fees%20-%20more.xlsx`,
        etag: '"1"',
      });
      expect(cellsOf(bytes!).sheet).to.deep.equal([
        head,
        ['young', '< 18', undefined, '0', '"free"'],
        ['german', '[18..65]', '"DE"', '10.50', '"=SUM(A1)"', 'most of them'],
        ['rest', undefined, undefined, '12345678901234567890.5', 'null'],
      ]);
    });

    it('give the file of a document of DMN a name without its ending, and whole where it is no ASCII', async () => {
      const xml = definitions(
        `<decision id="d" name="Gebühren"><variable name="Gebühren"/><decisionTable><input><inputExpression><text>1</text></inputExpression></input>
          <output/><rule><inputEntry><text>-</text></inputEntry><outputEntry><text>1</text></outputEntry></rule></decisionTable></decision>`,
      );
      const id = await scene.write('Kreditprüfung.dmn', dmn(xml));
      const { headers } = await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/d.xlsx`);
      const [, name = ''] = /filename\*=UTF-8''(.*)$/.exec(headers['content-disposition'] ?? '') ?? [];
      expect(decodeURIComponent(name)).to.match(/^Kreditprüfung Gebühren\.xlsx$/);
    });

    it('give a .csv what a sheet shows, with a guard before what programs would compute', async () => {
      const id = await write(priced([{ _id: 'a', age: '== 1', country: '-', fee: '-5', text: "'=1'" }]));
      const { status, headers, text } = await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.csv`);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
      expect(text).to.equal("Age,Country,Fee,text,_description\n'== 1,'-,-5,''=1',\n");
      expect((await imported(id, text, asCsv)).differences).to.deep.include({ nodes: [], rows: [] });
    });

    it('answer 404 for a node that is not there or is no table', async () => {
      const id = await write();
      for (const [place, code] of [
        [`${id}/versions/0/tables/in.xlsx`, 'node_not_found'],
        [`${id}/versions/0/tables/nothing.csv`, 'node_not_found'],
      ] as const) {
        const path = `/logic/decisions/${place}`;
        expectProblem(await scene.caller.get(path), code, { instance: path });
      }
    });
  });

  describe('PUT …/tables/{nodeId}', () => {
    for (const [format, headers] of [
      ['xlsx', asXlsx],
      ['csv', asCsv],
    ] as const) {
      it(`leaves the model as it is, byte for byte, when its own .${format} comes back`, async () => {
        const id = await write();
        const before = await hashOf(id);
        const { decision, differences, faults } = await imported(id, await exported(id, format), headers);
        expect(differences).to.deep.equal({ from: 0, to: 0, nodes: [], edges: [], rows: [] });
        expect(faults).to.deep.equal([]);
        expect(decision.contentHash).to.equal(before);
      });
    }

    it('keeps the ids of rows that were sorted, cut and pasted, and gives new rows new ones', async () => {
      const id = await write();
      const { sheet, hidden } = cellsOf(await exported(id));
      const [, young, german, rest] = sheet;
      const copy = [...german!.slice(0, 2), '"AT"', '11', '"copied"'];
      const added = [undefined, '> 90', undefined, '1', '"old"'];
      await imported(id, fileOf({ sheet: [head, rest!, copy, german!, added, young!], hidden }));
      const now = (await rulesOf(id)) as { _id: string; text: string }[];
      expect(now.map(({ text }) => text)).to.deep.equal(['null', '"copied"', '"=SUM(A1)"', '"old"', '"free"']);
      expect([now[0], now[2], now[4]]).to.deep.equal([rules[2], rules[1], rules[0]]);
      for (const index of [1, 3]) expect(now[index]!._id).to.match(/^[0-9a-f-]{36}$/);
      expect(new Set(now.map(({ _id }) => _id)).size).to.equal(5);
    });

    it('tells the differences and stores nothing with dryRun', async () => {
      const id = await write();
      const { sheet, hidden } = cellsOf(await exported(id));
      sheet[2]![3] = '9';
      const file = fileOf({ sheet, hidden });
      const { body, headers } = await scene.caller.put(`${pathOf(id)}?dryRun=true`, file, asXlsx);
      const rows = [
        {
          nodeId: 'fees',
          ruleId: 'german',
          change: 'changed',
          position: { from: 1, to: 1 },
          cells: [{ column: 'fee', before: '10.50', after: '9' }],
        },
      ];
      const { decision, differences, faults } = body as Imported;
      expect(headers['etag']).to.equal('"1"');
      expect({ differences, faults }).to.deep.equal({
        differences: { from: 0, to: 0, nodes: [], edges: [], rows },
        faults: [],
      });
      expect(decision.contentHash).to.equal(await hashOf(id));
      expect(await rulesOf(id)).to.deep.equal(rules);
      const { content } = body as { content: { nodes: { content: { rules: unknown } }[] } };
      expect(content.nodes[1]!.content.rules).to.deep.equal([rules[0], { ...rules[1], fee: '9' }, rules[2]]);
      expect((await imported(id, file)).differences.rows).to.deep.equal(rows);
      expect(await rulesOf(id)).to.deep.equal([rules[0], { ...rules[1], fee: '9' }, rules[2]]);
    });

    it('honours If-Match, also with the tag of the file', async () => {
      const id = await write();
      const { bytes, headers } = await scene.caller.get(`/logic/decisions/${id}/versions/0/tables/fees.xlsx`);
      const stale = await scene.caller.put(pathOf(id), bytes, { ...asXlsx, 'If-Match': '"7"' });
      expectProblem(stale, 'precondition_failed', { instance: pathOf(id) });
      const current = await scene.caller.put(pathOf(id), bytes, { ...asXlsx, 'If-Match': headers['etag']! });
      expect(current.status).to.equal(200);
    });

    it('brings another table all that its file holds: columns, fields, hit policy, ids', async () => {
      const id = await write();
      const empty = { hitPolicy: 'collect', inputs: [], outputs: [], rules: [] };
      const model = priced();
      (model['nodes'] as { content?: unknown }[])[1]!.content = empty;
      const other = await write(model);
      await imported(other, await exported(id));
      const { body } = await scene.caller.get(`/logic/decisions/${other}/versions/0`);
      const content = (body as { content: { nodes: { content: unknown }[] } }).content.nodes[1]!.content;
      expect(content).to.deep.equal((priced()['nodes'] as { content: unknown }[])[1]!.content);
    });

    it('takes a new column by its name, a renamed one by its place, and leaves a missing one out', async () => {
      const id = await write();
      const { sheet, hidden } = cellsOf(await exported(id));
      const changed = sheet.map(([key, age, , fee, text, description], row) => [
        key,
        row === 0 ? 'Years' : age,
        fee,
        row === 0 ? 'Paid at' : row === 1 ? '"2026-01-31"' : undefined,
        text,
        description,
      ]);
      await imported(id, fileOf({ sheet: changed, hidden }));
      const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
      const {
        inputs,
        outputs,
        rules: now,
      } = (body as { content: { nodes: { content: Record<string, Record<string, string>[]> }[] } }).content.nodes[1]!
        .content;
      const [fee, paid, text] = outputs!;
      expect(inputs).to.deep.equal([{ id: 'age', name: 'Years', field: 'customer.age' }]);
      expect(fee).to.deep.equal({ id: 'fee', name: 'Fee', field: 'fee' });
      expect(paid).to.deep.equal({ id: paid!['id'], name: 'Paid at', field: 'Paid at' });
      expect(text).to.deep.equal({ id: 'text', name: '', field: 'text' });
      expect(now!.map((rule) => rule[paid!['id']!])).to.deep.equal(['"2026-01-31"', undefined, undefined]);
      expect(now!.every((rule) => !('country' in rule))).to.equal(true);
    });

    it('matches the rows of a .csv by what they hold, then by their conditions, then by place', async () => {
      const id = await write();
      const csv =
        'Age,Country,Fee,text,_description\n> 99,,3,"""old""",\n< 18,,0,"""free""",\n[18..65],"""FR""",10.50,"""=SUM(A1)""",most of them\n,,12345678901234567890.5,null,\n';
      await imported(id, csv, asCsv);
      const now = (await rulesOf(id)) as { _id: string }[];
      expect(now.slice(1)).to.deep.equal([rules[0], { ...rules[1], country: '"FR"' }, rules[2]]);
      expect(now).to.have.length(4);
    });

    it('takes a plain sheet by its names', async () => {
      const id = await write();
      const file = plainFile([
        ['customer.country', 'Age', 'Fee', 'text'],
        ['"DE"', '[18..65]', '10.50', '"x"'],
      ]);
      await imported(id, file);
      expect(await rulesOf(id)).to.deep.equal([
        { ...rules[1], country: '"DE"', age: '[18..65]', fee: '10.50', text: '"x"' },
      ]);
    });

    it('refuses what is no spreadsheet, other media types and lost nodes', async () => {
      const id = await write();
      const put = (body: string | Uint8Array, headers: Record<string, string>, path = pathOf(id)) =>
        scene.caller.put(path, body, headers);
      expectProblem(await put('nothing', asXlsx), 'validation_failed', {
        instance: pathOf(id),
        errors: [{ in: 'body', pointer: '', message: 'The file is no .xlsx, or it is damaged.' }],
      });
      expectProblem(await put('{}', { 'Content-Type': 'application/json' }), 'unsupported_media_type', {
        instance: pathOf(id),
        detail: `The body must be a file of type \`${xlsxType}\` or \`text/csv\`.`,
      });
      const lost = `/logic/decisions/${id}/tables/in`;
      expectProblem(await put('Age\n1\n', asCsv, lost), 'node_not_found', { instance: lost });
      const plain = await scene.write('tables/plain.json', expressing({ y: '1' }));
      const calc = `/logic/decisions/${plain}/tables/calc`;
      expectProblem(await put('Age\n1\n', asCsv, calc), 'node_not_found', { instance: calc });
    });
  });
});
