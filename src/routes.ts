import type { ModelWork } from '../workers/models/index.js';
import { poolRoutes } from './admin/pool.routes.js';
import { agentRoutes } from './agents/agents.routes.js';
import { analysisRoutes } from './analyses/analyses.routes.js';
import { auditRoutes } from './access/audit.routes.js';
import { decisionRoutes } from './decisions/routes/decisions.routes.js';
import { importRoutes } from './decisions/routes/imports.routes.js';
import { modelRoutes } from './decisions/routes/models.routes.js';
import { conversionRoutes } from './decisions/tables/conversions.routes.js';
import { tableRoutes, testFileRoutes } from './decisions/tables/tables.routes.js';
import { versionRoutes } from './decisions/routes/versions.routes.js';
import { protectionRoutes } from './changes/protection.routes.js';
import { changeRoutes } from './changes/requests.routes.js';
import { refreshAfterMove } from './changes/refresh.js';
import { tellRequestsRemoved } from './changes/requests.service.js';
import { deploymentRoutes } from './deployments/deployments.routes.js';
import { environmentRoutes } from './environments/environments.routes.js';
import { hostsRoutes } from './environments/hosts.routes.js';
import { variableRoutes } from './environments/variables.routes.js';
import type { DeclaredApi } from './api/openapi/document.js';
import type { ApiRoute } from './api/authorize.js';
import type { LogicRoute } from './api/logicRoute.js';
import { erasureRoutes } from './erasures/erasures.routes.js';
import { evidenceRoutes } from './evidence/evidence.routes.js';
import { inquiryRoutes } from './inquiries/inquiries.routes.js';
import { clientsRoutes } from './access/clients.routes.js';
import { callbackRoutes } from './outbox/callback.routes.js';
import { workspaceEvents } from './outbox/workspaceEvents.schema.js';
import { events } from './outbox/events.schema.js';
import { outcomeRoutes } from './replays/outcomes/outcomes.routes.js';
import { measureRoutes } from './measures/measures.routes.js';
import { monitorRoutes } from './measures/monitors/monitors.routes.js';
import { tellMonitorsRemoved } from './measures/monitors/monitors.store.js';
import { replayRoutes } from './replays/replays.routes.js';
import { shadowRoutes } from './replays/shadows.routes.js';
import { endShadowsOf } from './replays/shadows.service.js';
import { batchRoutes } from './runs/batches/batches.routes.js';
import { draftRoutes } from './runs/drafts.routes.js';
import { evaluationRoutes } from './runs/evaluations.routes.js';
import { executionRoutes } from './runs/executions.routes.js';
import { historyRoutes } from './runs/history.routes.js';
import { retentionRoutes } from './runs/retention/retention.routes.js';
import { endRetention } from './runs/retention/retention.store.js';
import { decisionOpenApiRoutes } from './runs/decisionOpenApi.routes.js';
import { principalRoutes, workspaceRoutes } from './access/principals.routes.js';
import { tenancyRoutes } from './access/tenancy.routes.js';

type PartsOf<Routes> = [Routes] extends [(parts: infer Parts) => unknown] ? Parts : never;

/** Work on one model, which its author waits for, goes to the pool at once; work on many, or on files, gives way to live work before. */
interface Work {
  readonly models: ModelWork;
  readonly pool: ModelWork;
}

const ofOneModel =
  <Parts extends Pick<Work, 'models'>>(routes: (parts: Parts) => LogicRoute[]) =>
  (parts: Parts & Work): LogicRoute[] =>
    routes({ ...parts, models: parts.pool });

type Moving = Omit<PartsOf<typeof deploymentRoutes>, 'moved'> & Omit<Parameters<typeof refreshAfterMove>[1], 'actor'>;

/** Every operation but those of agents, by rooms. */
const rooms = [
  (parts: Omit<PartsOf<typeof environmentRoutes>, 'removedWith'>) =>
    environmentRoutes({
      ...parts,
      removedWith: [endRetention, tellMonitorsRemoved, tellRequestsRemoved, endShadowsOf],
    }),
  ofOneModel(decisionRoutes),
  ofOneModel(versionRoutes),
  importRoutes,
  ofOneModel(modelRoutes),
  tableRoutes,
  testFileRoutes,
  conversionRoutes,
  ofOneModel(analysisRoutes),
  decisionOpenApiRoutes,
  ofOneModel(draftRoutes),
  variableRoutes,
  hostsRoutes,
  (parts: Moving) =>
    deploymentRoutes({
      ...parts,
      moved: (transaction, actor, ref) => refreshAfterMove(transaction, { ...parts, actor }, ref),
    }),
  protectionRoutes,
  changeRoutes,
  callbackRoutes,
  historyRoutes,
  retentionRoutes,
  erasureRoutes,
  evidenceRoutes,
  replayRoutes,
  shadowRoutes,
  outcomeRoutes,
  measureRoutes,
  monitorRoutes,
  auditRoutes,
  poolRoutes,
  evaluationRoutes,
  executionRoutes,
  batchRoutes,
  workspaceRoutes,
  principalRoutes,
  inquiryRoutes,
  clientsRoutes,
  tenancyRoutes,
] as const;

/** The parts of the service that routes use: all that any of the rooms names. */
export type RouteParts = PartsOf<(typeof rooms)[number]> & Omit<PartsOf<typeof agentRoutes>, 'routes'>;

/** Every operation of the API. The OpenAPI document is made from the same list. */
export function routesOf(parts: RouteParts): DeclaredApi {
  const routes = rooms.flatMap((room): ApiRoute[] => room(parts));
  const ofWorkspace = routes.filter((route) => route.by === 'workspace');
  return {
    routes: [...routes, ...agentRoutes({ ...parts, routes: ofWorkspace })],
    webhooks: [...events, ...workspaceEvents],
  };
}
