import { expect } from 'chai';
import { compile, type Program } from '../../../../workers/engine/index.js';
import {
  expressions,
  failureOf,
  graph,
  input,
  output,
  resultOf,
  single,
  type NodeDraft,
} from '../../../support/engine.js';

const decision = (id: string, key: string, more: object = {}): NodeDraft => ({
  id,
  type: 'decisionNode',
  content: { key, ...more },
});

/** Programs of models by key, each compiled when it is first named. */
function library(models: Readonly<Record<string, unknown>>): (key: string) => Program | undefined {
  const programs = new Map<string, Program>();
  return function resolve(key) {
    if (!Object.hasOwn(models, key)) return undefined;
    const program = programs.get(key) ?? compile(models[key], { resolve });
    programs.set(key, program);
    return program;
  };
}

describe('decisions in decisions', () => {
  it('see the nodes of the decision above through their input node', () => {
    const resolve = library({
      main: graph(
        [input, expressions('fee', { fee: '10' }, { passThrough: true }), decision('d', 'sub'), output],
        ['in>fee', 'fee>d', 'd>out'],
      ),
      sub: single(
        expressions('x', { above: '$nodes.Request.$nodes.fee.fee', own: '$nodes.Request.a', names: 'keys($nodes)' }),
      ),
    });
    expect(resultOf(resolve('main'), { a: 1 })).to.deep.equal({ above: 10, own: 1, names: ['Request'] });
  });

  it('name the place inside when they fail, and keep the trace up to there', () => {
    const resolve = library({
      main: single({ ...decision('d', 'sub'), name: 'Sub' }),
      sub: single(expressions('x', { y: "1 - 'a'" })),
    });
    const { error, message, trace } = failureOf(resolve('main'), {});
    expect(message).to.match(/^Node "Sub": In decision "sub": Node "x", expression y: /);
    expect(error.nodeId).to.equal('d');
    expect(trace).to.have.all.keys('in', 'd');
    expect(trace?.['d']?.error?.code).to.equal('type_error');
    const inner = trace?.['d']?.traceData as Record<string, { error?: { code: string } }>;
    expect(inner).to.have.all.keys('in', 'x');
    expect(inner['x']?.error?.code).to.equal('type_error');
  });

  it('may contain each other, to a bounded depth', () => {
    const resolve = library({ a: single(decision('d', 'b')), b: single(decision('d', 'a')) });
    expect(failureOf(resolve('a'), {}).message).to.equal(
      'Node "d", content.key: Decisions are nested more than 10 deep.',
    );
    expect(resolve('a')?.async).to.equal(false);
  });

  it('come to an end where the model does', () => {
    const down = {
      id: 's',
      type: 'switchNode',
      content: {
        statements: [
          { id: 'go', condition: 'n > 0' },
          { id: 'stop', condition: '' },
        ],
      },
    };
    const nodes = [
      input,
      down,
      expressions('less', { n: 'n - 1', total: '(total ?? 0) + n' }),
      decision('d', 'a'),
      expressions('end', { total: 'total' }),
    ];
    const resolve = library({ a: graph(nodes, ['in>s', 's:go>less', 'less>d', 's:stop>end']) });
    expect(resultOf(resolve('a'), { n: 4 })).to.deep.equal({ total: 10 });
  });

  it('fail when they are not there', () => {
    const { error } = failureOf(single(decision('d', 'nowhere')), {});
    expect(error).to.include({ code: 'decision_missing', nodeId: 'd', field: 'content.key' });
  });
});
