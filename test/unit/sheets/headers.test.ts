import { expect } from 'chai';
import { readFacts } from '../../../workers/sheets/facts/batch.js';
import { readCsv } from '../../../workers/sheets/files/csv.js';
import { convertedSheet } from '../../support/sheets.js';
import { Oracle } from '../../differential/oracle.js';
import { answerOfOurs } from '../../differential/ours.js';

interface Model {
  readonly nodes: readonly {
    readonly content: { readonly inputs: { readonly field: string }[]; readonly outputs: { readonly field: string }[] };
  }[];
}

const converted = (csv: string): { model: Model; faults: readonly string[] } => {
  const { content, diagnostics } = convertedSheet(csv);
  return { model: content as Model, faults: diagnostics.map(({ message }) => message) };
};
const quoted = (title: string): string => `"${title.replaceAll('"', '""')}"`;

describe('a column has a field that both engines read, by the name that facts have:', () => {
  const oracle = new Oracle();
  after(() => oracle.close());

  for (const title of [
    ...['age', 'Größe', 'Straße', 'Größe (m²)', '年龄', 'Şehir', 'Zip Code', '2nd', '24', 'first-name'],
    ...[
      'Loan amount (€)',
      'Approx. size',
      'Margin p.a.',
      'Art.-Nr.',
      'a/b',
      "Owner's age",
      'the "real" age',
      'and',
      'or',
      'not',
      'in',
    ],
    ...['true', 'false', 'null', 'date', 'd', 'len', 'sum', 'count', 'map', 'as', 'duration'],
  ]) {
    it(title, async () => {
      const { model, faults } = converted(`${quoted(title)},${quoted(`${title} out`)}\n> 5,10\n,20\n`);
      const told = `Rules!B1: \`${title} out\` is given as \`${title} out\``.replace(/`[^`]*`$/, (name) =>
        name.replaceAll('.', ''),
      );
      expect(faults).to.deep.equal(
        title.includes('.') ? [`${told}: a dot in the name of a result would begin an object.`] : [],
      );
      const result = (value: number): object => ({ [`${title} out`.replaceAll('.', '')]: value });
      for (const [amount, fee] of [
        [7, 10],
        [3, 20],
      ] as const) {
        const subject = { kind: 'graph', model, fact: { [title]: amount }, others: {} } as const;
        expect(answerOfOurs(subject), 'ours').to.deep.equal({ value: result(fee) });
        expect(await oracle.ask(subject), 'the reference').to.deep.equal({ value: result(fee) });
      }
    });
  }

  it('a title above the names is told once, and not of each column that it leaves without a name', () => {
    const { faults } = converted('Tariff 2026,,\n,,\nage,zip,fee\n1,2,3\n');
    expect(faults.filter((message) => /name/.test(message))).to.deep.equal([
      'Rules!3:3: row 1 is a title: row 3 names the columns. Begin there.',
    ]);
    expect(converted('age,fee,\n1,2,3\n').faults).to.deep.equal(['Rules!C2: this column has no name in row 1.']);
  });

  it('a title that is a day, or digits in a cell of texts, has the name that it shows', () => {
    const { model } = converted('"""2026-01-31""","""2024""",fee\n1,2,3\n');
    const fields = model.nodes[1]!.content.inputs.map(({ field }) => field);
    expect(fields).to.deep.equal(['$root["2026-01-31"]', '$root["2024"]']);
  });

  for (const [title, field, fact] of [
    ['items[0].c', 'items[0].c', { items: [{ c: 7 }] }],
    ['a[0]', 'a[0]', { a: [7] }],
    ['rows[1][0]', 'rows[1][0]', { rows: [null, [7]] }],
    ['items[0].größe', 'items[0]["größe"]', { items: [{ größe: 7 }] }],
    ['Größen[0]', '$root["Größen"][0]', { Größen: [7] }],
  ] as const)
    it(`a place in a list is read there: ${title}`, async () => {
      const { model, faults } = converted(`${title},Out\n> 5,10\n,20\n`);
      expect(faults).to.deep.equal([]);
      expect(model.nodes[1]!.content.inputs[0]!.field).to.equal(field);
      const { items } = readFacts(readCsv(Buffer.from(`${title}\n7\n`), 'Facts'));
      expect(items.map((item) => JSON.parse(item) as unknown)).to.deep.equal([{ fact }]);
      const subject = { kind: 'graph', model, fact, others: {} } as const;
      expect(answerOfOurs(subject), 'ours').to.deep.equal({ value: { Out: 10 } });
      expect(await oracle.ask(subject), 'the reference').to.deep.equal({ value: { Out: 10 } });
    });

  it('a title under which no fact has a field is told', () => {
    const told = (title: string, why: string): string =>
      `Rules!A1: \`${title}\` is no field of a fact: ${why}. Give the column another name.`;
    for (const title of ['key', 'reference'])
      expect(converted(`${title},Out\n> 5,10\n`).faults).to.deep.equal([
        told(title, 'in a file of facts this column is the item’s own'),
      ]);
    for (const title of ['$', '$nodes'])
      expect(converted(`${title},Out\n> 5,10\n`).faults).to.deep.equal([
        told(title, 'the engine has a value of its own under that name'),
      ]);
    expect(converted('Keys,key\n> 5,10\n').faults).to.deep.equal([]);
  });

  it('a path stays a path', () => {
    const { model } = converted('customer.age,customer.größe,result.fee\n1,2,3\n');
    const { inputs, outputs } = model.nodes[1]!.content;
    expect([...inputs, ...outputs].map(({ field }) => field)).to.deep.equal([
      'customer.age',
      'customer["größe"]',
      'result.fee',
    ]);
    const fact = { customer: { age: 1, größe: 2 } };
    expect(answerOfOurs({ kind: 'graph', model, fact, others: {} })).to.deep.equal({ value: { result: { fee: 3 } } });
  });
});
