import { newId } from '../../../src/storage/ids.js';
import type { Makers, Plan } from './plans.js';
import { otherState } from './reach.js';
import type { World } from './world.js';

const references = (environment: World, decision: World): object => ({
  environmentId: environment.environmentId,
  decisionId: decision.decisionId,
});
const replaying = (environment: World, decision: World): object => ({
  ...references(environment, decision),
  candidate: { version: 1 },
});
const shadowing = (environment: World, decision: World): object => ({
  ...references(environment, decision),
  version: 1,
  sample: 0.5,
  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
});

const telling = (subject: object): object => ({ outcomes: [{ ...subject, name: 'fraud', value: true }] });

const watching = (environment: World, decision: World): object => ({
  ...references(environment, decision),
  ...{ name: decision.mark, measure: 'failed', window: '24h', condition: '> 0.5' },
});

/** The plans of the operations on replays and shadows. */
export const replayPlans = ({ byId, listing, referring }: Makers): Readonly<Record<string, Plan>> => ({
  createReplay: referring(replaying),
  listReplays: listing('replays'),
  getReplay: byId(({ replayId }) => replayId, 'replay_not_found'),
  listReplayDifferences: byId(({ replayId }) => replayId, 'replay_not_found'),
  deleteReplay: { ...byId(({ replayId }) => replayId, 204), own: ({ replayId }) => otherState({ id: replayId }) },
  createShadow: referring(shadowing),
  listShadows: listing('shadows'),
  getShadow: byId(({ shadowId }) => shadowId, 'shadow_not_found'),
  putOutcomes: {
    own: ({ executionId }) => ({ body: telling({ executionId }) }),
    // What is told stays in one's own workspace, whatever it names.
    reaches: (_mine, { mark }) => [
      { what: 'their reference', named: { body: telling({ reference: mark }) }, wanted: 200 },
    ],
  },
  createErasure: {
    own: () => ({ body: { executionIds: [newId()] } }),
    // An erasure stays in one's own workspace, whatever it names. Seconds later it removes what was told there of the same
    // name, so the two operations name theirs in different ways.
    reaches: (_mine, { executionId }) => [
      { what: 'their execution', named: { body: { executionIds: [executionId] } }, wanted: 202 },
    ],
  },
  getMeasures: {
    own: ({ decisionId }) => ({ query: `?decisionId=${decisionId}` }),
    reaches: (mine, theirs) => [
      { what: 'their decision', named: { query: `?decisionId=${theirs.decisionId}` }, wanted: 'decision_not_found' },
      {
        what: 'their environment',
        named: { query: `?decisionId=${mine.decisionId}&environmentId=${theirs.environmentId}` },
        wanted: 200,
      },
    ],
  },
  createMonitor: referring(watching),
  listEvidenceFindings: listing('findings'),
  listErasures: listing('erasures'),
  getErasure: byId(({ erasureId }) => erasureId, 'erasure_not_found'),
  listMonitors: listing('monitors'),
  getMonitor: byId(({ monitorId }) => monitorId, 'monitor_not_found'),
  deleteMonitor: { ...byId(({ monitorId }) => monitorId, 204), own: ({ monitorId }) => otherState({ id: monitorId }) },
  setMeasured: byId(({ decisionId }) => decisionId, 'decision_not_found', { pointers: ['/mark'] }),
  deleteShadow: { ...byId(({ shadowId }) => shadowId, 204), own: ({ shadowId }) => otherState({ id: shadowId }) },
});
