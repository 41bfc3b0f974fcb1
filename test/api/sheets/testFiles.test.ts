import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { calling, deciding, doubling } from '../../support/models.js';
import { useScene } from '../../support/scene.js';
import { asCsv, asXlsx, xlsxType } from '../../support/sheets.js';

const tests = [
  { name: 'one', input: { x: 1, who: { name: 'Ann', tags: ['a', 'b'] } }, output: { y: 2 }, note: 'kept' },
  {
    input: { x: 2.5, code: '007', none: null, empty: '', items: [{ n: 1 }, { n: 2 }] },
    output: { y: 5 },
    env: { D: true },
  },
];

describe("a model's tests as spreadsheets", () => {
  const app = useApp();
  const scene = useScene(app);
  let id: string;
  beforeEach(async () => {
    id = await scene.write('shop/double.json', { ...doubling(2), tests });
  });

  const path = (format: string): string => `/logic/decisions/${id}/tests.${format}`;
  const testsOf = async (): Promise<unknown> => {
    const { body } = await scene.caller.get(`/logic/decisions/${id}/versions/0`);
    return (body as { content: { tests: unknown } }).content.tests;
  };

  it('are one row each, with a column for each field', async () => {
    const { status, headers, text } = await scene.caller.get(path('csv'));
    expect(status).to.equal(200);
    expect(headers['content-disposition']).to.equal(
      `attachment; filename="shop-double tests.csv"; filename*=UTF-8''shop-double%20tests.csv`,
    );
    expect(text).to.equal(
      'name,input.x,input.who.name,input.who.tags,input.code,input.none,input.empty,input.items[0].n,input.items[1].n,output.y,env.D\n' +
        'one,1,Ann,"[""a"",""b""]",,,,,,2,\n' +
        ',2.5,,,007,null,"""""",1,2,5,true\n',
    );
  });

  for (const [format, headers] of [
    ['xlsx', asXlsx],
    ['csv', asCsv],
  ] as const) {
    it(`come back by .${format} as they were, byte for byte`, async () => {
      const before = (await scene.caller.get(`/logic/decisions/${id}`)).body as { contentHash: string };
      const file = await scene.caller.get(path(format));
      expect(file.headers['content-type']).to.match(format === 'xlsx' ? new RegExp(xlsxType) : /^text\/csv/);
      const { status, body } = await scene.caller.put(path(format), file.bytes!, headers);
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        decision: (await scene.caller.get(`/logic/decisions/${id}`)).body,
        differences: { from: 0, to: 0, nodes: [], edges: [], rows: [] },
        faults: [],
      });
      expect((body as { decision: unknown }).decision).to.include({ contentHash: before.contentHash });
    });
  }

  it('are replaced by those of a file; what a sheet does not show of a changed one stays', async () => {
    const csv = 'name,input.x,"input.who[""first.name""]",output.y\nnew,3,Bo,6\none,1,,"2"\n';
    const dry = await scene.caller.put(`${path('csv')}?dryRun=true`, csv, asCsv);
    expect(dry.status).to.equal(200);
    expect(await testsOf()).to.deep.equal(tests);
    expect((await scene.caller.put(path('csv'), csv, asCsv)).status).to.equal(200);
    expect(await testsOf()).to.deep.equal(
      [
        { name: 'new', input: { x: 3, who: { 'first.name': 'Bo' } }, output: { y: 6 }, note: 'kept' },
        { name: 'one', input: { x: 1 }, output: { y: 2 }, env: undefined },
      ].map((test) => JSON.parse(JSON.stringify(test)) as unknown),
    );
  });

  it('refuse cells that contradict one another, and columns of another kind, by their places', async () => {
    const csv = 'name,input.x,input.x.y,price\na,1,2,3\n';
    const { status, body } = await scene.caller.put(path('csv'), csv, asCsv);
    expect(status).to.equal(422);
    const { code, faults } = body as { code: string; faults: { field: string; message: string }[] };
    expect(code).to.equal('model_has_faults');
    expect(faults.map(({ field, message }) => ({ field, message }))).to.deep.equal([
      {
        field: 'Tests!D1',
        message:
          'Tests!D1: "price" is no column of tests: that is `name`, or begins with `input`, `output` or `env`, or is called as a field or column of the decision.',
      },
      {
        field: 'Tests!C2',
        message: 'Tests!C2: another cell of this row says something else of input.x.y.',
      },
    ]);
    expect(await testsOf()).to.deep.equal(tests);
  });

  it('have the fields of the decisions that it runs as headings, and their kinds', async () => {
    await scene.write('shop/prices.json', deciding([{ _id: 'a', age: '< 30', size: '> 2', fee: '10' }]));
    const order = await scene.write('shop/order.json', calling('./prices.json'));
    const csv = 'Name;Age;size;Fee\nyoung;5,8;3;10\n';
    const { status, body } = await scene.caller.put(`/logic/decisions/${order}/tests.csv?dryRun=true`, csv, asCsv);
    expect(status).to.equal(200);
    const { content, faults } = body as { content: { tests: unknown }; faults: { field: string; severity: string }[] };
    expect(content.tests).to.deep.equal([{ name: 'young', input: { age: 5.8, size: 3 }, output: { fee: 10 } }]);
    expect(faults.map(({ field, severity }) => [field, severity])).to.deep.equal([['Tests!B2', 'warning']]);
  });
});
