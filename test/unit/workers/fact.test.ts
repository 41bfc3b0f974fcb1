import { expect } from 'chai';
import fc from 'fast-check';
import { factText, readFact } from '../../../workers/fact.js';

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
