import { calling, doubling } from '../models.js';
import { asCsv, asXlsx, plainFile } from '../sheets.js';
import { fact } from './executing.js';
import type { Plan } from './plans.js';
import type { Named, Reach } from './reach.js';
import type { World } from './world.js';

interface Ways {
  readonly byId: (idOf: (world: World) => string, wanted: Reach['wanted'], body?: object) => Plan;
}

const csv = (text: string): Named => ({ body: Buffer.from(text), headers: asCsv });

const tableFile: Plan = {
  own: ({ decisionId }) => ({ params: { id: decisionId, version: '0', nodeId: 'fees' } }),
  reaches: (_mine, { decisionId }) =>
    ['0', '1'].map((version) => ({
      what: `the table of their version ${version}`,
      named: { params: { id: decisionId, version, nodeId: 'fees' } },
      wanted: 'decision_not_found',
    })),
};

const testsFile = (file: Named): Plan => ({
  own: ({ decisionId }) => ({ params: { id: decisionId }, ...file }),
  reaches: (_mine, { decisionId }) => [
    { what: 'their tests', named: { params: { id: decisionId }, ...file }, wanted: 'decision_not_found' },
  ],
});

/** The plans of operations on whole models: checking, importing, trying, testing, analysing. */
export const modelPlans = ({ byId }: Ways): Readonly<Record<string, Plan>> => ({
  // By their id: an answer may repeat the name that was asked for.
  validateModels: {
    own: () => ({ body: { decisions: [] } }),
    reaches: (_mine, { decisionId }) => [
      {
        what: 'their decision as a sub-decision',
        named: { body: { decisions: [{ key: 'x', content: calling(decisionId) }] } },
        wanted: 200,
      },
    ],
  },
  importModels: {
    own: () => ({ body: { decisions: [] } }),
    reaches: (_mine, { decisionId }) => [
      {
        what: 'their decision as a sub-decision',
        named: { body: { decisions: [{ key: 'x', content: calling(decisionId) }] } },
        wanted: 'model_has_faults',
      },
    ],
  },
  evaluateDraft: {
    own: () => ({ body: { content: doubling(2), ...fact } }),
    reaches: (_mine, { decisionId }) => [
      {
        what: 'their decision as a sub-decision',
        named: { body: { content: calling(decisionId), ...fact } },
        wanted: 201,
      },
    ],
  },
  testDecision: byId(({ decisionId }) => decisionId, 'decision_not_found', { version: 0 }),
  analyseModel: {
    own: ({ decisionId }) => ({ body: { decisionId, version: 1, against: { version: 0 } } }),
    reaches: (_mine, { decisionId }) => [
      ...[0, 1].map((version): Reach => ({
        what: `their decision's version ${version}`,
        named: { body: { decisionId, version } },
        wanted: 'decision_not_found',
      })),
      { what: 'their decision as a sub-decision', named: { body: { content: calling(decisionId) } }, wanted: 200 },
    ],
  },
  ...Object.fromEntries(['getTableSheet', 'getTableCsv'].map((operation) => [operation, tableFile])),
  importTable: {
    own: ({ decisionId }) => ({ params: { id: decisionId, nodeId: 'fees' }, ...csv(`a,b\n,'own'\n`) }),
    reaches: (_mine, { decisionId }) => [
      {
        what: 'their table',
        named: { params: { id: decisionId, nodeId: 'fees' }, ...csv('a,b\n1,2\n') },
        wanted: 'decision_not_found',
      },
    ],
  },
  ...Object.fromEntries(
    ['getTestsSheet', 'getTestsCsv'].map((operation) => [
      operation,
      byId(({ decisionId }) => decisionId, 'decision_not_found'),
    ]),
  ),
  importTestsCsv: testsFile(csv('name\n')),
  importTestsSheet: testsFile({
    body: Buffer.from(plainFile([['name']])),
    headers: asXlsx,
  }),
  convertTable: { own: () => csv('a,b\n1,2\n'), reaches: () => [] },
  suggestTests: byId(({ decisionId }) => decisionId, 'decision_not_found', { version: 0 }),
  getSchemas: {
    own: ({ decisionId }) => ({ params: { id: decisionId, version: '0' } }),
    reaches: (_mine, { decisionId }) =>
      ['0', '1'].map((version) => ({
        what: `their version ${version}`,
        named: { params: { id: decisionId, version } },
        wanted: 'decision_not_found' as const,
      })),
  },
});
