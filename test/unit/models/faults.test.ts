import { expect } from 'chai';
import { checkModel } from '../../../workers/models/check.js';
import { defaultLimits } from '../../../workers/engine/limits.js';
import type { Diagnostic } from '../../../workers/engine/index.js';
import { definitions, dmn } from '../../support/dmn.js';

type Content = Readonly<Record<string, unknown>>;

const diagnosticsOf = (content: Content): { diagnostics: readonly Diagnostic[]; length: number } => {
  const text = JSON.stringify(content);
  const { check } = checkModel({ kind: 'check', text, isItem: false }, { limits: defaultLimits, timeLimitMs: 60_000 });
  return { diagnostics: check.diagnostics, length: text.length };
};

const long = 'n'.repeat(20_000);
const position = { x: 0, y: 0 };
const input = { id: 'in', type: 'inputNode', name: 'in', content: {}, position };
const graph = (...nodes: readonly { readonly id: string }[]): Content => ({
  nodes: [input, ...nodes],
  edges: nodes.map(({ id }, at) => ({ id: `e${at}`, type: 'edge', sourceId: 'in', targetId: id })),
});
const table = ({
  id = 't',
  field = 'a',
  rows,
  cell = '(',
}: {
  id?: string;
  field?: string;
  rows: number;
  cell?: string;
}) => ({
  ...{ id, name: id, type: 'decisionTableNode', position },
  content: {
    hitPolicy: 'first',
    inputs: [{ id: 'a', name: field, field }],
    outputs: [{ id: 'b', name: 'b', field: 'b' }],
    rules: Array.from({ length: rows }, (_, row) => ({ _id: `r${row}`, a: cell, b: '1' })),
  },
});
const calls = Array.from({ length: 2000 }, (_, at) => `f${at}(1)`).join(' + ');
const rules = (count: number): string => '<rule><inputEntry><text>(</text></inputEntry></rule>'.repeat(count);

/** What is in each of a thousand diagnostics, though it stands in the model once. */
const hostile: Readonly<Record<string, Content>> = {
  'the id and the name of a node': graph(table({ id: long, rows: 2000 })),
  'the name of a column': graph(table({ field: long, rows: 2000 })),
  'an expression': graph({
    ...{ id: 'e', name: 'e', type: 'expressionNode', position },
    content: { expressions: [{ id: 'x', key: 'x', value: calls }] },
  } as { id: string }),
  'the id and the name of a decision of DMN': dmn(
    definitions(
      `<decision id="${long}" name="${long}"><decisionTable><input/><output/>${rules(500)}</decisionTable></decision>`,
    ),
  ),
};

describe('the faults of one model', () => {
  for (const [what, content] of Object.entries(hostile))
    it(`are as large as the model, whatever of it stands in each: ${what}`, () => {
      const { diagnostics, length } = diagnosticsOf(content);
      const texts = diagnostics.flatMap((each) => Object.values(each).filter((part) => typeof part === 'string'));
      const characters = texts.reduce((sum, text) => sum + text.length, 0);
      expect(characters).to.be.at.most(4 * 1024 * 1024 + 3 * length);
      expect(diagnostics.length).to.be.greaterThan(10);
      expect(diagnostics.at(-1)?.message).to.match(/^There are \d+ more faults, which are not listed\.$/);
      const severities = new Set(diagnostics.map(({ severity }) => severity));
      expect(severities.size, 'what is left out counts as what is listed').to.equal(1);
    });

  it('are ten thousand at most, errors first, and say how many others there are', () => {
    const calling = {
      ...{ id: 'e', name: 'e', type: 'expressionNode', position },
      content: { expressions: [{ id: 'x', key: 'x', value: 'f(1)' }] },
    };
    const { diagnostics } = diagnosticsOf(graph(table({ rows: 10_101 }), calling));
    expect(diagnostics.length).to.equal(10_001);
    expect(diagnostics[0]).to.include({ code: 'unknown_function', nodeName: 'e' });
    expect(diagnostics[0]).to.not.have.property('severity');
    expect(diagnostics.at(-1)).to.include({
      message: 'There are 102 more faults, which are not listed.',
      severity: 'warning',
    });
  });

  it('are all of them where they are few', () => {
    const { diagnostics } = diagnosticsOf(graph(table({ rows: 500 })));
    expect(diagnostics.length).to.equal(500);
  });
});
