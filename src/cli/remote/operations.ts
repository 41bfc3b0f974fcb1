import type {
  Analysis,
  AuditEntryPage,
  ChangeRequest,
  ChangeRequestPage,
  Conversion,
  Decision,
  DecisionPage,
  Deployment,
  DeploymentPage,
  Environment,
  EnvironmentPage,
  EvidenceConsistency,
  ExecutionExplanation,
  ExecutionProof,
  ExecutionSummaryPage,
  FileImport,
  Hosts,
  ImportReport,
  RecordedExecution,
  Replay,
  Shadow,
  ShadowPage,
  TestReport,
  Validation,
  Variable,
  VariablePage,
  Version,
  VersionPage,
  VersionWithContent,
  WorkspacePage,
} from '../../../dist/openapi/types.gen.js';
import type { Inquiry, InquirySummary } from '../../inquiries/inquiries.schema.js';
import type { Client } from '../../access/clients.schema.js';
import type { RotatedSecret } from '../../access/clientSecrets.js';
import type { Policy } from '../../workspaces/policies.js';
import type { Workspace as TenantWorkspace } from '../../workspaces/workspaces.store.js';
import type { ModelDifferences } from '../../../workers/models/index.js';

/** One operation of the API, as its OpenAPI document names it. */
export interface Operation<Reply> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Never set: what the service answers is a type alone. */
  readonly reply?: Reply;
}

export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly page: { readonly after: string | null };
}

/** A recorded execution, run again. */
export interface Explanation extends Omit<ExecutionExplanation, 'trace'> {
  readonly trace: Readonly<Record<string, ExplainedNode>> | null;
}

export interface ExplainedNode {
  readonly name: string;
  readonly order: number;
  readonly performance: string;
  readonly output: unknown;
  readonly error?: { readonly message: string };
}

const decisions = '/logic/decisions';
const environments = '/logic/environments';
const deployments = '/logic/deployments';
const changeRequests = '/logic/change-requests';
const clients = '/core/v1/clients';
const workspaces = '/core/v1/workspaces';
const inquiries = '/fuse/v2/inquiries';

/** All that the command line asks of the service, by operation id. A test holds it against `openapi.json`. */
export const operations = {
  listWorkspaces: operation<WorkspacePage>('GET', '/logic/workspaces'),
  listDecisions: operation<DecisionPage>('GET', decisions),
  getDecision: operation<Decision>('GET', `${decisions}/{id}`),
  createDecision: operation<Decision>('POST', decisions),
  updateDecision: operation<Decision>('PATCH', `${decisions}/{id}`),
  deleteDecision: operation<null>('DELETE', `${decisions}/{id}`),
  listVersions: operation<VersionPage>('GET', `${decisions}/{id}/versions`),
  createVersion: operation<Version>('POST', `${decisions}/{id}/versions`),
  getVersion: operation<VersionWithContent>('GET', `${decisions}/{id}/versions/{version}`),
  compareVersions: operation<ModelDifferences>('GET', `${decisions}/{id}/versions/{from}/differences/{to}`),
  testDecision: operation<TestReport>('POST', `${decisions}/{id}/tests`),
  analyseModel: operation<Analysis>('POST', '/logic/analyses'),
  getTableSheet: operation<null>('GET', `${decisions}/{id}/versions/{version}/tables/{nodeId}.xlsx`),
  getTableCsv: operation<null>('GET', `${decisions}/{id}/versions/{version}/tables/{nodeId}.csv`),
  importTable: operation<FileImport>('PUT', `${decisions}/{id}/tables/{nodeId}`),
  getTestsSheet: operation<null>('GET', `${decisions}/{id}/tests.xlsx`),
  getTestsCsv: operation<null>('GET', `${decisions}/{id}/tests.csv`),
  importTestsSheet: operation<FileImport>('PUT', `${decisions}/{id}/tests.xlsx`),
  importTestsCsv: operation<FileImport>('PUT', `${decisions}/{id}/tests.csv`),
  convertTable: operation<Conversion>('POST', '/logic/conversions/table'),
  validateModels: operation<Validation>('POST', '/logic/validations'),
  importModels: operation<ImportReport>('POST', '/logic/imports'),
  listEnvironments: operation<EnvironmentPage>('GET', environments),
  createEnvironment: operation<Environment>('POST', environments),
  getEnvironment: operation<Environment>('GET', `${environments}/{id}`),
  updateEnvironment: operation<Environment>('PATCH', `${environments}/{id}`),
  deleteEnvironment: operation<null>('DELETE', `${environments}/{id}`),
  listVariables: operation<VariablePage>('GET', `${environments}/{id}/variables`),
  setVariable: operation<Variable>('PUT', `${environments}/{id}/variables/{name}`),
  deleteVariable: operation<null>('DELETE', `${environments}/{id}/variables/{name}`),
  getHosts: operation<Hosts>('GET', `${environments}/{id}/hosts`),
  setHosts: operation<Hosts>('PUT', `${environments}/{id}/hosts`),
  getEvaluationHosts: operation<Hosts>('GET', '/logic/evaluation-hosts'),
  setEvaluationHosts: operation<Hosts>('PUT', '/logic/evaluation-hosts'),
  listDeployments: operation<DeploymentPage>('GET', deployments),
  createDeployment: operation<Deployment>('POST', deployments),
  listChangeRequests: operation<ChangeRequestPage>('GET', changeRequests),
  createChangeRequest: operation<ChangeRequest>('POST', changeRequests),
  getChangeRequest: operation<ChangeRequest>('GET', `${changeRequests}/{id}`),
  reviewChangeRequest: operation<ChangeRequest>('POST', `${changeRequests}/{id}/reviews`),
  applyChangeRequest: operation<ChangeRequest>('POST', `${changeRequests}/{id}/apply`),
  closeChangeRequest: operation<ChangeRequest>('POST', `${changeRequests}/{id}/close`),
  executeBatch: operation<null>('POST', '/logic/{environmentId}/decisions/{decisionId}/batches'),
  listExecutions: operation<ExecutionSummaryPage>('GET', '/logic/executions'),
  getExecution: operation<RecordedExecution>('GET', '/logic/executions/{id}'),
  explainExecution: operation<Explanation>('GET', '/logic/executions/{id}/explanation'),
  proveExecution: operation<ExecutionProof>('GET', '/logic/executions/{id}/proof'),
  getEvidenceConsistency: operation<EvidenceConsistency>('GET', '/logic/evidence/consistency'),
  createReplay: operation<Replay>('POST', '/logic/replays'),
  getReplay: operation<Replay>('GET', '/logic/replays/{id}'),
  deleteReplay: operation<null>('DELETE', '/logic/replays/{id}'),
  createShadow: operation<Shadow>('POST', '/logic/shadows'),
  listShadows: operation<ShadowPage>('GET', '/logic/shadows'),
  getShadow: operation<Shadow>('GET', '/logic/shadows/{id}'),
  deleteShadow: operation<null>('DELETE', '/logic/shadows/{id}'),
  listClients: operation<PageOf<Client>>('GET', clients),
  createClient: operation<Client & { readonly secret: string }>('POST', clients),
  getClient: operation<Client>('GET', `${clients}/{id}`),
  updateClient: operation<Client>('PATCH', `${clients}/{id}`),
  deleteClient: operation<null>('DELETE', `${clients}/{id}`),
  createClientSecret: operation<RotatedSecret>('POST', `${clients}/{id}/secrets`),
  listTenantWorkspaces: operation<PageOf<TenantWorkspace>>('GET', workspaces),
  createWorkspace: operation<TenantWorkspace>('POST', workspaces),
  listPolicies: operation<PageOf<Policy>>('GET', `${workspaces}/{id}/policies`),
  createPolicy: operation<Policy>('POST', `${workspaces}/{id}/policies`),
  deletePolicy: operation<null>('DELETE', `${workspaces}/{id}/policies/{policyId}`),
  createInquiry: operation<Inquiry>('POST', inquiries),
  listInquiries: operation<PageOf<InquirySummary>>('GET', inquiries),
  getInquiry: operation<Inquiry>('GET', `${inquiries}/{inquiryId}`),
  setPrerequisite: operation<Inquiry>('PATCH', `${inquiries}/{inquiryId}/prerequisites/{prerequisiteId}`),
  completeInquiry: operation<Inquiry>('POST', `${inquiries}/{inquiryId}/completion`),
  deleteInquiry: operation<null>('DELETE', `${inquiries}/{inquiryId}`),
  listAuditEntries: operation<AuditEntryPage>('GET', '/logic/audit-entries'),
} as const;

function operation<Reply>(method: Operation<Reply>['method'], path: string): Operation<Reply> {
  return { method, path };
}
