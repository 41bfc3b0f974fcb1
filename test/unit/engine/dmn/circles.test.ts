import { expect } from 'chai';
import { inCircles } from '../../../../workers/engine/dmn/circles.js';
import type { Node } from '../../../../workers/engine/dmn/graph.js';
import { compileDmn } from '../../../../workers/engine/index.js';
import { definitions } from '../../../support/dmn.js';

/** Decisions by their numbers, and what each requires. */
const documentOf = (requires: readonly (readonly number[])[]): string =>
  definitions(
    requires
      .map((needs, at) => {
        const requirements = needs.map(
          (need) => `<informationRequirement><requiredDecision href="#n${need}"/></informationRequirement>`,
        );
        const logic = '<literalExpression><text>1</text></literalExpression>';
        return `<decision id="n${at}" name="n${at}"><variable name="n${at}"/>${requirements.join('')}${logic}</decision>`;
      })
      .join(''),
  );

const told = (requires: readonly (readonly number[])[]): string[] =>
  compileDmn(documentOf(requires)).diagnostics.map(({ nodeId = '', message }) => {
    expect(message).to.equal('The decision requires itself.');
    return nodeId;
  });

describe('a decision that requires itself', () => {
  it('is told, on whatever way round', () => {
    expect(told([[0]])).to.deep.equal(['n0']);
    expect(told([[1], [2], [0], [0]])).to.deep.equal(['n0', 'n1', 'n2']);
    expect(told([[1, 2], [3], [3], []])).to.deep.equal([]);
    expect(told([[1], [2], [1, 3], [4], [3]])).to.deep.equal(['n1', 'n2', 'n3', 'n4']);
  });

  it('and no other is, in any graph', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    for (let round = 0; round < 200; round++) {
      const count = 1 + random(8);
      const requires = Array.from({ length: count }, () => Array.from({ length: random(3) }, () => random(count)));
      const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
        (requires[from] ?? []).some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))));
      const own = requires.flatMap((_, at) => (reaches(at, at) ? [`n${at}`] : []));
      expect(told(requires), JSON.stringify(requires)).to.deep.equal(own);
    }
  });

  it('is looked for once in each, so that a document of thousands ends', () => {
    let reads = 0;
    const chain: Node[] = [];
    for (let at = 0; at < 5000; at++) {
      const below = chain.slice(-2);
      const node = {
        part: { kind: 'decision' },
        get requires() {
          reads++;
          return below;
        },
      };
      chain.push(node as unknown as Node);
    }
    expect(inCircles(chain.reverse())).to.deep.equal([]);
    expect(reads).to.be.at.most(3 * chain.length);
  });
});
