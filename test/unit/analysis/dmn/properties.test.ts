import { expect } from 'chai';
import fc from 'fast-check';
import { analyse, compileProperties } from '../../../../workers/analysis/index.js';
import type { Property, ReportedProperty } from '../../../../workers/analysis/report.js';
import { compileDmn, type Value } from '../../../../workers/engine/index.js';
import { definitions, dmn } from '../../../support/dmn.js';
import { tableDocument } from '../../../support/dmnTables.js';
import { cases } from '../../../support/environment.js';

// A chain: two tables over input data, a third over both of them, and a text of that.

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (source: string): string => `<text>${escaped(source)}</text>`;

interface Table {
  readonly name: string;
  readonly hitPolicy: string;
  /** Names of input data and decisions, with what is written in the column's head. */
  readonly reads: readonly { readonly id: string; readonly source: string }[];
  readonly rows: readonly (readonly string[])[];
}

const decisions = new Set(['First', 'Second', 'Last']);
const required = (id: string): string =>
  `<informationRequirement><required${decisions.has(id) ? 'Decision' : 'Input'} href="#${id}"/></informationRequirement>`;

function tableOf({ name, hitPolicy, reads, rows }: Table): string {
  const columns = reads.map(({ source }) => `<input><inputExpression>${text(source)}</inputExpression></input>`);
  const rules = rows.map((cells, row) => {
    const entries = cells.map((cell, at) =>
      at < reads.length ? `<inputEntry>${text(cell)}</inputEntry>` : `<outputEntry>${text(cell)}</outputEntry>`,
    );
    return `<rule id="${name}${row}">${entries.join('')}</rule>`;
  });
  return `<decision id="${name}" name="${name}"><variable name="${name}"/>${reads.map(({ id }) => required(id)).join('')}<decisionTable hitPolicy="${hitPolicy}">${columns.join('')}<output name="${name}"><outputValues>${text('2, 1, 3')}</outputValues></output>${rules.join('')}</decisionTable></decision>`;
}

const data = `<itemDefinition name="tKind"><typeRef>string</typeRef><allowedValues>${text('"a", "b"')}</allowedValues></itemDefinition>
<itemDefinition name="tPerson"><itemComponent name="age"><typeRef>number</typeRef></itemComponent><itemComponent name="mail"><typeRef>string</typeRef></itemComponent></itemDefinition>
<inputData id="n" name="n"><variable name="n" typeRef="number"/></inputData>
<inputData id="k" name="k"><variable name="k" typeRef="tKind"/></inputData>
<inputData id="d" name="d"><variable name="d" typeRef="date"/></inputData>
<inputData id="p" name="p"><variable name="p" typeRef="tPerson"/></inputData>`;

/** What no result below depends on: it asks for the time, and computes what it gives of input data. */
const beside = `<decision id="beside" name="Beside"><variable name="Beside"/>${required('n')}${required('d')}<literalExpression>${text('if d > today() then n + 1 else n * 2')}</literalExpression></decision>`;

const documentOf = (first: Table, second: Table, last: Table, letter = '"It is " + string(Last)'): string =>
  definitions(
    `${data}${tableOf(first)}${tableOf(second)}${tableOf(last)}<decision id="letter" name="Letter"><variable name="Letter"/>${required('Last')}<literalExpression>${text(letter)}</literalExpression></decision><decision id="result" name="Result"><variable name="Result"/>${required('Last')}<literalExpression>${text('Last * 2')}</literalExpression></decision>${beside}`,
  );

const bound = fc.integer({ min: 0, max: 3 });
const numberCell = fc.oneof(
  fc.constantFrom('-', '-', 'null', 'not(1, 2)', '[1..2)', '? > 1 and ? < 3'),
  fc.tuple(fc.constantFrom('<', '<=', '>', '>='), bound).map(([operator, value]) => `${operator} ${value}`),
);
const kindCell = fc.constantFrom('-', '"a"', '"b"', 'not("a")', '"c"', 'null');
const dayCell = fc.constantFrom('-', '< date("2024-01-02")', '@"2024-01-02"', '>= date("2024-01-01")');
const output = fc.constantFrom('1', '2', '3');
const hitPolicy = fc.constantFrom('UNIQUE', 'FIRST', 'ANY', 'PRIORITY');
const rowsOf = (...cells: fc.Arbitrary<string>[]) =>
  fc.array(fc.tuple(...cells, output), { minLength: 1, maxLength: 4 });
const firstRows = rowsOf(numberCell, kindCell);
const secondRows = rowsOf(numberCell, dayCell);
const lastRows = rowsOf(numberCell, numberCell);
const documents = fc
  .tuple(fc.tuple(hitPolicy, firstRows), fc.tuple(hitPolicy, secondRows), fc.tuple(hitPolicy, lastRows))
  .map(([[one, rows], [two, others], [three, ends]]) =>
    documentOf(
      {
        name: 'First',
        hitPolicy: one,
        reads: [
          { id: 'n', source: 'n' },
          { id: 'k', source: 'k' },
        ],
        rows,
      },
      {
        name: 'Second',
        hitPolicy: two,
        reads: [
          { id: 'p', source: 'p.age' },
          { id: 'd', source: 'd' },
        ],
        rows: others,
      },
      {
        name: 'Last',
        hitPolicy: three,
        reads: [
          { id: 'First', source: 'First' },
          { id: 'Second', source: 'Second' },
        ],
        rows: ends,
      },
    ),
  );

const factParts = fc.constantFrom(
  ...['fact.n > 1', 'fact.n == 2', 'fact.n == null', 'fact.p.age >= 2', 'fact.p.age == null', "fact.k == 'a'"],
  ...["fact.k in ['c', 'b']", "fact.p.mail == 'x'", 'fact.other == 1', 'fact.n in [0..1]', 'true'],
);
const resultParts = fc.constantFrom(
  ...['result.Result == 2', 'result.Result == null', 'result.Result > 4', "result.Letter == 'It is 1'"],
);
const sources = fc
  .tuple(factParts, factParts, resultParts, fc.constantFrom(' and ', ' or '))
  .map(([one, two, three, join]) => `${one} and ${two}${join}${three}`);

const kinds = fc.oneof(
  bound,
  bound.map((value) => value + 0.5),
  fc.constantFrom<Value[]>(null, 'a', 'b', 'c', '2024-01-02', true, -1, 99, [], [1], ['a'], [0.5], {}, [[1]]),
);
const facts = fc.record(
  {
    n: fc.oneof(bound, kinds),
    k: fc.oneof(fc.constantFrom('a', 'b', 'c'), kinds),
    d: fc.oneof(fc.constantFrom('2024-01-01', '2024-01-02', '2024-01-03', ['2024-01-01']), kinds),
    p: fc.oneof(
      fc.record({ age: fc.oneof(bound, kinds), mail: fc.oneof(fc.constant('x'), kinds) }, { requiredKeys: [] }),
      bound.map((age) => [{ age }]),
      kinds,
    ),
    other: kinds,
  },
  { requiredKeys: [] },
);

async function reported(xml: string, properties: readonly Property[]): Promise<readonly ReportedProperty[]> {
  const { checked, faults } = compileProperties(properties);
  expect(faults).to.deep.equal([]);
  const { program } = compileDmn(xml);
  const version = { document: dmn(xml), program, linked: '' };
  const { report, unconfirmed } = await analyse({ version, properties: checked, isSearched: false, until: Infinity });
  expect(unconfirmed).to.equal(0);
  return report.properties;
}

describe('properties of DMN decisions', function () {
  this.timeout(600_000);

  it('are never proved of a chain of tables where a random fact refutes them, and are refuted by facts that do', async () => {
    const counts = { proved: 0, refuted: 0, unknown: 0 };
    await fc.assert(
      fc.asyncProperty(
        documents,
        sources,
        fc.array(facts, { minLength: 100, maxLength: 100 }),
        async (xml, source, all) => {
          const properties = [
            { name: 'never', never: source },
            { name: 'always', always: source },
          ];
          const { program } = compileDmn(xml);
          const { checked } = compileProperties(properties);
          for (const [at, { status, witness, reason }] of (await reported(xml, properties)).entries()) {
            counts[status]++;
            expect(reason === null, `${reason}`).to.equal(status !== 'unknown');
            const holds = (fact: Value): boolean => {
              const outcome = program.run(fact, { trace: false, now: 0, random: () => 0, deadline: Infinity });
              return checked[at]?.holds(fact, outcome.status === 'COMPLETED' ? outcome.result : null) === true;
            };
            if (status === 'proved') for (const fact of all) expect(holds(fact), JSON.stringify(fact)).to.equal(true);
            if (witness !== null) expect(holds(witness.fact)).to.equal(false);
          }
        },
      ),
      { numRuns: cases(200) },
    );
    expect(counts.proved, 'some are proved').to.be.greaterThan(5);
    expect(counts.refuted, 'some are refuted').to.be.greaterThan(5);
    expect(counts.unknown, JSON.stringify(counts)).to.equal(0);
  });

  const reads = [{ id: 'n', source: 'n' }];
  const plain: Table = { name: 'First', hitPolicy: 'UNIQUE', reads, rows: [['< 2', '1']] };
  const other: Table = { ...plain, name: 'Second' };
  const last: Table = { ...plain, name: 'Last', reads: [{ id: 'First', source: 'First' }] };
  const small = [{ name: 'small', never: 'result.Result > 5' }];

  it('are not proved where more is done than comparing input data with constants, and say what', async () => {
    const unknown: readonly (readonly [string, string])[] = [
      [documentOf({ ...plain, rows: [['< 2', 'n + 1']] }, other, last), '“First” has outputs that are computed'],
      [
        documentOf({ ...plain, reads: [{ id: 'n', source: 'n + 1' }] }, other, last),
        '“First” has an input that is computed: n + 1',
      ],
      [
        documentOf({ ...plain, rows: [['modulo(?, 2) = 1', '1']] }, other, last),
        '“First” has a rule that cannot be followed: `modulo(?, 2) = 1` does more than compare a field with constants',
      ],
      [
        documentOf(plain, other, {
          ...last,
          reads: [...last.reads, { id: 'd', source: 'd' }],
          rows: [['1', '-', 'd']],
        }),
        '“Last” has outputs that are computed',
      ],
      [
        documentOf(plain, other, last).replace('<variable name="n" typeRef="number"/>', '<variable name="n"/>'),
        'no type is declared for “n”',
      ],
    ];
    for (const [xml, reason] of unknown) {
      expect(await reported(xml, small)).to.deep.equal([{ name: 'small', status: 'unknown', witness: null, reason }]);
    }
  });

  it('are proved of decisions that read others alone, whatever they are', async () => {
    const computing: Table = { ...last, rows: [['? * 2 = 2', 'First + 1']] };
    expect(await reported(documentOf(plain, other, computing), small)).to.deep.equal([
      { name: 'small', status: 'proved', witness: null, reason: null },
    ]);
    const [asked] = await reported(documentOf(plain, other, computing), [
      { name: 'some', never: 'result.Result == 4' },
    ]);
    expect(asked?.status).to.equal('refuted');
  });

  it('say what stops them where the decision that they speak of is no table, and look for facts that refute them', async () => {
    const xml = documentOf(plain, other, last);
    const [time, all] = await reported(xml, [
      { name: 'time', never: 'result.Beside > 99' },
      { name: 'all', never: 'result == null' },
    ]);
    expect(time?.reason).to.equal('“Beside” asks for the time');
    expect(all?.reason).to.equal('“Beside” asks for the time');
    const [named] = await reported(xml.replace('today()', 'date("2024-01-01")'), [
      { name: 'named', never: 'result.Beside > 99' },
    ]);
    expect(named?.reason).to.equal('“Beside” reads input data, and is not one decision table');
  });

  it('of a decision that others require are about a result that is never there', async () => {
    const xml = documentOf(plain, other, last);
    const [absent, there] = await reported(xml, [
      { name: 'absent', always: 'result.First == null' },
      { name: 'there', always: 'result.First == 1' },
    ]);
    expect(absent?.status).to.equal('proved');
    expect(there?.status).to.equal('refuted');
    expect(Object.keys(there?.witness?.result as object)).to.deep.equal(['Second', 'Letter', 'Result', 'Beside']);
  });

  it('are proved of names with blanks', async () => {
    const xml = tableDocument({
      hitPolicy: 'ANY',
      inputs: [{ name: 'Order total', type: 'number' }],
      rows: [
        ['> 500', '"manual"'],
        ['> 800', '"manual"'],
        ['<= 600', '"auto"'],
      ],
    }).replaceAll('"Result"', '"Final channel"');
    const [small, large] = await reported(xml, [
      { name: 'small', never: "fact['Order total'] < 500 and result['Final channel'] == 'manual'" },
      { name: 'large', never: "fact['Order total'] > 600 and result['Final channel'] == 'manual'" },
    ]);
    expect([small?.status, large?.status]).to.deep.equal(['proved', 'refuted']);
  });

  it('that do more than compare are not proved', async () => {
    const [sum] = await reported(documentOf(plain, other, last), [
      { name: 'sum', never: 'fact.n + result.Result > 9' },
    ]);
    expect(sum?.reason).to.equal('it does more than compare fields of the fact and the result with constants');
  });
});
