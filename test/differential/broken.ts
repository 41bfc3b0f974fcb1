import fc from 'fast-check';
import { validate } from '../../workers/engine/index.js';
import { otherModel, someModel } from './graphs.js';
import type { GraphCase } from './cases.js';
import { someFullFact } from './values.js';

type Json = Record<string, unknown>;
type Nodes = { id: string; type: string; content: Json }[];
type Edges = Json[];

/** A model that is about to be broken, and numbers to choose its place by. */
interface Subject {
  readonly model: Json & { nodes: Nodes; edges: Edges };
  readonly at: number;
  readonly which: number;
}

type Breakage = (subject: Subject) => void;

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length];
const ofType = ({ model }: Subject, ...types: string[]): Nodes =>
  model.nodes.filter(({ type }) => types.includes(type));
const listOf = (node: { content: Json } | undefined, key: string): Json[] =>
  (node?.content[key] as Json[] | undefined) ?? [];

/** Of what does not compile: a beginning, an unknown function, a stray bracket. */
const wrong = ['1 +', 'nope(1)', ')'];
const wrongOf = ({ which }: Subject): string => pick(wrong, which) ?? '';

/** A node that nothing leads to, in which much may be wrong. */
const strays = (id: string): Nodes => [
  { id, type: 'expressionNode', content: { expressions: [{ id: 'x', key: 'x', value: '1 +' }] } },
  { id, type: 'expressionNode', content: { expressions: [], inputField: ')' } },
  { id, type: 'decisionNode', content: { key: 'gone' } },
  { id, type: 'decisionNode', content: { key: '' } },
  { id, type: 'customNode', content: { kind: 'own', config: {} } },
  { id, type: 'switchNode', content: { hitPolicy: 'first', statements: [] } },
  { id, type: 'outputNode', content: { schema: '{"type": "objekt"}' } },
];

function addStray({ model, at, which }: Subject): string {
  const id = `stray${model.nodes.length}`;
  const node = pick(strays(id), which);
  if (node !== undefined) model.nodes.splice(at % (model.nodes.length + 1), 0, { ...node, ...{ name: id } });
  return id;
}

/** Ways in which models that an editor leaves behind are broken, each in a small way. */
const breakages: Readonly<Record<string, Breakage>> = {
  'an edge to a statement that is gone': (subject) => {
    const switches = new Set(ofType(subject, 'switchNode').map(({ id }) => id));
    const edge = pick(
      subject.model.edges.filter(({ sourceId }) => switches.has(sourceId as string)),
      subject.at,
    );
    if (edge === undefined) return;
    if (subject.which % 3 === 0) delete edge['sourceHandle'];
    else edge['sourceHandle'] = pick(['gone', ''], subject.which);
  },
  'a statement that is gone': (subject) =>
    void listOf(pick(ofType(subject, 'switchNode'), subject.at), 'statements').splice(subject.which % 3, 1),
  'a node that nothing leads to': (subject) => void addStray(subject),
  'two of them, one behind the other': (subject) => {
    const [sourceId, targetId] = [addStray(subject), addStray(subject)];
    subject.model.edges.push({ id: `${sourceId}-${targetId}`, sourceId, targetId });
  },
  'a node behind the output': (subject) => {
    const [out] = ofType(subject, 'outputNode');
    if (out === undefined) return;
    const targetId = addStray(subject);
    subject.model.edges.push({ id: `out-${targetId}`, sourceId: out.id, targetId });
  },
  'an edge twice': ({ model, at, which }) => {
    const edge = pick(model.edges, at);
    if (edge !== undefined) model.edges.push({ ...edge, id: which % 2 === 0 ? edge['id'] : 'twice' });
  },
  'an edge that is gone': ({ model, at }) => void model.edges.splice(at % (model.edges.length + 1), 1),
  'a table without rules, inputs or outputs': (subject) => {
    const table = pick(ofType(subject, 'decisionTableNode'), subject.at);
    if (table !== undefined) table.content[pick(['rules', 'inputs', 'outputs'], subject.which) ?? ''] = [];
  },
  'a rule without some cells': (subject) => {
    const rule = pick(listOf(pick(ofType(subject, 'decisionTableNode'), subject.at), 'rules'), subject.which);
    const key = rule && pick(Object.keys(rule), subject.which);
    if (key !== undefined) delete rule?.[key];
  },
  'a cell that does not compile': (subject) => {
    const rule = pick(listOf(pick(ofType(subject, 'decisionTableNode'), subject.at), 'rules'), subject.which);
    const key = rule && pick(Object.keys(rule), subject.at);
    if (rule !== undefined && key !== undefined && key !== '_id') rule[key] = wrongOf(subject);
  },
  'a field that does not compile': (subject) => {
    const column = pick(listOf(pick(ofType(subject, 'decisionTableNode'), subject.at), 'inputs'), subject.which);
    if (column !== undefined) column['field'] = wrongOf(subject);
  },
  'a field that is gone': (subject) => {
    const column = pick(listOf(pick(ofType(subject, 'decisionTableNode'), subject.at), 'inputs'), subject.which);
    if (column !== undefined) delete column['field'];
  },
  'a condition that does not compile': (subject) => {
    const statement = pick(listOf(pick(ofType(subject, 'switchNode'), subject.at), 'statements'), subject.which);
    if (statement !== undefined) statement['condition'] = wrongOf(subject);
  },
  'an expression that does not compile': (subject) => {
    const node = pick(ofType(subject, 'expressionNode'), subject.at);
    // Whether a fact comes by is not a question of the model: behind a switch, and in a loop over nothing, it may not.
    if (ofType(subject, 'switchNode').length > 0 || node?.content['executionMode'] === 'loop') return;
    const expression = pick(listOf(node, 'expressions'), subject.which);
    if (expression !== undefined && expression['key'] !== '') expression['value'] = wrongOf(subject);
  },
  'no key or no value': (subject) => {
    const expression = pick(listOf(pick(ofType(subject, 'expressionNode'), subject.at), 'expressions'), subject.which);
    if (expression !== undefined) expression[pick(['key', 'value', 'id'], subject.which) ?? ''] = '';
  },
  'two nodes with one id': (subject) => {
    const { model, at, which } = subject;
    const steps = model.nodes.filter(({ type }) => type !== 'inputNode');
    // The last one counts, so that behind a switch whether a wrong one runs is a question of the fact.
    const value = ofType(subject, 'switchNode').length > 0 ? '1' : wrongOf(subject);
    const content = { expressions: [{ id: 'x', key: 'x', value }] };
    const twin = { id: pick(steps, at)?.id ?? '', name: 'twin', type: 'expressionNode', content };
    model.nodes.splice(which % (model.nodes.length + 1), 0, twin);
  },
  'an empty id': ({ model, at }) => {
    const node = pick(model.nodes, at);
    const id = node?.id;
    if (node === undefined) return;
    node.id = '';
    for (const edge of model.edges) {
      for (const end of ['sourceId', 'targetId']) if (edge[end] === id) edge[end] = '';
    }
  },
  'odd positions and unknown fields': ({ model, at }) => {
    Object.assign(model, { settings: 5, more: [{}] });
    Object.assign(pick(model.nodes, at) ?? {}, { position: 'here', width: null });
    Object.assign(pick(model.nodes, at)?.content ?? {}, { unknown: { deep: [1] } });
    Object.assign(pick(model.edges, at) ?? {}, { type: 7, label: {} });
  },
  'an input schema': ({ model, which }) => {
    const node = model.nodes.find(({ type }) => type === 'inputNode');
    const schemas = [
      '',
      '{',
      '{"type": "objekt"}',
      '{"type": "object"}',
      null,
      '{"properties": {"a": {"format": "zz"}}}',
    ];
    if (node !== undefined) node.content = { schema: pick(schemas, which) };
  },
  'a part that is gone or of another kind': ({ model, at, which }) => {
    const holders: Json[] = [model];
    JSON.stringify(model, (key, item: unknown) => {
      // The order in which nodes are called is another matter, and so is an empty column.
      if (typeof item === 'object' && item !== null && key !== 'rules') holders.push(item as Json);
      return item;
    });
    const holder = pick(holders, at);
    const key = holder && pick(Object.keys(holder), which);
    if (holder === undefined || key === undefined || key === 'field' || Array.isArray(holder)) return;
    // The package takes a number for the place of a node type in its own list of them.
    const value = pick([undefined, null, key === 'type' ? {} : 5, {}, 'text'], which);
    if (value === undefined) delete holder[key];
    else holder[key] = value;
  },
};

const isSound = (model: unknown): boolean => validate(model, { knows: (key) => key === 'other' }).length === 0;

/** A model that was valid, broken in one to three small ways; with a fact. */
export const brokenCase: fc.Arbitrary<GraphCase & { readonly ways: readonly string[] }> = fc
  .tuple(
    someModel.filter(isSound),
    otherModel.filter(isSound),
    someFullFact,
    fc.array(fc.record({ way: fc.constantFrom(...Object.keys(breakages)), at: fc.nat(1000), which: fc.nat(1000) }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([valid, other, fact, chosen]) => {
    const model = structuredClone(valid) as Subject['model'];
    for (const { way, at, which } of chosen) {
      // An earlier way may have taken away what a later one needs.
      try {
        breakages[way]?.({ model, at, which });
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
    const ways = chosen.map(({ way }) => way);
    return {
      kind: 'graph' as const,
      model: JSON.parse(JSON.stringify(model)) as unknown,
      fact,
      others: { other },
      ways,
    };
  });
