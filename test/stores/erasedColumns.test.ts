import { expect } from 'chai';
import { useScratchStore } from '../support/factories.js';

/** Columns with texts or bytes of facts and results, and what an erasure does there. `test/api/erasures.test.ts` looks for what is left. */
const erased: Readonly<Record<string, string>> = {
  'executions.fact result error trace selection': 'emptied',
  'idempotency_keys.answer': 'emptied',
  'replay_differences.reference changes': 'removed',
  'replays.tallies report': 'without values that too few others have',
  'shadows.tallies report': 'without values that too few others have',
  'change_checks.report': 'without values that too few others have',
  'measures.fields': 'taken back',
  'outcomes.subject value': 'removed',
  'erasures.reference': 'removed with its end',
};

/** Columns that hold none, and why. */
const without: Readonly<Record<string, readonly string[]>> = {
  'what people write of models, of how they are run and of who may': [
    'change_checks.decision_key wanted detail',
    'change_request_changes.detail value replaces',
    'change_requests.title message author notice applied_by',
    'change_reviews.principal message',
    'clients.name scopes roles resources',
    'contents.body sub_decisions namespace',
    'decisions.decision_key',
    'deployments.name message deployed_by',
    'environments.name description color http_hosts',
    'kept_programs.manifest',
    'measured_fields.pointers',
    'monitors.request',
    'outcomes.name',
    'policies.subjects roles scopes',
    'protections.requires_replay',
    'replays.request',
    'shadows.request',
    'tenants.name',
    'variable_history.name value',
    'variables.name value',
    'version_dependencies.dependency_key',
    'versions.manifest message saved_by',
    'workspaces.name http_hosts',
  ],
  'of whom, when and how long, never what': [
    'audit_entries.principal action resource_type resource_id resource_key before_state after_state',
    'erasures.principal',
    'evidence_findings.kind detail',
    'evidence_heads.checkpoint',
    'evidence_trees.origin frontier checkpoint',
    'execution_settings.principal',
    'executions.principal reference',
    'jobs.kind reason',
    'measures.times',
    'replays.error',
  ],
  'inquiries, their answers and what is sent of them, which no execution is of': [
    'callbacks.url kinds secret previous_secret',
    'events.kind data',
    'inquiries.person_id url external_id redirect_on_success redirect_on_error notifications authorization_code',
    'inquiry_answers.answer',
    'outbox.content error',
    'prerequisites.type url',
  ],
  keys: [
    'digest_keys.digest_key',
    'evidence_keys.private_key',
    'sealers.opens',
    'signing_keys.kid algorithm public_jwk private_jwk',
  ],
  'evaluations, of facts that somebody made up: they have no reference, no leaf and no record in the history': [
    'evaluations.fact result error principal',
  ],
};

describe('the columns of the database that may hold a text', () => {
  const store = useScratchStore();

  it('are all erased, or declared to hold nothing of a fact or result', async () => {
    const rows = (await store
      .database('information_schema.columns')
      .select({ table: 'table_name', column: 'column_name' })
      .whereRaw('table_schema = DATABASE()')
      .whereIn('data_type', [
        ...['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json'],
        ...['varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'],
      ])
      .whereNotIn('table_name', ['knex_migrations', 'knex_migrations_lock'])) as { table: string; column: string }[];
    const found = rows.map(({ table, column }) => `${table}.${column}`);
    const declared = [...Object.keys(erased), ...Object.values(without).flat()].flatMap((text) => {
      const [table, columns = ''] = text.split('.');
      return columns.split(' ').map((column) => `${table}.${column}`);
    });
    expect(found.sort()).to.deep.equal(declared.sort());
  });
});
