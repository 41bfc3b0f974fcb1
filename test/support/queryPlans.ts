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
/** One of every ten rows. */
const byTens = 'UNHEX(LPAD(HEX(n DIV 10 + 1), 32, "0"))';
const ownerByTens = 'UNHEX(LPAD(HEX((n DIV 10) MOD 4 + 1), 32, "0"))';

const each = (value: string, columns: string): Record<string, string> =>
  Object.fromEntries(columns.split(' ').map((column) => [column, value]));

/** What stands in a column of a table’s nth row, where the table says nothing else. */
const usual: Readonly<Record<string, string>> = {
  ...each(
    '0',
    'author_may_approve requires_tests requires_analysis may_override secret revision from_revision failed skip_consent_messages completed',
  ),
  ...each(rowId, 'id client_id decision_id environment_id deployment_id request_id execution_id inquiry_id policy_id'),
  ...each('1', 'version position approvals engine_us additions count'),
  ...each('""', 'value tallies person_id kinds content'),
  ...each('"{}"', 'roles manifest body result'),
  ...each('"[]"', 'resources subjects times pointers'),
  ...each(at, 'created_at updated_at used_at'),
  ...each(hash, 'digest content_hash program_id'),
  ...each(owner, 'tenant_id workspace_id'),
  ...each('"p"', 'saved_by deployed_by'),
  name: 'CONCAT("V", n)',
  scopes: '"a"',
  dependency_key: '"k"',
  code: 'n',
  status: runStatus,
  reference: 'CONCAT("r", n)',
  request: 'JSON_OBJECT("decisionId", "none", "environmentId", "none")',
  report: 'JSON_OBJECT("replayed", 0, "measures", JSON_ARRAY())',
  replay_id: few,
  url: '"u"',
  type: '"t"',
};

/** Every table that grows: its usual columns, and what stands in the others. */
const tables: Readonly<Record<string, readonly [usual: string, others?: Readonly<Record<string, string>>]>> = {
  tenants: ['id created_at', { name: '"t"' }],
  workspaces: ['id tenant_id created_at', { name: '"w"' }],
  clients: ['id tenant_id scopes roles resources created_at', { name: '"c"' }],
  client_secrets: ['id client_id digest created_at'],
  grants: ['client_id tenant_id created_at', { workspace_id: rowId }],
  policies: ['id subjects created_at', { workspace_id: rowId, effect: '"allow"', roles: '"[]"', scopes: '"[]"' }],
  policy_names: ['policy_id', { name: hash }],
  decisions: ['id workspace_id content_hash created_at updated_at', { decision_key: 'CONCAT("k", n)' }],
  versions: ['decision_id version workspace_id program_id content_hash manifest saved_by created_at'],
  contents: [
    'body',
    {
      hash,
      bytes: '2',
      sub_decisions: 'IF(n MOD 10 = 0, "[1]", "[]")',
      created_at: 'TIMESTAMPADD(DAY, IF(n MOD 100 = 0, -1, 0), UTC_TIMESTAMP(3))',
    },
  ],
  version_dependencies: [
    'decision_id version position workspace_id dependency_key content_hash',
    { dependency_id: 'UNHEX(LPAD(HEX(n + 4), 32, "0"))' },
  ],
  environments: ['id workspace_id created_at updated_at', { name: '"e"', color: '"#fff"' }],
  protections: [
    'environment_id workspace_id approvals author_may_approve requires_tests requires_analysis may_override created_at updated_at',
  ],
  variables: [
    'name value secret created_at revision updated_at',
    { environment_id: byTens, workspace_id: ownerByTens },
  ],
  variable_history: [
    'from_revision name value secret',
    { environment_id: byTens, until_revision: 'n', workspace_id: ownerByTens, replaced_at: at },
  ],
  kept_programs: ['workspace_id program_id manifest used_at'],
  kept_program_contents: ['workspace_id program_id content_hash'],
  deployments: [
    'id workspace_id decision_id version environment_id deployed_by created_at updated_at',
    { name: '"d"' },
  ],
  routings: ['workspace_id environment_id decision_id deployment_id version created_at'],
  routing_heads: ['workspace_id environment_id decision_id', { revision: '1' }],
  execution_routes: ['code workspace_id environment_id deployment_id decision_id version status used_at'],
  execution_settings: ['code workspace_id used_at', { context: 'REPEAT("c", 40)', principal: 'n' }],
  executions: [
    'id workspace_id status result engine_us request_id reference created_at',
    { route: 'n', setting: 'n', run_context: 'REPEAT("o", 11)' },
  ],
  replays: [
    'id workspace_id request tallies report created_at updated_at',
    { status: 'IF(n MOD 50 = 0, "RUNNING", IF(n MOD 51 = 0, "REMOVED", "COMPLETED"))' },
  ],
  replay_differences: [
    'workspace_id replay_id execution_id reference',
    { changes: 'JSON_ARRAY(JSON_OBJECT("pointer", "/0"))' },
  ],
  replay_places: [
    'workspace_id replay_id execution_id',
    { pointer_digest: 'UNHEX(LEFT(SHA2(CONCAT("/", n MOD 10), 256), 32))' },
  ],
  shadows: [
    'id workspace_id request tallies report created_at updated_at',
    { expires_at: 'TIMESTAMPADD(DAY, IF(n MOD 100 = 0, 1, -1), UTC_TIMESTAMP(3))' },
  ],
  outcomes: [
    'workspace_id created_at',
    { subject: 'CONCAT("rr", n DIV 8)', name: 'CONCAT("n", n MOD 3)', at, digest: rowId, value: '"true"' },
  ],
  measures: [
    'workspace_id environment_id version additions count failed times',
    { decision_id: few, hour: 'TIMESTAMPADD(HOUR, -(n DIV 12), UTC_TIMESTAMP())', part_id: rowId },
  ],
  monitors: ['id workspace_id environment_id decision_id created_at', { request: '"{}"' }],
  jobs: [
    'id workspace_id',
    {
      kind: 'ELT(n MOD 8 + 1, "erasure", "WEBHOOK", "check", "retention", "SMS", "replay", "replay", "monitor")',
      tenant_id: few,
      due_at: 'TIMESTAMPADD(SECOND, IF(n MOD 50 < 2, -1, 1000), UTC_TIMESTAMP(3))',
    },
  ],
  measured_fields: ['workspace_id decision_id pointers updated_at'],
  audit_entries: [
    'id workspace_id created_at',
    {
      principal: 'CONCAT("p", n MOD 7)',
      action: 'IF(n MOD 3 = 0, "environment.create", "environment.update")',
      resource_type: 'IF(n MOD 3 = 0, "environment", "deployment")',
      resource_id: 'CONCAT("r", n)',
    },
  ],
  evaluations: [
    'id workspace_id decision_id version result engine_us request_id created_at',
    { status: '"COMPLETED"', principal: '"p"' },
  ],
  idempotency_keys: [
    'workspace_id digest execution_id',
    { request_digest: hash, expires_at: 'TIMESTAMPADD(DAY, IF(n MOD 100 = 0, -1, 1), UTC_TIMESTAMP(3))' },
  ],
  inquiries: ['id tenant_id person_id url skip_consent_messages completed created_at updated_at'],
  prerequisites: ['id tenant_id inquiry_id type url completed'],
  callbacks: ['url kinds created_at updated_at', { owner_id: rowId, secret: '""' }],
  outbox: [
    'id tenant_id inquiry_id content created_at updated_at',
    {
      channel: 'IF(n MOD 8 < 5, "WEBHOOK", "SMS")',
      state: 'IF(n MOD 10 = 1, "pending", IF(n MOD 100 = 3, "dead", "delivered"))',
    },
  ],
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
    for (const [name, [own, others]] of Object.entries(tables)) {
      const columns = { ...Object.fromEntries(own.split(' ').map((column) => [column, usual[column]])), ...others };
      const values = Object.values(columns).join(', ').replaceAll('"', "'");
      await transaction.raw(
        `INSERT INTO ${name} (${Object.keys(columns).join(', ')}) SELECT ${values} FROM (${numbers}) numbers`,
      );
    }
    await transaction.raw('SET SESSION foreign_key_checks = 1');
  });
  for (const name of Object.keys(tables)) await database.raw(`ANALYZE TABLE ${name}`);
}
