import fc from 'fast-check';
import { someCell, someCondition, someSource, someNumberSource, someTextSource } from './expressions.js';

/** A node without its place in the graph. */
interface Draft {
  readonly type: string;
  readonly content: unknown;
  /** Ids of a switch's statements. */
  readonly statements?: readonly string[];
}

/**
 * In nodes, the package shows its own `$` and `$nodes` as keys of `$root`; ours shows the node's input alone. Paths from
 * `$root` are the same.
 */
function withoutRoot(sources: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return sources.map((text) => text.replace(/\$root(?![.[])/g, 'obj'));
}

const keys = fc.constantFrom('a', 'b', 'k', 'out.x', 'out.y', 'obj.x', 'deep.er.z', 'list');
const source = withoutRoot(
  fc.oneof(
    { weight: 3, arbitrary: someNumberSource },
    { weight: 2, arbitrary: someTextSource },
    { weight: 2, arbitrary: someSource },
    {
      weight: 1,
      arbitrary: fc.constantFrom('$nodes.node0', '$nodes.Request.a', '$nodes.node1.out', '$.k', '$.out.x + 1', ''),
    },
  ),
);

/** `inputField`, `outputPath`, `executionMode`, `passThrough`. */
const transform = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ passThrough: true }) },
  {
    weight: 2,
    arbitrary: fc.record({
      inputField: fc.constantFrom(null, '', 'obj', 'items', 'obj.deep', 'missing'),
      outputPath: fc.constantFrom(null, '', 'result', 'result.inner', 'obj'),
      executionMode: fc.constant('single'),
      passThrough: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      inputField: fc.constantFrom('items', 'lists', 'numbers', 'obj'),
      outputPath: fc.constantFrom(null, 'rounds', 'items'),
      executionMode: fc.constant('loop'),
      passThrough: fc.boolean(),
    }),
  },
);

const expressionNode: fc.Arbitrary<Draft> = fc
  .tuple(fc.array(fc.tuple(keys, source), { minLength: 1, maxLength: 3 }), transform)
  .map(([pairs, more]) => ({
    type: 'expressionNode',
    content: { expressions: pairs.map(([key, value], index) => ({ id: `x${index}`, key, value })), ...more },
  }));

const field = fc.constantFrom('a', 'b', 's', 'flag', 'obj.x', 'numbers', 'none', 'a + b', 'len(s)', 'missing', '');
const simpleCell = fc.constantFrom(
  ...['', '', '> 0', '< 5', '1', "'a'", "'US', 'DE'", '[0..10]', 'true', '0', '> 100', '-1, 1'],
);
const cell = fc.oneof({ weight: 4, arbitrary: simpleCell }, { weight: 1, arbitrary: withoutRoot(someCell) });
const condition = withoutRoot(fc.oneof(fc.constant(''), someCondition));
const rule = fc.record({
  inputs: fc.array(cell, { minLength: 3, maxLength: 3 }),
  condition,
  outputs: fc.array(fc.oneof(source, fc.constantFrom('', "'x'", '1')), { minLength: 2, maxLength: 2 }),
});

const tableNode: fc.Arbitrary<Draft> = fc
  .tuple(
    fc.array(field, { minLength: 1, maxLength: 3 }),
    fc.array(fc.constantFrom('a', 'b', 'fee.amount', 'fee.name', 'k'), { minLength: 1, maxLength: 2 }),
    fc.oneof(
      { weight: 5, arbitrary: fc.array(rule, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(rule, { minLength: 17, maxLength: 24 }) },
    ),
    fc.constantFrom('first', 'collect'),
    transform,
  )
  .map(([fields, outputs, rules, hitPolicy, more]) => ({
    type: 'decisionTableNode',
    content: {
      hitPolicy,
      inputs: fields.map((path, index) => ({ id: `i${index}`, name: `in ${index}`, field: path })),
      outputs: outputs.map((path, index) => ({ id: `o${index}`, name: `out ${index}`, field: path })),
      rules: rules.map((cells, row) => ({
        _id: `r${row}`,
        ...Object.fromEntries(
          fields.map((path, index) => [`i${index}`, path === '' ? cells.condition : (cells.inputs[index] ?? '')]),
        ),
        ...Object.fromEntries(outputs.map((_, index) => [`o${index}`, cells.outputs[index] ?? ''])),
      })),
      ...more,
    },
  }));

const switchNode: fc.Arbitrary<Draft> = fc
  .tuple(
    fc.array(fc.oneof(condition, fc.constantFrom('', 'a > 0', 'a <= 0')), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('first', 'collect'),
  )
  .map(([conditions, hitPolicy]) => {
    const statements = conditions.map((condition, index) => ({ id: `s${index}`, condition }));
    return { type: 'switchNode', content: { hitPolicy, statements }, statements: statements.map(({ id }) => id) };
  });

const decisionNode: fc.Arbitrary<Draft> = transform.map((more) => ({
  type: 'decisionNode',
  content: { key: 'other', ...more },
}));

const anyNode = fc.oneof(
  { weight: 3, arbitrary: expressionNode },
  { weight: 3, arbitrary: tableNode },
  { weight: 2, arbitrary: switchNode },
);

/** Which earlier nodes lead to a node, and over which of a switch's statements. */
const parents = fc.array(fc.tuple(fc.nat(20), fc.nat(5)), { minLength: 1, maxLength: 3 });

/** Nodes of which each has one or more of the nodes before it as its parents. */
function graphOf(middle: fc.Arbitrary<readonly Draft[]>): fc.Arbitrary<unknown> {
  return fc
    .tuple(middle, fc.array(parents, { minLength: 7, maxLength: 7 }), fc.boolean())
    .map(([drafts, ties, ends]) => assemble(drafts, ties, ends));
}

type Ties = readonly (readonly (readonly [from: number, handle: number])[])[];

function assemble(middle: readonly Draft[], ties: Ties, ends: boolean): unknown {
  const drafts: readonly Draft[] = [
    { type: 'inputNode', content: {} },
    ...middle,
    ...(ends ? [{ type: 'outputNode', content: {} }] : []),
  ];
  const nodes = drafts.map(({ type, content }, index) => ({ id: `n${index}`, name: nameOf(index), type, content }));
  const edges: object[] = [];
  drafts.forEach((_, index) => {
    if (index === 0) return;
    const drawn = new Set<string>();
    for (const [from, handle] of ties[index - 1] ?? [[0, 0]]) {
      // Mostly the node before, so that graphs are longer than wide.
      const parent = from < 10 ? index - 1 : from % index;
      const statements = drafts[parent]?.statements;
      const sourceHandle = statements?.[handle % statements.length];
      if (drawn.has(`${parent}:${sourceHandle ?? ''}`)) continue;
      drawn.add(`${parent}:${sourceHandle ?? ''}`);
      edges.push({
        id: `e${edges.length}`,
        sourceId: `n${parent}`,
        targetId: `n${index}`,
        ...(sourceHandle === undefined ? {} : { sourceHandle }),
      });
    }
  });
  return { nodes: nodes.map(withoutNodes), edges };
}

/** The package has no `$nodes` where a node selects its input. */
function withoutNodes<T extends { readonly content: unknown }>(node: T): T {
  const { inputField } = node.content as { inputField?: unknown };
  if (typeof inputField !== 'string' || inputField === '') return node;
  return JSON.parse(JSON.stringify(node).replaceAll('$nodes.', 'obj.')) as T;
}

const nameOf = (index: number): string => (index === 0 ? 'Request' : `node${index - 1}`);

/** A model of up to five nodes beside input and output; some name the model `other`. */
export const someModel: fc.Arbitrary<unknown> = graphOf(
  fc.array(fc.oneof({ weight: 8, arbitrary: anyNode }, { weight: 1, arbitrary: decisionNode }), {
    minLength: 1,
    maxLength: 5,
  }),
);

/**
 * A chain without decision nodes. Where the result of a decision is merged of several leaves, the package lets one round of
 * a loop write into another's.
 */
export const otherModel: fc.Arbitrary<unknown> = fc
  .tuple(fc.array(anyNode, { minLength: 1, maxLength: 2 }), fc.boolean())
  .map(([drafts, ends]) => assemble(drafts, [[[0, 0]], [[0, 1]], [[0, 2]]], ends));
