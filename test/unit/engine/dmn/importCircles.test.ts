import { expect } from 'chai';
import { compiledDmn, EngineError, type ImportedContent } from '../../../../workers/engine/index.js';
import { definitions, dmn } from '../../../support/dmn.js';

/** A document that imports others, each of which has a namespace of its name. */
const documentOf = (name: string, imports: readonly string[]): string =>
  definitions(
    `${imports.map((each) => `<import name="${each}" namespace="urn:${each}" locationURI="${each}.dmn" importType="https://www.omg.org/spec/DMN/20230324/MODEL/"/>`).join('')}<decision id="d" name="Decided"><variable name="Decided"/><literalExpression><text>1</text></literalExpression></decision>`,
    `urn:${name}`,
  ).replace('name="Approval"', `name="${name}"`);

/** What compiling the first of them says. */
function told(all: Readonly<Record<string, readonly string[]>>): string | undefined {
  const imported = (key: string): ImportedContent | undefined => {
    const name = key.replace('.dmn', '');
    const imports = all[name];
    return imports && { content: dmn(documentOf(name, imports)), imported };
  };
  const [first = ''] = Object.keys(all);
  try {
    compiledDmn(documentOf(first, all[first] ?? []), { imported });
    return undefined;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(error.code).to.equal('model_invalid');
    return error.message;
  }
}

describe('DMN documents that import one another in a circle', () => {
  it('are refused by the names on the way round, of one document, two, three and many', () => {
    expect(told({ a: ['a'] })).to.equal('The document "a" imports itself.');
    expect(told({ a: ['b'], b: ['a'] })).to.equal('Documents import one another in a circle: "a" → "b" → "a".');
    expect(told({ a: ['b'], b: ['c'], c: ['a'] })).to.equal(
      'Documents import one another in a circle: "a" → "b" → "c" → "a".',
    );
    expect(told({ a: ['b'], b: ['c'], c: ['b'] })).to.equal(
      'Documents import one another in a circle: "b" → "c" → "b".',
    );
    const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
    const dense = Object.fromEntries(names.map((name) => [name, names.filter((each) => each !== name)]));
    expect(told(dense)).to.equal('Documents import one another in a circle: "n0" → "n1" → "n0".');
  });

  it('and no others are, however often one is imported', () => {
    expect(told({ a: ['b', 'c', 'd'], b: ['d'], c: ['b', 'd'], d: [] })).to.equal(undefined);
  });
});
