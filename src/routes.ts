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
import { deploymentRoutes } from './deployments/deployments.routes.js';
import { environmentRoutes } from './environments/environments.routes.js';
import { hostsRoutes } from './environments/hosts.routes.js';
import { variableRoutes } from './environments/variables.routes.js';
import type { DeclaredApi } from './api/openapi/document.js';
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
import { replayRoutes } from './replays/replays.routes.js';
import { shadowRoutes } from './replays/shadows.routes.js';
import { batchRoutes } from './runs/batches/batches.routes.js';
import { draftRoutes } from './runs/drafts.routes.js';
import { evaluationRoutes } from './runs/evaluations.routes.js';
import { executionRoutes } from './runs/executions.routes.js';
import { historyRoutes } from './runs/history.routes.js';
import { retentionRoutes } from './runs/retention/retention.routes.js';
import { decisionOpenApiRoutes } from './runs/decisionOpenApi.routes.js';
import { principalRoutes, workspaceRoutes } from './access/principals.routes.js';
import { tenancyRoutes } from './access/tenancy.routes.js';

type Of<Routes extends (parts: never) => unknown> = Parameters<Routes>[0];

/** The parts of the service that routes use: all that any of the lists of routes below names. */
export type RouteParts = Of<typeof environmentRoutes> &
  Of<typeof decisionRoutes> &
  Of<typeof versionRoutes> &
  Of<typeof modelRoutes> &
  Of<typeof draftRoutes> &
  Of<typeof variableRoutes> &
  Of<typeof hostsRoutes> &
  Omit<Of<typeof deploymentRoutes>, 'moved'> &
  Of<typeof protectionRoutes> &
  Of<typeof changeRoutes> &
  Of<typeof callbackRoutes> &
  Of<typeof historyRoutes> &
  Of<typeof erasureRoutes> &
  Of<typeof evidenceRoutes> &
  Of<typeof replayRoutes> &
  Of<typeof shadowRoutes> &
  Of<typeof outcomeRoutes> &
  Of<typeof measureRoutes> &
  Of<typeof auditRoutes> &
  Of<typeof evaluationRoutes> &
  Of<typeof executionRoutes> &
  Of<typeof batchRoutes> &
  Of<typeof inquiryRoutes> &
  Of<typeof clientsRoutes> &
  Of<typeof tenancyRoutes> &
  Of<typeof workspaceRoutes> &
  Of<typeof importRoutes> &
  Of<typeof tableRoutes> &
  Of<typeof analysisRoutes> &
  Omit<Of<typeof agentRoutes>, 'routes'> &
  Of<typeof decisionOpenApiRoutes> & {
    /** Work on many models, or on files: it gives way to live work before it goes to the pool. */
    readonly models: ModelWork;
    /** Work on one model, which its author waits for: it goes to the pool at once. */
    readonly pool: ModelWork;
    readonly readPools: Of<typeof poolRoutes>;
  };

/** Every operation of the API. The OpenAPI document is made from the same list. */
export function routesOf(parts: RouteParts): DeclaredApi {
  const executions = executionRoutes(parts);
  const history = historyRoutes(parts);
  const imports = importRoutes(parts);
  const oneModel = { ...parts, models: parts.pool };
  return {
    routes: [
      ...environmentRoutes(parts),
      ...decisionRoutes(oneModel),
      ...versionRoutes(oneModel),
      ...imports,
      ...modelRoutes(oneModel),
      ...tableRoutes(parts),
      ...testFileRoutes(parts),
      ...conversionRoutes(parts),
      ...analysisRoutes(oneModel),
      ...decisionOpenApiRoutes(parts),
      ...draftRoutes(oneModel),
      ...variableRoutes(parts),
      ...hostsRoutes(parts),
      ...deploymentRoutes({
        ...parts,
        moved: (transaction, actor, ref) => refreshAfterMove(transaction, { ...parts, actor }, ref),
      }),
      ...protectionRoutes(parts),
      ...changeRoutes(parts),
      ...callbackRoutes(parts),
      ...history,
      ...retentionRoutes(parts),
      ...erasureRoutes(parts),
      ...evidenceRoutes(parts),
      ...replayRoutes(parts),
      ...shadowRoutes(parts),
      ...outcomeRoutes(parts),
      ...measureRoutes(parts),
      ...monitorRoutes(parts),
      ...auditRoutes(parts),
      ...poolRoutes(parts.readPools),
      ...evaluationRoutes(parts),
      ...executions,
      ...batchRoutes(parts),
      ...agentRoutes({ ...parts, routes: [...executions, ...history, ...imports] }),
      ...workspaceRoutes(parts),
      ...principalRoutes(parts),
      ...inquiryRoutes(parts),
      ...clientsRoutes(parts),
      ...tenancyRoutes(parts),
    ],
    webhooks: [...events, ...workspaceEvents],
  };
}
