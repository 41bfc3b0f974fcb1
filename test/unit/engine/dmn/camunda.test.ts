import { expect } from 'chai';
import { compileDmn, schemasOf, type DmnOutcome, type Value } from '../../../../workers/engine/index.js';
import { dmn } from '../../../support/dmn.js';

/** As Camunda's modeler begins a document. */
const camundas = (body: string, others = ''): string => `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:modeler="http://camunda.org/schema/modeler/1.0"
    id="dinner" name="DRD" namespace="http://camunda.org/schema/1.0/dmn" ${others}>
${body}
</definitions>`;

const elsewhere = (body: string): string =>
  `<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="DRD" namespace="https://example.com">${body}</definitions>`;

interface Table {
  readonly id: string;
  readonly name: string;
  readonly requires?: string;
  readonly policy?: string;
  /** Expressions with their types. */
  readonly inputs: readonly (readonly [text: string, type: string])[];
  readonly outputs: readonly string[];
  readonly rules: readonly (readonly string[])[];
}

const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const table = ({ id, name, requires = '', policy = 'FIRST', inputs, outputs, rules }: Table): string =>
  `<decision id="${id}" name="${name}">${requires}<decisionTable id="t_${id}" hitPolicy="${policy}">` +
  inputs
    .map(([text, type]) => `<input><inputExpression typeRef="${type}"><text>${text}</text></inputExpression></input>`)
    .join('') +
  outputs.map((output) => `<output name="${output}"/>`).join('') +
  rules
    .map((cells) => {
      const entries = cells.map((cell, index) => {
        const element = index < inputs.length ? 'inputEntry' : 'outputEntry';
        return `<${element}><text>${escaped(cell)}</text></${element}>`;
      });
      return `<rule>${entries.join('')}</rule>`;
    })
    .join('') +
  '</decisionTable></decision>';

const needs = (kind: 'Input' | 'Decision', id: string): string =>
  `<informationRequirement><required${kind} href="#${id}"/></informationRequirement>`;

const run = (xml: string, fact: Value): DmnOutcome =>
  compileDmn(xml).program.run(fact, { trace: true, now: 0, deadline: Infinity, random: () => 0.5 });

function resultOf(xml: string, fact: Value): unknown {
  const outcome = run(xml, fact);
  return outcome.status === 'FAILED' ? outcome.message : outcome.result;
}

const rate = table({
  id: 'rate',
  name: 'Rate',
  inputs: [['score', 'integer']],
  outputs: ['rate'],
  rules: [
    ['>= 750', '3.9'],
    ['< 750', '8.2'],
  ],
});

describe('documents of Camunda, which declare few of the names that they use', () => {
  it('a name that nothing declares is read from the fact, and that is told', () => {
    expect(resultOf(camundas(rate), { score: 780 })).to.deep.equal({ Rate: 3.9 });
    const { diagnostics, inputs } = compileDmn(camundas(rate));
    expect(diagnostics.map(({ message, nodeId, source }) => [message, nodeId, source])).to.deep.equal([
      ['No input data declares "score": it is read from the fact, as Camunda does.', 'rate', 'score'],
    ]);
    expect(inputs).to.deep.equal([{ id: 'undeclared score', name: 'score', type: { kind: 'number' } }]);
  });

  it('the schema of the fact, of which forms and tools are made, has it with the type of its column', () => {
    const since = table({
      id: 'since',
      name: 'Since',
      inputs: [
        ['since', 'date'],
        ['kind', 'string'],
        ['mode', 'boolean'],
      ],
      outputs: ['old'],
      rules: [['< date("2020-01-01")', '-', '-', 'true']],
    });
    const { input } = schemasOf(dmn(camundas(since)));
    expect(input).to.deep.equal({
      type: 'object',
      properties: {
        since: { type: ['string', 'null'], format: 'date' },
        kind: { type: ['string', 'null'] },
        mode: { type: ['boolean', 'null'] },
      },
    });
    expect(resultOf(camundas(since), { since: '2019-12-31' })).to.deep.equal({ Since: true });
  });

  it('input data without a type has that of its columns, where they are of dates, times or durations', () => {
    const column = (type: string, cell: string, id = 'd') =>
      table({
        ...{ id, name: id, requires: needs('Input', 'v'), inputs: [['v', type]], outputs: ['o'] },
        rules: [[cell, 'true']],
      });
    const declared = '<inputData id="v" name="v"/>';
    for (const [type, cell, value] of [
      ['date', '< date("2020-01-01")', '2019-12-31'],
      ['time', '< time("12:00:00")', '11:30:00'],
      ['dateTime', '< date and time("2020-01-01T00:00:00")', '2019-12-31T23:59:59'],
      ['dayTimeDuration', '> duration("PT1H")', 'P1D'],
      ['yearMonthDuration', '> duration("P1Y")', 'P13M'],
    ] as const) {
      const xml = camundas(declared + column(type, cell));
      const outcome = run(xml, { v: value });
      expect([outcome.status === 'COMPLETED' && outcome.result, outcome.warnings], type).to.deep.equal([
        { d: true },
        [],
      ]);
      expect(compileDmn(xml).diagnostics, type).to.deep.equal([]);
    }
    const text = column('string', '"2019-12-31"');
    expect(resultOf(camundas(declared + text), { v: '2019-12-31' })).to.deep.equal({ d: true });
    const both = column('date', '-', 'e') + text;
    expect(resultOf(camundas(declared + both), { v: '2019-12-31' })).to.deep.equal({ d: true, e: true });
    const typed = '<inputData id="v" name="v"><variable name="v" typeRef="string"/></inputData>';
    expect(resultOf(camundas(typed + column('date', '< date("2020-01-01")')), { v: '2019-12-31' })).to.deep.equal({
      d: null,
    });
  });

  it('a cell that is such a name says what it is meant as, each of them, where its column has a kind', () => {
    const xml = camundas(
      table({
        id: 'x',
        name: 'X',
        inputs: [
          ['risk', 'string'],
          ['amount', 'number'],
          ['other', ''],
        ],
        outputs: ['o'],
        rules: [
          ['mittel', 'under 18', 'mittel', '1'],
          ['sehr hoch', 'ab 20000', '-', '1'],
          ['mittel', '10.000-20.000', '-', '1'],
          ['"hoch"', 'limit', '-', '1'],
          ['"hoch"', 'limit', '-', '1'],
        ],
      }),
    );
    const cells = compileDmn(xml).diagnostics.filter(({ pointer }) => pointer?.includes('Entry') === true);
    const add = 'add it as input data that the decision requires, with its type.';
    expect(cells.map(({ source, hint, repair, readings }) => [source, hint, readings ?? repair])).to.have.deep.members([
      ['mittel', `For a text write "mittel". Else ${add}`, '"mittel"'],
      ['under 18', `For what is meant write < 18. Else ${add}`, '< 18'],
      ['sehr hoch', `For a text write "sehr hoch". Else ${add}`, '"sehr hoch"'],
      ['ab 20000', `For what is meant write >= 20000. Else ${add}`, '>= 20000'],
      ['mittel', `For a text write "mittel". Else ${add}`, '"mittel"'],
      [
        '10.000-20.000',
        '10.000-20.000 may mean 2 things: write [10..20], or write [10000..20000].',
        ['[10..20]', '[10000..20000]'],
      ],
      ['limit', `A${add.slice(1)}`, undefined],
    ]);
  });

  it('is the value of the input where cells call it cellInput, as where they ask with ?', () => {
    for (const cell of ['cellInput > 5', '? > 5', 'odd(cellInput) and cellInput > 5']) {
      const xml = camundas(
        table({ id: 'x', name: 'X', inputs: [['score', 'number']], outputs: ['o'], rules: [[cell, '"high"']] }),
      );
      expect(compileDmn(xml).inputs.map(({ name }) => name)).to.deep.equal(['score']);
      expect(resultOf(xml, { score: 7 }), cell).to.deep.equal({ X: 'high' });
      expect(resultOf(xml, { score: 5 }), cell).to.deep.equal({ X: null });
    }
  });

  it('a fact without it is null with a warning that names it', () => {
    const outcome = run(camundas(rate), {});
    expect(outcome.status === 'COMPLETED' && outcome.result).to.deep.equal({ Rate: null });
    expect(outcome.warnings.map(({ nodeId, message }) => [nodeId, message])).to.deep.equal([
      ['rate', 'The fact has no "score", which no input data declares.'],
    ]);
  });

  it('members, cells and calls read such names; what is called is no input', () => {
    const xml = camundas(
      table({
        id: 'x',
        name: 'X',
        inputs: [
          ['customer.age', 'number'],
          ['upper case(country)', 'string'],
          ['lookup(1)', 'string'],
        ],
        outputs: ['fits'],
        rules: [['> limit', '"DE"', '-', 'note']],
      }),
    );
    expect(compileDmn(xml).inputs.map(({ name }) => name)).to.have.members(['customer', 'country', 'limit', 'note']);
    const fact = { customer: { age: 30 }, country: 'de', limit: 18, note: 'yes' };
    expect(resultOf(xml, fact)).to.deep.equal({ X: 'yes' });
  });

  it('a required decision is known by its id and by the names of its outputs', () => {
    const season = table({
      id: 'Season_1',
      name: 'Season decision',
      inputs: [['temperature', 'integer']],
      outputs: ['season'],
      rules: [
        ['> 20', '"Summer"'],
        ['<= 20', '"Winter"'],
      ],
    });
    const guests = table({
      id: 'guests',
      name: 'Guests decision',
      policy: 'RULE ORDER',
      inputs: [['day', 'string']],
      outputs: ['count of guests', 'isWeekend'],
      rules: [
        ['-', '4', 'false'],
        ['"Sunday"', '10', 'true'],
      ],
    });
    const dish = table({
      id: 'dish',
      name: 'Dish',
      requires: needs('Decision', 'Season_1') + needs('Decision', 'guests'),
      inputs: [
        ['season', 'string'],
        ['Season_1', 'string'],
      ],
      outputs: ['dish', 'weekends'],
      rules: [['"Summer"', '"Summer"', '"Salad"', 'isWeekend']],
    });
    const xml = camundas(season + guests + dish);
    expect(compileDmn(xml).inputs.map(({ name }) => name)).to.have.members(['temperature', 'day']);
    expect(resultOf(xml, { temperature: 25, day: 'Sunday' })).to.deep.equal({
      Dish: { dish: 'Salad', weekends: [false, true] },
    });
  });

  it('input data that is drawn and not required is meant by its name', () => {
    const data = '<inputData id="s" name="score"><variable name="score" typeRef="number"/></inputData>';
    const { inputs, diagnostics } = compileDmn(camundas(data + rate));
    expect(inputs.map(({ id }) => id)).to.deep.equal(['s']);
    expect(diagnostics).to.deep.equal([]);
    expect(resultOf(camundas(data + rate), { score: 780 })).to.deep.equal({ Rate: 3.9 });
  });

  it('inputs and cells of another language than FEEL are null, and say so', () => {
    const others: readonly (readonly [element: string, result: unknown])[] = [
      ['inputExpression', { Rate: null }],
      ['inputEntry', { Rate: null }],
      ['outputEntry', { Rate: null }],
    ];
    for (const [element, result] of others) {
      const xml = camundas(rate).replaceAll(`<${element}`, `<${element} expressionLanguage="juel"`);
      const message = 'Expressions of `juel` are not run here.';
      expect(resultOf(xml, { score: 780 }), element).to.deep.equal(result);
      expect(run(xml, { score: 780 }).warnings[0]?.message, element).to.equal(message);
      expect(
        compileDmn(xml).diagnostics.map((each) => each.message),
        element,
      ).to.include(message);
    }
    const feel = camundas(rate).replaceAll('<inputEntry', '<inputEntry expressionLanguage="feel"');
    expect(resultOf(feel, { score: 780 })).to.deep.equal({ Rate: 3.9 });
  });

  it('elsewhere the standard holds: the name is unknown, and its value null', () => {
    expect(resultOf(elsewhere(rate), { score: 780 })).to.deep.equal({ Rate: null });
    expect(compileDmn(elsewhere(rate)).diagnostics.map(({ message }) => message)).to.deep.equal([
      'There is no "score" here.',
    ]);
    expect(compileDmn(elsewhere(rate)).inputs).to.deep.equal([]);
  });
});
