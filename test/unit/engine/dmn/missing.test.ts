import { expect } from 'chai';
import { compiledDmn, type Value } from '../../../../workers/engine/index.js';
import { definitions, dmn } from '../../../support/dmn.js';

const needs = (kind: 'Input' | 'Decision', href: string): string =>
  `<informationRequirement><required${kind} href="${href}"/></informationRequirement>`;

const base = definitions(
  `<inputData id="p" name="Person"><variable name="Person"/></inputData>
  <inputData id="q" name="Unused"><variable name="Unused"/></inputData>
  <decision id="n" name="Name"><variable name="Name"/>${needs('Input', '#p')}<literalExpression><text>Person.name</text></literalExpression></decision>`,
  'urn:base',
);

/** Greets by the name that an imported decision gives; another decision and a service need nothing of the import. */
const importing = definitions(
  `<import name="base" namespace="urn:base" locationURI="base.dmn" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>
  <inputData id="w" name="Word"><variable name="Word"/></inputData>
  <decision id="g" name="Greeting"><variable name="Greeting"/>${needs('Input', 'urn:base#p')}${needs('Decision', 'urn:base#n')}<literalExpression><text>[base.Person.name, base.Name]</text></literalExpression></decision>
  <decision id="s" name="Said"><variable name="Said"/>${needs('Input', '#w')}<literalExpression><text>Word</text></literalExpression></decision>
  <decisionService id="v" name="Says"><outputDecision href="#s"/><inputData href="#w"/></decisionService>`,
);
const imports = { imported: () => ({ content: dmn(base), imported: () => undefined }) };

function told(fact: Value, select?: readonly string[]): string[] {
  const { program } = compiledDmn(importing, imports);
  const options = { trace: false, now: 0, deadline: Infinity, random: () => 0.5, ...(select && { select }) };
  return program.run(fact, options).warnings.map(({ node, message }) => `${node}: ${message}`);
}

const missing = (name: string): string =>
  `${name}: The fact has no "${name}", though it has members that no input reads. Input data is given by its own name, without that of an import.`;

describe('input data that a fact of DMN lacks', () => {
  const Person = { name: 'Ann' };

  it('is named where the fact gives it by another name: of an import, in an import, or misspelt', () => {
    for (const given of [{ base: { Person } }, { 'base.Person': Person }, { person: Person }]) {
      expect(told({ Word: 'Hi', ...given }), JSON.stringify(given)).to.include(missing('Person'));
    }
    expect(told({ Person, word: 'Hi' })).to.deep.equal([missing('Word')]);
  });

  it('is named once, and only where what is asked for needs it', () => {
    const first = told({ Word: 'Hi', base: { Person } });
    expect(first.filter((each) => each === missing('Person'))).to.have.length(1);
    expect(told({ Word: 'Hi', base: { Person } }, ['Said'])).to.deep.equal([]);
    expect(told({ Word: 'Hi', base: { Person } }, ['Says'])).to.deep.equal([]);
    expect(told({ base: { Person } }, ['Said'])).to.deep.equal([missing('Word')]);
  });

  it('is nothing to tell where all that the fact has is read, or nothing is missing', () => {
    expect(told({ Person })).to.deep.equal([]);
    expect(told({ Person, Unused: 1 })).to.deep.equal([]);
    expect(told({ Person, Word: null, base: 1 })).to.deep.equal([]);
  });
});
