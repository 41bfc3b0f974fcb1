// One script for the pages about what runs, and for whom.
export { AccessPage } from '../access/accessPage.js';
export { AuditPage } from '../audit/auditPage.js';
export { DeploymentsPage } from '../deployments/deploymentsPage.js';
export { EnvironmentPage } from '../environments/environmentPage.js';
export { ExecutionPage } from '../executions/executionPage.js';
export { ExecutionsPage } from '../executions/executionsPage.js';
export { ReplayPage } from '../replays/replayPage.js';
export { ReplaysPage } from '../replays/replaysPage.js';
