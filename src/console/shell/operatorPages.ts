// One script for the pages about what runs, and for whom.
export { AccessPage } from '../access/accessPage.js';
export { AuditPage } from '../audit/auditTable.js';
export { DeploymentsPage } from '../deployments/deploymentsPage.js';
export { EnvironmentPage } from '../environments/environmentPage.js';
export { OversightPage } from '../oversight/oversightPage.js';
