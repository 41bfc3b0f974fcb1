import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { projectRoot } from '../../db/root.js';
import { compileDmn, EngineError, validate } from '../../workers/engine/index.js';
import { approval, dmn } from '../support/dmn.js';
import { allowedMs, isLong, seed, wholeNumber } from '../support/environment.js';

/** The kit, where it is: beside the project, or where `DMN_TCK` says; else a document of the tests' own. */
const folder = process.env['DMN_TCK'] ?? path.join(projectRoot, '../shared/dmn-tck');
const documents = existsSync(folder)
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.dmn'))
      .sort()
      .map((file) => readFileSync(path.join(folder, file), 'utf8'))
      .filter(({ length }) => length < 60_000)
  : [approval];

/** What stands in documents, and what would be dangerous somewhere. */
const pieces = [
  ...[
    '<',
    '>',
    '"',
    '&',
    '&lt;',
    '&#0;',
    '&x;',
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<?x ?>',
    '<!DOCTYPE x>',
    '\u0000',
    '\ud800',
  ],
  ...[
    '<decision id="x" name="x">',
    '</decision>',
    '<context>',
    '<rule>',
    '<import namespace="a" name="b"/>',
    ' id="x"',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'for i in 1..9999999 return i',
    '(((((',
    '[',
    '}',
    '1e9999',
    '@"9999999-99-99"',
  ],
  ...[
    '?',
    'not(',
    '..',
    'function(x) x(x)',
    'href="#',
    'typeRef="tX"',
    'hitPolicy="COLLECT" aggregation="MAX"',
    'isCollection="true"',
  ],
];

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
type Mutation = (text: string, other: string) => string;
const at = (text: string, where: number): number => Math.floor(where * text.length);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.constantFrom(...pieces)).map(([where, piece]): Mutation => (text) => {
    const index = at(text, where);
    return text.slice(0, index) + piece + text.slice(index);
  }),
  fc.tuple(place, fc.integer({ min: 1, max: 200 })).map(([where, length]): Mutation => (text) => {
    const index = at(text, where);
    return text.slice(0, index) + text.slice(index + length);
  }),
  fc.tuple(place, place, fc.integer({ min: 1, max: 2000 })).map(([from, to, length]): Mutation => (text, other) => {
    const [source, target] = [at(other, from), at(text, to)];
    return text.slice(0, target) + other.slice(source, source + length) + text.slice(target);
  }),
  // An element, or the value of an attribute, in another one's place.
  fc
    .tuple(place, place, fc.constantFrom(/<text>[^<]*<\/text>/g, /"[^"<>]*"/g, /<\w+[^<>]*\/>/g))
    .map(([from, to, pattern]): Mutation => (text, other) => {
      const [sources, targets] = [[...other.matchAll(pattern)], [...text.matchAll(pattern)]];
      const [source, target] = [sources[Math.floor(from * sources.length)], targets[Math.floor(to * targets.length)]];
      if (source === undefined || target === undefined) return text;
      return text.slice(0, target.index) + source[0] + text.slice(target.index + target[0].length);
    }),
);

/** Much more than any of them takes; a limit would end it before. */
const longestMs = 30_000;

describe('documents of DMN that were damaged', function () {
  this.timeout(7_200_000);

  it('end in diagnostics or in results, each within its limits', () => {
    const any = fc.nat(documents.length - 1);
    let compiled = 0;
    fc.assert(
      fc.property(any, any, fc.array(mutation, { minLength: 1, maxLength: 4 }), (one, two, mutations) => {
        const [document = '', other = ''] = [documents[one], documents[two]];
        const xml = mutations.reduce((text, mutate) => mutate(text, other), document);
        const began = performance.now();
        for (const { message, code } of validate(dmn(xml), { knows: () => true }))
          expect([message, code].every((text) => typeof text === 'string' && text !== '')).to.equal(true);
        try {
          const { program } = compileDmn(xml);
          compiled++;
          const outcome = program.run(
            {},
            { trace: true, now: 0, deadline: performance.now() + 1000, random: () => 0.5 },
          );
          expect(outcome.status).to.be.oneOf(['COMPLETED', 'FAILED']);
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
          expect(error.code).to.be.oneOf(['model_invalid', 'limit_program']);
        }
        expect(performance.now() - began).to.be.lessThan(allowedMs(longestMs));
      }),
      { seed, numRuns: wholeNumber('MUTATIONS') ?? (isLong ? 20_000 : 300) },
    );
    expect(compiled).to.be.greaterThan(0);
  });
});
