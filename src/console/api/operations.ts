import type { Answer, Call, Query } from './client.js';
import { contentOf, modelOf } from './contents.js';
import { createTurns } from './turns.js';
import type {
  Analysis,
  AuditEntry,
  ChangeReports,
  ChangeRequest,
  Client,
  Conversion,
  CreateChangeRequest,
  CreateDeployment,
  CreateMonitor,
  CreateReview,
  Decision,
  Deployment,
  Differences,
  Environment,
  EnvironmentProtection,
  Evaluation,
  Execution,
  ExecutionSummary,
  Explanation,
  Fault,
  Measurements,
  Model,
  Monitor,
  Page,
  Policy,
  PolicyFields,
  Pool,
  Protection,
  Replay,
  Schemas,
  Suggestions,
  TableImport,
  TestReport,
  Variable,
  Version,
  VersionWithContent,
  Workspace,
} from './types.js';

type Signal = AbortSignal | undefined;

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Systems differ in what they say of a file's type; its name tells it. */
const sheetOf = (file: File): Blob =>
  new Blob([file], { type: file.name.toLowerCase().endsWith('.csv') ? 'text/csv' : sheetType });

interface AnalysisFields {
  readonly content?: Model;
  readonly [name: string]: unknown;
}

/** Lists are read in pages of this size, the largest there is. */
const pageSize = 5000;

/** The operations of the API that the console uses, typed; every request of the console is one of them. */
export function createOperations(call: Call) {
  // What the service promises of its answers is checked by its own tests, not by every browser again.
  const get = async <Body>(path: string, query: Query = {}, signal?: Signal): Promise<Body> =>
    (await call('GET', path, { query, ...(signal === undefined ? {} : { signal }) })).body as Body;
  const post = async <Body>(path: string, body: object | string, signal?: Signal): Promise<Body> =>
    (await call('POST', path, { body, ...(signal === undefined ? {} : { signal }) })).body as Body;
  const turns = createTurns();
  /** Of a draft, which is not stored: what a person saves goes first. */
  const check = <Body>(path: string, body: object | string, signal?: Signal): Promise<Body> =>
    turns.check((own) => post<Body>(path, body, own), signal);

  async function all<Item>(path: string, query: Query = {}, signal?: Signal): Promise<Item[]> {
    const items: Item[] = [];
    for (let after: string | null = null; ;) {
      const found: Page<Item> = await get(path, { ...query, size: pageSize, after }, signal);
      items.push(...found.data);
      after = found.page.after;
      if (found.data.length < pageSize || after === null) return items;
    }
  }

  return {
    /** A page of a list. */
    page: <Row>(path: string, query: Query, signal?: Signal) => get<Page<Row>>(path, query, signal),
    /** All of a list, as a file. */
    listFile: async (path: string, query: Query) =>
      (await call('GET', path, { query, isFile: true, headers: { Accept: 'text/csv' } })).body as Blob,
    workspaces: (signal?: Signal) => all<Workspace>('/logic/workspaces', {}, signal),
    environments: (signal?: Signal) => all<Environment>('/logic/environments', {}, signal),
    environment: (id: string, signal?: Signal) => get<Environment>(`/logic/environments/${id}`, {}, signal),
    variables: (environmentId: string, signal?: Signal) =>
      all<Variable>(`/logic/environments/${environmentId}/variables`, {}, signal),
    setVariable: (environmentId: string, name: string, fields: { readonly value: unknown; readonly secret: boolean }) =>
      call('PUT', `/logic/environments/${environmentId}/variables/${encodeURIComponent(name)}`, { body: fields }),
    removeVariable: (environmentId: string, name: string) =>
      call('DELETE', `/logic/environments/${environmentId}/variables/${encodeURIComponent(name)}`),
    hosts: (environmentId: string, signal?: Signal) =>
      get<{ readonly hosts: readonly string[] }>(`/logic/environments/${environmentId}/hosts`, {}, signal),
    setHosts: (environmentId: string, hosts: readonly string[]) =>
      call('PUT', `/logic/environments/${environmentId}/hosts`, { body: { hosts } }),
    createEnvironment: (name: string) => post<Environment>('/logic/environments', { name }),

    decisions: (signal?: Signal) => all<Decision>('/logic/decisions', { order: 'key' }, signal),
    decisionsWith: (search: string, signal?: Signal) =>
      all<Decision>('/logic/decisions', { order: 'key', search }, signal),
    decision: (id: string, signal?: Signal) => get<Decision>(`/logic/decisions/${id}`, {}, signal),
    createDecision: async (key: string, content: Model) =>
      post<Decision>('/logic/decisions', { key, content: await contentOf(content) }),
    /** A model made of a plain spreadsheet, which is stored nowhere. @param inputs names of columns; null lets the service guess */
    convertTable: async (file: File, inputs: readonly string[] | null, outputs: readonly string[] | null) => {
      const names = (list: readonly string[] | null) => (list === null ? undefined : list.join(','));
      const query = { inputs: names(inputs), outputs: names(outputs) };
      const { body } = await call('POST', '/logic/conversions/table', { query, body: sheetOf(file) });
      return body as Conversion & { readonly content: Model };
    },
    /** With the tag by which `updateDecision` notices another's change. */
    decisionWithTag: async (id: string, signal?: Signal) =>
      tagged(await call('GET', `/logic/decisions/${id}`, signal === undefined ? {} : { signal })),
    updateDecision: async (
      id: string,
      content: Model,
      { force, tag }: { readonly force: boolean; readonly tag: string | null },
    ) =>
      tagged(
        await turns.write(async () =>
          call('PATCH', `/logic/decisions/${id}`, {
            query: { force: force ? 'true' : undefined },
            body: { content: await contentOf(content) },
            headers: ifMatch(tag),
          }),
        ),
      ),
    renameDecision: (id: string, key: string) => call('PATCH', `/logic/decisions/${id}`, { body: { key } }),
    removeDecision: (id: string) => call('DELETE', `/logic/decisions/${id}`),
    versions: (id: string, signal?: Signal) => all<Version>(`/logic/decisions/${id}/versions`, {}, signal),
    version: async (id: string, version: number, signal?: Signal): Promise<VersionWithContent> => {
      const found: VersionWithContent = await get(`/logic/decisions/${id}/versions/${version}`, {}, signal);
      return { ...found, content: await modelOf(found.content) };
    },
    schemas: (id: string, version: number, signal?: Signal) =>
      get<Schemas>(`/logic/decisions/${id}/versions/${version}/schema`, {}, signal),
    /** @param tag the decision's, so that what is saved is what the person saw */
    saveVersion: (id: string, { message, tag }: { readonly message: string; readonly tag: string | null }) =>
      turns.write(() => call('POST', `/logic/decisions/${id}/versions`, { body: { message }, headers: ifMatch(tag) })),
    differences: (id: string, from: number, to: number, signal?: Signal) =>
      get<Differences>(`/logic/decisions/${id}/versions/${from}/differences/${to}`, {}, signal),
    runTests: (id: string, version: number) => post<TestReport>(`/logic/decisions/${id}/tests`, { version }),
    /** Of the working copy. */
    suggestTests: (id: string) => post<Suggestions>(`/logic/decisions/${id}/tests/suggestions`, { version: 0 }),
    /** A table of the working copy as a spreadsheet. */
    tableFile: async (id: string, nodeId: string) => {
      const path = `/logic/decisions/${id}/versions/0/tables/${encodeURIComponent(nodeId)}.xlsx`;
      const { body, name } = await call('GET', path, { isFile: true });
      return { file: body as Blob, name: name ?? 'table.xlsx' };
    },
    importTable: async (
      id: string,
      nodeId: string,
      { file, tag, dryRun }: { readonly file: File; readonly tag: string | null; readonly dryRun: boolean },
    ) => {
      const answer = await call('PUT', `/logic/decisions/${id}/tables/${encodeURIComponent(nodeId)}`, {
        query: { dryRun: dryRun ? 'true' : undefined },
        body: sheetOf(file),
        headers: ifMatch(tag),
      });
      return { body: answer.body as TableImport, tag: answer.tag };
    },
    analyse: async ({ content, ...fields }: AnalysisFields, signal?: Signal) =>
      check<Analysis>(
        '/logic/analyses',
        { ...fields, ...(content === undefined ? {} : { content: await contentOf(content) }) },
        signal,
      ),
    validate: async (key: string, model: Model, signal?: Signal) =>
      check<{ faults: readonly Fault[] }>(
        '/logic/validations',
        { decisions: [{ key, content: await contentOf(model) }] },
        signal,
      ),

    // Facts go out as the person wrote them, with every digit.
    evaluate: (id: string, version: number, fact: string, signal?: Signal) =>
      post<Evaluation>(`/logic/decisions/${id}/evaluations`, `{"version":${version},"fact":${fact}}`, signal),
    evaluateDraft: async (key: string, model: Model, fact: string, signal?: Signal) =>
      check<Evaluation>(
        '/logic/evaluations',
        `{"key":${JSON.stringify(key)},"content":${JSON.stringify(await contentOf(model))},"fact":${fact}}`,
        signal,
      ),

    deployments: (signal?: Signal) => all<Deployment>('/logic/deployments', {}, signal),
    deployment: (id: string, signal?: Signal) => get<Deployment>(`/logic/deployments/${id}`, {}, signal),
    deploy: (fields: CreateDeployment) => post<Deployment>('/logic/deployments', fields),

    protections: (signal?: Signal) => all<EnvironmentProtection>('/logic/protections', {}, signal),
    protection: (environmentId: string, signal?: Signal) =>
      get<Protection>(`/logic/environments/${environmentId}/protection`, {}, signal),
    protect: (environmentId: string, fields: Protection) =>
      call('PUT', `/logic/environments/${environmentId}/protection`, { body: fields }),
    unprotect: (environmentId: string) => call('DELETE', `/logic/environments/${environmentId}/protection`),
    changeRequest: (id: string, signal?: Signal) => get<ChangeRequest>(`/logic/change-requests/${id}`, {}, signal),
    changeReports: (id: string, signal?: Signal) =>
      get<ChangeReports>(`/logic/change-requests/${id}/reports`, {}, signal),
    requestChange: (fields: CreateChangeRequest) => post<ChangeRequest>('/logic/change-requests', fields),
    reviewChange: (id: string, fields: CreateReview) =>
      post<ChangeRequest>(`/logic/change-requests/${id}/reviews`, fields),
    /** @param reason why it is applied without the approvals that it needs */
    applyChange: (id: string, reason?: string) =>
      post<ChangeRequest>(`/logic/change-requests/${id}/apply`, reason === undefined ? {} : { override: { reason } }),
    closeChange: async (id: string) => (await call('POST', `/logic/change-requests/${id}/close`)).body as ChangeRequest,

    executions: (query: Query, signal?: Signal) => get<Page<ExecutionSummary>>('/logic/executions', query, signal),
    execution: (id: string, signal?: Signal) => get<Execution>(`/logic/executions/${id}`, {}, signal),
    explain: (id: string, signal?: Signal) => get<Explanation>(`/logic/executions/${id}/explanation`, {}, signal),

    auditEntries: (query: Query, signal?: Signal) => get<Page<AuditEntry>>('/logic/audit-entries', query, signal),

    replays: (query: Query, signal?: Signal) => get<Page<Replay>>('/logic/replays', query, signal),
    replay: (id: string, signal?: Signal) => get<Replay>(`/logic/replays/${id}`, {}, signal),
    startReplay: (fields: object) => post<Replay>('/logic/replays', fields),
    removeReplay: (id: string) => call('DELETE', `/logic/replays/${id}`),

    measures: (query: Query, signal?: Signal) => get<Measurements>('/logic/measures', query, signal),
    setMeasured: (id: string, pointers: readonly string[]) =>
      call('PUT', `/logic/decisions/${id}/measured`, { body: { pointers } }),
    monitors: (signal?: Signal) => all<Monitor>('/logic/monitors', {}, signal),
    createMonitor: (fields: CreateMonitor) => post<Monitor>('/logic/monitors', fields),
    removeMonitor: (id: string) => call('DELETE', `/logic/monitors/${id}`),

    clients: (signal?: Signal) => all<Client>('/core/v1/clients', {}, signal),
    createClient: (fields: object) => post<Client & { readonly secret: string }>('/core/v1/clients', fields),
    updateClient: async (id: string, fields: object) =>
      (await call('PATCH', `/core/v1/clients/${id}`, { body: fields })).body as Client,
    createSecret: async (id: string) =>
      (await call('POST', `/core/v1/clients/${id}/secrets`)).body as { readonly secret: string },
    tenantWorkspaces: (signal?: Signal) => all<Workspace>('/core/v1/workspaces', {}, signal),
    policies: (workspaceId: string, signal?: Signal) =>
      all<Policy>(`/core/v1/workspaces/${workspaceId}/policies`, {}, signal),
    createPolicy: (workspaceId: string, fields: PolicyFields) =>
      post<Policy>(`/core/v1/workspaces/${workspaceId}/policies`, fields),
    removePolicy: (workspaceId: string, id: string) =>
      call('DELETE', `/core/v1/workspaces/${workspaceId}/policies/${id}`),

    pool: (signal?: Signal) => get<Pool>('/logic/pool', {}, signal),
  };
}

const tagged = ({ body, tag }: Answer) => ({ decision: body as Decision, tag });

const ifMatch = (tag: string | null): Readonly<Record<string, string>> => (tag === null ? {} : { 'If-Match': tag });

export type Operations = ReturnType<typeof createOperations>;
