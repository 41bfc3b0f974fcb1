import { expect } from 'chai';
import { suggest } from '../../../../workers/analysis/index.js';
import type { Suggestions } from '../../../../workers/analysis/suggest.js';
import { compileDmn, type Value } from '../../../../workers/engine/index.js';
import { isObject } from '../../../../workers/engine/zen/values/kinds.js';
import { definitions, dmn } from '../../../support/dmn.js';

const text = (source: string): string => `<text>${source.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
const allowed = (values: string): string => `<allowedValues>${text(values)}</allowedValues>`;

/** Input data of every kind, each with what a value of it must be. */
const inputs: readonly { name: string; type: string; reads: string; cell: string; is: (value: Value) => boolean }[] = [
  { name: 'Kind', type: 'tKind', reads: 'Kind', cell: '"b"', is: (value) => value === 'a' || value === 'b' },
  { name: 'Taken', type: 'string', reads: 'Taken', cell: '"x"', is: (value) => value === 'x' || value === 'y' },
  {
    name: 'Free',
    type: 'string',
    reads: 'Free',
    cell: '"z"',
    is: (value) => typeof value === 'string' && value !== 'auto',
  },
  {
    name: 'Count',
    type: 'tCount',
    reads: 'Count',
    cell: '> 3',
    is: (value) => typeof value === 'number' && value >= 1 && value <= 5,
  },
  { name: 'Flag', type: 'boolean', reads: 'Flag', cell: 'true', is: (value) => typeof value === 'boolean' },
  { name: 'Since', type: 'date', reads: 'Since', cell: '> date("2024-01-01")', is: matches(/^\d{4}-\d\d-\d\d$/) },
  { name: 'At', type: 'time', reads: 'At', cell: '> time("12:00:00")', is: matches(/^\d\d:\d\d:\d\d/) },
  // A day is its midnight.
  { name: 'When', type: 'dateTime', reads: 'When', cell: '-', is: matches(/^\d{4}-\d\d-\d\d(?:T\d\d:|$)/) },
  {
    name: 'Term',
    type: 'yearMonthDuration',
    reads: 'Term',
    cell: '>= duration("P1Y")',
    is: matches(/^-?P(\d+Y)?(\d+M)?$/),
  },
  {
    name: 'Wait',
    type: 'dayTimeDuration',
    reads: 'Wait',
    cell: '>= duration("P1D")',
    is: matches(/^-?P(\d+D)?(T.*)?$/),
  },
  {
    name: 'Tags',
    type: 'tKinds',
    reads: 'count(Tags)',
    cell: '> 1',
    is: (value) => Array.isArray(value) && value.every((each) => each === 'a' || each === 'b'),
  },
  {
    name: 'Person',
    type: 'tPerson',
    reads: 'Person.level',
    cell: '"b"',
    is: (value) => isObject(value) && ['a', 'b', undefined].includes(value['level'] as string | undefined),
  },
];

function matches(pattern: RegExp): (value: Value) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** A table over one input of two rules, whose outputs are values of other types than that. */
const tableOf = ({ name, reads, cell }: (typeof inputs)[number]): string =>
  `<decision id="d${name}" name="Of ${name}"><variable name="Of ${name}"/>
<informationRequirement><requiredInput href="#${name}"/></informationRequirement>
<decisionTable id="t${name}" hitPolicy="FIRST"><input><inputExpression>${text(reads)}</inputExpression>${name === 'Taken' ? `<inputValues>${text('"x","y"')}</inputValues>` : ''}</input><output name="o"><outputValues>${text('"auto", 77, date("1999-09-09"), duration("P99D")')}</outputValues></output>
<rule id="${name}1"><inputEntry>${text(cell)}</inputEntry><outputEntry>${text('"auto"')}</outputEntry></rule>
<rule id="${name}2"><inputEntry>${text('-')}</inputEntry><outputEntry>${text('77')}</outputEntry></rule>
</decisionTable></decision>`;

/** A decision over another one, whose values are none of an input. */
const over = `<decision id="last" name="Last"><variable name="Last"/><informationRequirement><requiredDecision href="#dKind"/></informationRequirement>
<decisionTable id="tLast" hitPolicy="FIRST"><input><inputExpression>${text('Of Kind')}</inputExpression></input><output name="o"/>
<rule id="last1"><inputEntry>${text('"auto"')}</inputEntry><outputEntry>${text('"gold"')}</outputEntry></rule>
<rule id="last2"><inputEntry>${text('-')}</inputEntry><outputEntry>${text('"auto"')}</outputEntry></rule></decisionTable></decision>`;

const types = `<itemDefinition name="tKind"><typeRef>string</typeRef>${allowed('"a","b"')}</itemDefinition>
<itemDefinition name="tKinds" isCollection="true"><typeRef>tKind</typeRef></itemDefinition>
<itemDefinition name="tCount"><typeRef>number</typeRef>${allowed('[1..5]')}</itemDefinition>
<itemDefinition name="tPerson"><itemComponent name="level"><typeRef>tKind</typeRef></itemComponent></itemDefinition>`;

const documentOf = (some: typeof inputs, more = ''): string =>
  definitions(
    types +
      some
        .map(
          ({ name, type }) =>
            `<inputData id="${name}" name="${name}"><variable name="${name}" typeRef="${type}"/></inputData>`,
        )
        .join('') +
      some.map(tableOf).join('') +
      more,
  );

async function suggestionsFor(xml: string): Promise<Suggestions> {
  const { program, diagnostics } = compileDmn(xml);
  expect(diagnostics).to.deep.equal([]);
  const { report } = await suggest({
    version: { document: dmn(xml), program, linked: '' },
    until: performance.now() + 20_000,
  });
  return report;
}

describe('suggested tests of a DMN decision', () => {
  for (const input of inputs)
    it(`give ${input.name} values of ${input.type} alone, and those that it allows`, async () => {
      const kind = inputs.slice(0, 1);
      const others = input.name === 'Kind' ? [] : kind;
      const { tests, unknown } = await suggestionsFor(documentOf([...others, input], over));
      for (const { input: fact } of tests) {
        expect(
          isObject(fact) && Object.keys(fact).every((name) => [input, ...others].some((each) => each.name === name)),
          JSON.stringify(fact),
        ).to.equal(true);
        const value = isObject(fact) ? (fact[input.name] ?? null) : null;
        expect(value === null || input.is(value), JSON.stringify(fact)).to.equal(true);
      }
      expect(unknown).to.deep.equal([]);
    });

  it('give values of their types in one fact of many', async () => {
    const { tests } = await suggestionsFor(documentOf(inputs, over));
    expect(tests.length).to.be.greaterThan(1);
    for (const { input: fact } of tests)
      for (const { name, is } of inputs) {
        const value = isObject(fact) ? (fact[name] ?? null) : null;
        expect(value === null || is(value), `${name}: ${JSON.stringify(value)}`).to.equal(true);
      }
  });
});
