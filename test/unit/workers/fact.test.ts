import { expect } from 'chai';
import fc from 'fast-check';
import { compile, compileDmn, EngineError, stringify } from '../../../workers/engine/index.js';
import { factFor, factText, readFact } from '../../../workers/fact.js';
import { definitions } from '../../support/dmn.js';
import { calling } from '../../support/models.js';

const textOf = (body: string): string => factText(body, readFact(body));

describe('factText', () => {
  it('is the text as sent', () => {
    expect(textOf(' { "fact" : {"n": 1.50}\n } ')).to.equal('{"n": 1.50}');
  });

  it('is written anew where the body has more than one member, or may have', () => {
    expect(textOf('{"fact":{"n": 1},"version":2}')).to.equal('{"n":1}');
    expect(textOf('{"version":2,"fact":{"n": 1}}')).to.equal('{"n":1}');
    expect(textOf('{"fact":{"n": 1},"fact":{"n": 2}}')).to.equal('{"n":2}');
    expect(textOf('{"fact":{"n": 1},"f\\u0061ct":{"n": 2}}')).to.equal('{"n":2}');
  });

  it('always means the fact', () => {
    const spaces = fc.constantFrom('', ' ', '\n ');
    const bodies = fc
      .tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean(), fc.boolean(), spaces)
      .map(([fact, before, after, space]) => {
        const members = [`"fact"${space}:${space}${JSON.stringify(fact)}${space}`];
        if (before) members.unshift('"version":1');
        if (after) members.push('"version":1');
        return `${space}{${space}${members.join(',')}}${space}`;
      });
    fc.assert(
      fc.property(bodies, (body) => {
        expect(JSON.parse(textOf(body))).to.deep.equal((JSON.parse(body) as { fact: unknown }).fact);
      }),
    );
  });
});

describe('a number of more than 28 digits', () => {
  const { program } = compileDmn(
    definitions(
      '<inputData id="i" name="n"><variable name="n" typeRef="number"/></inputData><decision id="d" name="D"><variable name="D"/><informationRequirement><requiredInput href="#i"/></informationRequirement><literalExpression><text>n</text></literalExpression></decision>',
    ),
  );
  const given = (number: string, of: unknown = program): string => {
    const read = factFor(of, readFact(`{"fact":{"n":${number}}}`));
    if (read instanceof EngineError) return read.message;
    const outcome = program.run(read.fact, { trace: false, now: 0, deadline: Infinity, random: () => 0.5 });
    return outcome.status === 'COMPLETED' ? stringify(outcome.result) : outcome.message;
  };
  const numbers = [
    '1.234567890123456789012345678901234',
    '-1234567890123456789012345678901234',
    '0.00000000000000000000000000000000012345678901234567890123456789',
    '1.23456789012345678901234567890123e+120',
    '1.5e-130',
    '1.7e+308',
  ];

  it('is a model of DMN’s with all of them, up to 34', () => {
    for (const number of numbers) expect(given(number), number).to.equal(`{"D":${number}}`);
    expect(given('1.23456789012345678901234567890123456789')).to.equal('{"D":1.234567890123456789012345678901235}');
    expect(given('1e30')).to.equal('{"D":1000000000000000000000000000000}');
  });

  it('is none of ZEN’s, which says so', () => {
    const jdm = compile(calling('x'), { resolve: () => undefined });
    for (const number of numbers) {
      expect(given(number, jdm)).to.match(/^The number at `\/n` does not fit 28 digits: /);
    }
  });

  it('ends where nobody means it', () => {
    for (const number of ['1'.repeat(401), '1e-401', '1e-999999999'])
      expect(given(number)).to.match(/^The number at `\/n` does not fit 28 digits: /);
  });
});
