import { expect } from 'chai';
import { schemasOf } from '../../../workers/engine/index.js';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { importTests } from '../../../workers/sheets/facts/tests.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';

const fields = {
  length: { type: 'number' },
  from: { type: ['string', 'null'], format: 'date' },
  member: { type: 'boolean' },
  at: { type: ['string', 'null'], format: 'time' },
  place: { type: 'string' },
  code: {},
};
const schemas = { input: { properties: fields }, output: { properties: { price: { type: 'number' } } } };
const model = { nodes: [], edges: [] };
const imported = (...lines: string[]): ReturnType<typeof importTests> =>
  importTests(model, readCsv(Buffer.from(`${lines.join('\n')}\n`), 'Tests'), schemas);
const inputsOf = ({ model: after }: ReturnType<typeof importTests>): unknown =>
  (after['tests'] as { input: unknown }[]).map(({ input }) => input);

describe('cells of a file of tests that are written as people write them', () => {
  it('are read where the decision takes another kind and they have one reading, which is told once a column', () => {
    const found = imported(
      ...[
        'name;length;from;member;place;output.price',
        'a;5,8;07.02.2026;yes;yes;84,00',
        'b;12;31.12.2026;no;5,8;10 %',
      ],
      'c;6,5;;Ja;;7',
    );
    expect(found.faults).to.deep.equal([]);
    expect(JSON.parse(JSON.stringify(found.model['tests']))).to.deep.equal([
      { name: 'a', input: { length: 5.8, from: '2026-02-07', member: true, place: 'yes' }, output: { price: 84 } },
      { name: 'b', input: { length: 12, from: '2026-12-31', member: false, place: '5,8' }, output: { price: 0.1 } },
      { name: 'c', input: { length: 6.5, member: true }, output: { price: 7 } },
    ]);
    expect(found.notes.map(({ severity, row, column, message }) => [severity, row, column, message])).to.deep.equal([
      ['warning', 1, 1, '"5,8" is read as 5.8. So is 1 more cell of the column.'],
      ['warning', 1, 2, '"07.02.2026" is read as "2026-02-07". So is 1 more cell of the column.'],
      ['warning', 1, 3, '"yes" is read as true. So are 2 more cells of the column.'],
      ['warning', 1, 5, '"84,00" is read as 84. So is 1 more cell of the column.'],
    ]);
  });

  it('are read by the other days of their column where those tell the order of day and month, and else asked', () => {
    expect(inputsOf(imported('name,from', 'a,07/02/2026', 'b,31/12/2026'))).to.deep.equal([
      { from: '2026-02-07' },
      { from: '2026-12-31' },
    ]);
    expect(inputsOf(imported('name,from', 'a,07/02/2026', 'b,12/31/2026'))).to.deep.equal([
      { from: '2026-07-02' },
      { from: '2026-12-31' },
    ]);
    for (const other of ['08/02/2026', '31/12/2026\nc,12/31/2026'])
      expect(imported('name,from', 'a,07/02/2026', `b,${other}`).faults).to.have.length(1);
  });

  it('are times where the decision takes times', () => {
    const cells = ['5pm', '9 am', '17.00', '1700h', 'noon', '18:30', '17:00:30'];
    const found = imported('name,at', ...cells.map((cell) => `${cell},${cell}`));
    expect(found.faults).to.deep.equal([]);
    const times = ['17:00:00', '09:00:00', '17:00:00', '17:00:00', '12:00:00', '18:30:00', '17:00:30'];
    expect(inputsOf(found)).to.deep.equal(times.map((at) => ({ at })));
    expect(found.notes.map(({ message }) => message)).to.deep.equal([
      '"5pm" is read as "17:00". So are 4 more cells of the column.',
    ]);
  });

  it('are amounts of money also where nothing is known of their field, and texts where one of them is none', () => {
    const outputsOf = (...cells: string[]): unknown =>
      (
        imported('name;output.gross', ...cells.map((cell, at) => `${at};${cell}`)).model['tests'] as {
          output: unknown;
        }[]
      ).map(({ output }) => JSON.parse(JSON.stringify(output)) as unknown);
    expect(outputsOf('450,00 €', '1.184,50 €', '12')).to.deep.equal([{ gross: 450 }, { gross: 1184.5 }, { gross: 12 }]);
    expect(outputsOf('450,00 €', 'on request')).to.deep.equal([{ gross: '450,00 €' }, { gross: 'on request' }]);
  });

  it('are asked where they have two readings, and the others of the column are read', () => {
    const { faults } = imported('name;length', 'a;5,8', 'b;1.500');
    expect(faults).to.deep.equal([
      'Tests!B3: "1.500" may be a thousand, beside decimal commas. Write 1.5 or 1500; a text has quotes in its cell.',
    ]);
    expect(imported('name,length', 'a,12 kg').faults).to.have.length(1);
  });

  it('are read by the other numbers of their column where semicolons stand between the cells and commas before decimals', () => {
    expect(inputsOf(imported('name;length', 'a;6,995', 'b;5,8'))).to.deep.equal([{ length: 6.995 }, { length: 5.8 }]);
    expect(imported('name;length', 'a;6,995', 'b;7').faults).to.have.length(1);
    expect(imported('name;length', 'a;6,995', 'b;1,200,000', 'c;5,8').faults).to.have.length(1);
    expect(imported('name,length', 'a,"6,995"', 'b,"5,8"').faults).to.have.length(1);
  });

  it('are numbers in a file with semicolons and decimal commas, also where nothing is known of the field', () => {
    expect(inputsOf(imported('name;code', 'a;5,8', 'b;7'))).to.deep.equal([{ code: 5.8 }, { code: 7 }]);
    expect(imported('name,code', 'a,"5,8"', 'b,7').faults).to.have.length(1);
    expect(imported('name;code', 'a;5,8', 'b;7.5').faults).to.have.length(1);
  });

  it('stay as they are in quotes, and in tests that come back as they went', () => {
    expect(inputsOf(imported('name;code;length', 'a;"""5,8""";1', 'b;7;2'))).to.deep.equal([
      { code: '5,8', length: 1 },
      { code: 7, length: 2 },
    ]);
    const tests = [{ name: 'a', input: { length: '5,8' }, output: { price: 1 } }];
    const again = importTests(
      { ...model, tests },
      readCsv(Buffer.from('name;input.length;output.price\na;5,8;1\n'), 'Tests'),
      schemas,
    );
    expect([again.model['tests'], again.notes]).to.deep.equal([tests, []]);
  });
});

describe('cells of tests and of a file that is run', () => {
  const tableOf = (column: object, ...cells: string[]): object => ({
    nodes: [
      { id: 'i', type: 'inputNode', name: 'I', content: {} },
      {
        id: 't',
        type: 'decisionTableNode',
        name: 'T',
        content: {
          hitPolicy: 'first',
          inputs: [{ id: 'a', name: 'HS code', field: '$root["HS code"]', ...column }],
          outputs: [{ id: 'z', name: 'Z', field: 'z' }],
          rules: cells.map((cell, at) => ({ _id: `r${at}`, a: cell, z: String(at) })),
        },
      },
      { id: 'o', type: 'outputNode', name: 'O', content: {} },
    ],
    edges: [
      { id: '1', sourceId: 'i', targetId: 't' },
      { id: '2', sourceId: 't', targetId: 'o' },
    ],
  });

  it('are times, and days without one, and else their rows of a file that is run are not', () => {
    const input = { properties: { day: { type: 'string', format: 'date' }, at: { type: 'string', format: 'time' } } };
    const rows = [
      ['day', 'at'],
      ['2027-04-30', '5pm'],
      ['"2027-04-30T00:00:00"', '"09:30"'],
      ['2027-04-30 00:00', 'noon'],
      ['2027-04-30T15:00', '17:00'],
      ['"2027-04-30T15:00:00"', ''],
      ['30.04.2027 15:00', ''],
      ['', '17.5'],
      ['', 'soon'],
    ];
    const { items, faults, refused } = readFacts({ name: 'S', rows, notes: [] }, { input, isMeant: true });
    expect(faults).to.deep.equal([]);
    expect(items.slice(0, 3).map((item) => (JSON.parse(item) as { fact: unknown }).fact)).to.deep.equal(
      ['17:00:00', '09:30:00', '12:00:00'].map((at) => ({ day: '2027-04-30', at })),
    );
    const rest = 'Correct the cell, or leave it empty.';
    expect([...refused.values()]).to.deep.equal([
      `S!A5: "2027-04-30T15:00" has a time of day where the decision takes a day. ${rest}`,
      `S!A6: "2027-04-30T15:00:00" has a time of day where the decision takes a day. ${rest}`,
      `S!A7: "30.04.2027 15:00" has a time of day where the decision takes a day. ${rest}`,
      `S!B8: "17.5" is no time, and the decision takes one. ${rest}`,
      `S!B9: "soon" is a text where the decision takes a time. ${rest}`,
    ]);
  });

  it('are times below a column that compares times, for a person; a system sends the texts that it has', () => {
    const { input } = schemasOf(tableOf({}, 'time($) <= time("17:00")', 'time($) > time("17:00")'));
    const rows = [['HS code'], ['5pm'], ['17:30'], ['soon']];
    const read = (isMeant: boolean) => readFacts({ name: 'S', rows, notes: [] }, { input, isMeant });
    const factsOf = (isMeant: boolean) =>
      read(isMeant).items.map((item) => Object.values((JSON.parse(item) as { fact: object }).fact)[0] as unknown);
    expect(factsOf(true).slice(0, 2)).to.deep.equal(['17:00', '17:30']);
    expect([...read(true).refused.keys()]).to.deep.equal([2]);
    expect(factsOf(false)).to.deep.equal(['5pm', '17:30', 'soon']);
    expect(read(false).refused.size).to.equal(0);
  });

  for (const [what, table] of [
    ['whose conditions are of texts', tableOf({}, 'startsWith($, "9802")', 'startsWith($, "22")')],
    ['of which somebody has said that it has texts', tableOf({ _kind: 'text' }, '', '')],
  ] as const)
    it(`are texts below a column ${what}, whatever digits they have`, () => {
      const { input } = schemasOf(table);
      const lines = (titles: string, values: string) => readCsv(Buffer.from(`${titles}\n${values}\n`), 'Sheet');
      const { items } = readFacts(lines('HS code', '850440'), { input, isMeant: true });
      expect(items).to.deep.equal(['{"fact":{"HS code":"850440"}}']);
      const { model: after, notes } = importTests({ ...table }, lines('name,HS code,Z', 'a,850440,1'));
      expect([after['tests'], notes]).to.deep.equal([
        [{ name: 'a', input: { 'HS code': '850440' }, output: { z: 1 } }],
        [],
      ]);
    });
});
