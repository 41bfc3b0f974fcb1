import type { Knex } from 'knex';

/** A line of a plan, of which MySQL and MariaDB name these columns alike. */
export interface PlanStep {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  readonly Extra: string | null;
}

/** The plan of a statement as a table of steps: MySQL draws a tree unless asked, and MariaDB knows no name for the table. */
export async function planOf(database: Knex, sql: string, bindings: Knex.RawBinding[]): Promise<PlanStep[]> {
  const [[server]] = (await database.raw('SELECT VERSION() AS version')) as [{ version: string }[]];
  const form = server?.version.includes('MariaDB') === true ? '' : 'FORMAT=TRADITIONAL ';
  const [steps] = (await database.raw(`EXPLAIN ${form}${sql}`, bindings)) as [PlanStep[]];
  return steps.map(({ table, type, key, Extra }) => ({ table, type, key, Extra }));
}

/** The id of the nth row of every table that `seedTables` fills. */
export const id = (number: number): string => `00000000-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;

const rowId = 'UNHEX(LPAD(HEX(n), 32, "0"))';
/** Of four tenants or workspaces, in turns. */
const owner = 'UNHEX(LPAD(HEX((n - 1) MOD 4 + 1), 32, "0"))';
/** One of twelve, each of one owner. */
const few = 'UNHEX(LPAD(HEX((n - 1) MOD 12 + 1), 32, "0"))';
const at = 'UTC_TIMESTAMP(3)';
const hash = 'UNHEX(LPAD(HEX(n), 64, "0"))';
/** Of an execution: few have failed, as it should be. */
const runStatus = 'IF(n MOD 200 = 1, "FAILED", "COMPLETED")';
const run = { id: rowId, workspace_id: owner, decision_id: rowId, version: '1', status: '"COMPLETED"', result: '"{}"' };
const ran = { engine_us: '1', request_id: rowId, principal: '"p"', created_at: at };

const changes = 'JSON_ARRAY(JSON_OBJECT("pointer", "/0"))';
const reference = 'CONCAT("r", n)';

/** What stands in each column of a table's nth row. */
const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tenants: { id: rowId, name: '"t"', created_at: at },
  workspaces: { id: rowId, tenant_id: owner, name: '"w"', created_at: at },
  clients: {
    id: rowId,
    tenant_id: owner,
    name: '"c"',
    scopes: '"a"',
    roles: '"{}"',
    resources: '"[]"',
    created_at: at,
  },
  client_secrets: { id: rowId, client_id: rowId, digest: hash, created_at: at },
  grants: { client_id: rowId, workspace_id: rowId, tenant_id: owner, created_at: at },
  policies: {
    id: rowId,
    workspace_id: rowId,
    effect: '"allow"',
    subjects: '"[]"',
    roles: '"[]"',
    scopes: '"[]"',
    created_at: at,
  },
  policy_names: { name: hash, policy_id: rowId },
  decisions: {
    id: rowId,
    workspace_id: owner,
    decision_key: 'CONCAT("k", n)',
    content_hash: hash,
    created_at: at,
    updated_at: at,
  },
  versions: {
    decision_id: rowId,
    version: '1',
    workspace_id: owner,
    program_id: hash,
    content_hash: hash,
    manifest: '"{}"',
    saved_by: '"p"',
    created_at: at,
  },
  contents: {
    hash,
    body: '"{}"',
    bytes: '2',
    sub_decisions: 'IF(n MOD 10 = 0, "[1]", "[]")',
    created_at: 'TIMESTAMPADD(DAY, IF(n MOD 100 = 0, -1, 0), UTC_TIMESTAMP(3))',
  },
  version_dependencies: {
    decision_id: rowId,
    version: '1',
    position: '1',
    workspace_id: owner,
    dependency_id: 'UNHEX(LPAD(HEX(n + 4), 32, "0"))',
    dependency_key: '"k"',
    content_hash: hash,
  },
  environments: { id: rowId, workspace_id: owner, name: '"e"', color: '"#fff"', created_at: at, updated_at: at },
  protections: {
    environment_id: rowId,
    workspace_id: owner,
    approvals: '1',
    author_may_approve: '0',
    requires_tests: '0',
    requires_analysis: '0',
    may_override: '0',
    created_at: at,
    updated_at: at,
  },
  variables: {
    environment_id: 'UNHEX(LPAD(HEX(n DIV 10 + 1), 32, "0"))',
    name: 'CONCAT("V", n)',
    workspace_id: 'UNHEX(LPAD(HEX((n DIV 10) MOD 4 + 1), 32, "0"))',
    value: '""',
    secret: '0',
    created_at: at,
    revision: '0',
    updated_at: at,
  },
  variable_history: {
    environment_id: 'UNHEX(LPAD(HEX(n DIV 10 + 1), 32, "0"))',
    until_revision: 'n',
    from_revision: '0',
    name: 'CONCAT("V", n)',
    workspace_id: 'UNHEX(LPAD(HEX((n DIV 10) MOD 4 + 1), 32, "0"))',
    value: '""',
    secret: '0',
    replaced_at: at,
  },
  kept_programs: { workspace_id: owner, program_id: hash, manifest: '"{}"', used_at: at },
  kept_program_contents: { workspace_id: owner, program_id: hash, content_hash: hash },
  deployments: {
    id: rowId,
    workspace_id: owner,
    decision_id: rowId,
    version: '1',
    environment_id: rowId,
    name: '"d"',
    deployed_by: '"p"',
    created_at: at,
    updated_at: at,
  },
  routings: {
    workspace_id: owner,
    environment_id: rowId,
    decision_id: rowId,
    deployment_id: rowId,
    version: '1',
    created_at: at,
  },
  routing_heads: { workspace_id: owner, environment_id: rowId, decision_id: rowId, revision: '1' },
  execution_routes: {
    code: 'n',
    workspace_id: owner,
    environment_id: rowId,
    deployment_id: rowId,
    decision_id: rowId,
    version: '1',
    status: runStatus,
    used_at: at,
  },
  execution_settings: { code: 'n', workspace_id: owner, context: 'REPEAT("c", 40)', principal: 'n', used_at: at },
  executions: {
    id: rowId,
    workspace_id: owner,
    status: runStatus,
    result: '"{}"',
    engine_us: '1',
    request_id: rowId,
    reference,
    route: 'n',
    setting: 'n',
    run_context: 'REPEAT("o", 11)',
    created_at: at,
  },
  replays: {
    id: rowId,
    workspace_id: owner,
    status: 'IF(n MOD 50 = 0, "RUNNING", IF(n MOD 51 = 0, "REMOVED", "COMPLETED"))',
    request: 'JSON_OBJECT("decisionId", "none", "environmentId", "none")',
    tallies: '""',
    report: 'JSON_OBJECT("replayed", 0, "measures", JSON_ARRAY())',
    created_at: at,
    updated_at: at,
  },
  replay_differences: { workspace_id: owner, replay_id: few, execution_id: rowId, reference, changes },
  replay_places: {
    workspace_id: owner,
    replay_id: few,
    pointer_digest: 'UNHEX(LEFT(SHA2(CONCAT("/", n MOD 10), 256), 32))',
    execution_id: rowId,
  },
  shadows: {
    id: rowId,
    workspace_id: owner,
    request: 'JSON_OBJECT("decisionId", "none", "environmentId", "none")',
    tallies: '""',
    report: 'JSON_OBJECT("replayed", 0, "measures", JSON_ARRAY())',
    expires_at: 'TIMESTAMPADD(DAY, IF(n MOD 100 = 0, 1, -1), UTC_TIMESTAMP(3))',
    created_at: at,
    updated_at: at,
  },
  outcomes: {
    workspace_id: owner,
    subject: 'CONCAT("rr", n DIV 8)',
    name: 'CONCAT("n", n MOD 3)',
    at,
    digest: rowId,
    value: '"true"',
    created_at: at,
  },
  measures: {
    workspace_id: owner,
    decision_id: few,
    hour: 'TIMESTAMPADD(HOUR, -(n DIV 12), UTC_TIMESTAMP())',
    environment_id: rowId,
    version: '1',
    part_id: rowId,
    additions: '1',
    count: '1',
    failed: '0',
    times: '"[]"',
  },
  monitors: {
    id: rowId,
    workspace_id: owner,
    environment_id: rowId,
    decision_id: rowId,
    request: '"{}"',
    created_at: at,
  },
  jobs: {
    kind: 'ELT(n MOD 8 + 1, "erasure", "WEBHOOK", "check", "retention", "SMS", "replay", "replay", "monitor")',
    id: rowId,
    tenant_id: few,
    workspace_id: owner,
    due_at: 'TIMESTAMPADD(SECOND, IF(n MOD 50 < 2, -1, 1000), UTC_TIMESTAMP(3))',
  },
  measured_fields: { workspace_id: owner, decision_id: rowId, pointers: '"[]"', updated_at: at },
  audit_entries: {
    id: rowId,
    workspace_id: owner,
    principal: 'CONCAT("p", n MOD 7)',
    action: 'IF(n MOD 3 = 0, "environment.create", "environment.update")',
    resource_type: 'IF(n MOD 3 = 0, "environment", "deployment")',
    resource_id: 'CONCAT("r", n)',
    created_at: at,
  },
  evaluations: { ...run, ...ran },
  idempotency_keys: {
    workspace_id: owner,
    digest: hash,
    request_digest: hash,
    execution_id: rowId,
    expires_at: 'TIMESTAMPADD(DAY, IF(n MOD 100 = 0, -1, 1), UTC_TIMESTAMP(3))',
  },
  inquiries: {
    id: rowId,
    tenant_id: owner,
    person_id: '""',
    url: '"u"',
    skip_consent_messages: '0',
    completed: '0',
    created_at: at,
    updated_at: at,
  },
  prerequisites: { id: rowId, tenant_id: owner, inquiry_id: rowId, type: '"t"', url: '"u"', completed: '0' },
  callbacks: { owner_id: rowId, url: '"u"', kinds: '""', secret: '""', created_at: at, updated_at: at },
  outbox: {
    id: rowId,
    tenant_id: owner,
    inquiry_id: rowId,
    channel: 'IF(n MOD 8 < 5, "WEBHOOK", "SMS")',
    state: 'IF(n MOD 10 = 1, "pending", IF(n MOD 100 = 3, "dead", "delivered"))',
    content: '""',
    created_at: at,
    updated_at: at,
  },
};

/** 0 to 9, as `d`. */
export const digits =
  'SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9';
/** 1 to 10,000, as `n`. */
export const numbers = `SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM (${digits}) a, (${digits}) b, (${digits}) c, (${digits}) e`;

/** Fills every table that grows with 10,000 rows, without their parents, and has the optimizer count them. */
export async function seedTables(database: Knex): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.raw('SET SESSION foreign_key_checks = 0');
    for (const [name, columns] of Object.entries(tables)) {
      const values = Object.values(columns).join(', ').replaceAll('"', "'");
      await transaction.raw(
        `INSERT INTO ${name} (${Object.keys(columns).join(', ')}) SELECT ${values} FROM (${numbers}) numbers`,
      );
    }
    await transaction.raw('SET SESSION foreign_key_checks = 1');
  });
  for (const name of Object.keys(tables)) await database.raw(`ANALYZE TABLE ${name}`);
}
