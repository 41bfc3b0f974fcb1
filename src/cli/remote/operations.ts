import type { Deployment } from '../../deployments/deployments.schema.js';
import type { Environment } from '../../environments/environments.schema.js';
import type { Decision, Version } from '../../decisions/routes/decisions.schema.js';
import type { FaultDocument } from '../../decisions/faults.js';
import type { Report } from '../replays/report.js';
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

export interface ImportReport {
  readonly revision: number;
  readonly decisions: readonly {
    /** Null where the import would make the decision. */
    readonly id: string | null;
    readonly key: string;
    readonly version: number;
    readonly change: 'created' | 'updated' | 'unchanged';
  }[];
  readonly faults: readonly FaultDocument[];
}

export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  readonly tests: readonly {
    readonly name: string;
    readonly passed: boolean;
    readonly differences: readonly {
      readonly pointer: string;
      readonly expected?: unknown;
      readonly actual?: unknown;
    }[];
  }[];
  readonly coverage: {
    readonly nodes: readonly { readonly nodeId: string; readonly hits: number }[];
    readonly rules: readonly { readonly nodeId: string; readonly ruleId: string; readonly hits: number }[];
  };
}

export interface Variable {
  readonly name: string;
  /** Absent of a secret. */
  readonly value?: unknown;
  readonly secret: boolean;
  readonly updatedAt: string;
}

export interface ExecutionSummary {
  readonly id: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: string;
  readonly performance: string;
  readonly createdAt: string;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly principal: string;
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string; readonly key?: string };
}

export interface Replay {
  readonly id: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
  readonly report: Report;
  readonly request: object;
  readonly error?: string;
  readonly createdAt: string;
}

export interface Shadow {
  readonly id: string;
  readonly status: string;
  readonly decisionId: string;
  readonly version: number;
  readonly sample: number;
  readonly expiresAt: string;
  readonly report: Report;
  readonly createdAt: string;
}

export interface Workspace {
  readonly id: string;
  readonly name: string;
}

export interface Hosts {
  readonly hosts: readonly string[];
}

/** A recorded execution, run again. */
export interface Explanation {
  readonly exact: boolean;
  readonly reasons: readonly string[];
  readonly result: unknown;
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

/** All that the command line asks of the service, by operation id. A test holds it against `openapi.json`. */
export const operations = {
  listWorkspaces: operation<PageOf<Workspace>>('GET', '/logic/workspaces'),
  listDecisions: operation<PageOf<Decision>>('GET', decisions),
  getDecision: operation<Decision>('GET', `${decisions}/{id}`),
  deleteDecision: operation<null>('DELETE', `${decisions}/{id}`),
  listVersions: operation<PageOf<Version>>('GET', `${decisions}/{id}/versions`),
  createVersion: operation<Version>('POST', `${decisions}/{id}/versions`),
  getVersion: operation<Version & { readonly content: unknown }>('GET', `${decisions}/{id}/versions/{version}`),
  compareVersions: operation<ModelDifferences>('GET', `${decisions}/{id}/versions/{from}/differences/{to}`),
  testDecision: operation<TestReport>('POST', `${decisions}/{id}/tests`),
  validateModels: operation<{ readonly faults: readonly FaultDocument[] }>('POST', '/logic/validations'),
  importModels: operation<ImportReport>('POST', '/logic/imports'),
  listEnvironments: operation<PageOf<Environment>>('GET', environments),
  createEnvironment: operation<Environment>('POST', environments),
  getEnvironment: operation<Environment>('GET', `${environments}/{id}`),
  updateEnvironment: operation<Environment>('PATCH', `${environments}/{id}`),
  deleteEnvironment: operation<null>('DELETE', `${environments}/{id}`),
  listVariables: operation<PageOf<Variable>>('GET', `${environments}/{id}/variables`),
  setVariable: operation<Variable>('PUT', `${environments}/{id}/variables/{name}`),
  deleteVariable: operation<null>('DELETE', `${environments}/{id}/variables/{name}`),
  getHosts: operation<Hosts>('GET', `${environments}/{id}/hosts`),
  setHosts: operation<Hosts>('PUT', `${environments}/{id}/hosts`),
  listDeployments: operation<PageOf<Deployment>>('GET', deployments),
  createDeployment: operation<Deployment>('POST', deployments),
  executeBatch: operation<null>('POST', '/logic/{environmentId}/decisions/{decisionId}/batches'),
  listExecutions: operation<PageOf<ExecutionSummary>>('GET', '/logic/executions'),
  getExecution: operation<Readonly<Record<string, unknown>>>('GET', '/logic/executions/{id}'),
  explainExecution: operation<Explanation>('GET', '/logic/executions/{id}/explanation'),
  createReplay: operation<Replay>('POST', '/logic/replays'),
  getReplay: operation<Replay>('GET', '/logic/replays/{id}'),
  deleteReplay: operation<null>('DELETE', '/logic/replays/{id}'),
  createShadow: operation<Shadow>('POST', '/logic/shadows'),
  listShadows: operation<PageOf<Shadow>>('GET', '/logic/shadows'),
  getShadow: operation<Shadow>('GET', '/logic/shadows/{id}'),
  deleteShadow: operation<null>('DELETE', '/logic/shadows/{id}'),
  listAuditEntries: operation<PageOf<AuditEntry>>('GET', '/logic/audit-entries'),
} as const;

function operation<Reply>(method: Operation<Reply>['method'], path: string): Operation<Reply> {
  return { method, path };
}
