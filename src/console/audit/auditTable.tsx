import { decisionName } from '../../decisions/decisionName.js';
import type { Given } from '../api/operations.js';
import type { AuditEntry } from '../api/types.js';
import { type Filter, List } from '../parts/list.js';
import { Principal, nameOf } from '../parts/principals.js';
import { Sentence } from '../parts/sentence.js';
import { Facts, Time, versionName, PageFrame } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { useNames, type Names } from '../parts/useNames.js';
import type { ComponentChildren } from 'preact';
import { isObject, wordsIn } from '../graph/fields.js';
import { usePrincipals } from '../shell/session.js';
import { ValuesLine } from '../parts/values.js';
import { isOfCopy } from './whereKept.js';
import { WhichCells } from './whichCells.js';
import { kinds, verbs, auditKinds } from '../parts/auditWords.js';

interface AuditTableProps {
  readonly query?: Given<'GET /logic/audit-entries'>;
  readonly filters?: readonly Filter[];
  /** With what it is loaded anew. */
  readonly state?: unknown;
  readonly empty: string;
}

/** Entries of the audit trail, newest first. */
export function AuditTable({ query, ...props }: AuditTableProps) {
  const names = useNames().value ?? unnamed;
  const columns: readonly Column<AuditEntry>[] = [
    ['When', ({ at }) => <Time at={at} />],
    [
      'What happened',
      (entry) => (
        <span title={`${entry.action} ${entry.resource.id}`}>
          <b>
            <Principal id={entry.principal} />
          </b>{' '}
          <Sentence entry={entry} names={names} />
        </span>
      ),
      'wrapped',
    ],
    [
      'Details',
      (entry) => (
        <>
          {isOfCopy(entry) && <WhichCells entry={entry} />}
          <StateChange before={entry.before} after={entry.after} names={names} />
        </>
      ),
      'wrapped',
    ],
  ];
  return (
    <List
      {...props}
      label="Audit entries"
      route="GET /logic/audit-entries"
      query={{ order: 'desc', ...query }}
      file="audit.csv"
      columns={columns}
    />
  );
}

/** Until the names are there. */
const unnamed: Pick<Names, 'keyOf' | 'environmentOf'> = { keyOf: (id) => id, environmentOf: () => undefined };

type State = AuditEntry['before'];

interface StateChangeProps {
  readonly before: State;
  readonly after: State;
  readonly names: Pick<Names, 'keyOf' | 'environmentOf'>;
}

/** What the sentence beside it says, and what says nothing to people: ids, hashes, counts and times of the record itself. */
const untold: ReadonlySet<string> = new Set([
  ...['id', 'workspaceId', 'tenantId', 'deploymentId', 'deploymentIds', 'bucketId', 'createdAt', 'updatedAt'],
  ...[
    'contentHash',
    'digest',
    'faults',
    'warnings',
    'revision',
    'changes',
    'granted',
    'latestVersion',
    'checks',
    'reviews',
  ],
]);

/** Fields of states, as people call them, where taking their names apart does not give it. */
const called: Readonly<Record<string, string>> = {
  key: 'name',
  pointers: 'measured fields',
  decisionId: 'decision',
  environmentId: 'environment',
  authorMayApprove: 'authors may approve',
  requires: 'checks',
  savedBy: 'saved by',
  deployedBy: 'deployed for',
  disabledAt: 'disabled since',
  expiresAt: 'until',
};

const wordsOf = (name: string): string => called[name] ?? wordsIn(name);

/** What differs between the states, in words; all of it where one of them is missing. */
function StateChange({ before, after, names }: StateChangeProps) {
  const people = usePrincipals();
  const changed = changesOf(before, after);
  if (changed.length === 0) return null;
  const shown = (name: string, value: unknown): ComponentChildren => {
    if (value === undefined || value === null || value === '') return 'nothing';
    if (name === 'decisionId' && typeof value === 'string') return names.keyOf(value);
    if (name === 'environmentId' && typeof value === 'string') return names.environmentOf(value)?.name ?? value;
    if (name === 'version' && typeof value === 'number') return versionName(value);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (typeof value === 'string') return nameOf(people, value) ?? value;
    return isObject(value) || Array.isArray(value) ? <ValuesLine value={value} /> : JSON.stringify(value);
  };
  return (
    <details>
      <summary>{changed.map(([name]) => wordsOf(name)).join(', ')}</summary>
      <Facts
        class="state"
        of={changed.map(([name, was, is]) => [
          wordsOf(name),
          [before && shown(name, was), before && after && ' → ', after && shown(name, is)],
        ])}
      />
    </details>
  );
}

function changesOf(before: State, after: State): readonly (readonly [name: string, was: unknown, is: unknown])[] {
  const [was, is] = [before ?? {}, after ?? {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names
    .filter((name) => !untold.has(name) && JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    .filter((name) => (was[name] ?? is[name] ?? null) !== null)
    .map((name) => [name, was[name], is[name]] as const);
}

/** A kind without the word before it: `the decision` is a decision. */
const kindName = (kind: string): string => (kinds[kind] ?? kind.replaceAll('_', ' ')).replace(/^(the|an?) /, '');

/** What people look for in the trail; the address may name any other. */
const actions = [
  ['deployment.create', 'deployed'],
  ['deployment.rollback', 'rolled back'],
  ...['version.create', 'decision.create', 'decision.update', 'decision.delete'],
  ...['change_request.create', 'change_request.approve', 'change_request.reject', 'change_request.apply'],
  ['change_request.override', 'applied without approval'],
  ...['protection.create', 'protection.update', 'protection.delete', 'variable.create', 'variable.update'],
  ...['client.grant', 'client.revoke', 'erasure.create'],
].map((each): readonly [string, string] => {
  if (typeof each !== 'string') return [each[0] ?? '', each[1] ?? ''];
  const [kind = '', verb = ''] = each.split('.');
  return [each, `${verbs[verb] ?? verb} ${kinds[kind] ?? kind}`];
});

/** Who changed what in the workspace, by the filters that the address names. */
export function AuditPage() {
  const clients = usePrincipals();
  const names = useNames().value;
  const things = [
    ...(names?.decisions ?? []).map(({ id, key }) => [id, decisionName(key)] as const),
    ...(names?.environments ?? []).map(({ id, name }) => [id, name] as const),
  ];
  return (
    <PageFrame title="Audit">
      <AuditTable
        filters={[
          {
            kind: 'choice',
            name: 'resourceType',
            label: 'Kind',
            options: auditKinds.map((kind) => [kind, kindName(kind)]),
          },
          { kind: 'choice', name: 'action', label: 'What was done', options: actions },
          { kind: 'choice', name: 'principal', label: 'Who', options: [...clients] },
          { kind: 'choice', name: 'about', label: 'Of', options: things },
          { kind: 'time', name: 'from', label: 'From', since: true },
          { kind: 'time', name: 'to', label: 'To' },
        ]}
        empty="Nothing was written in this workspace yet."
      />
    </PageFrame>
  );
}
