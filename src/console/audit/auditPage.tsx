import { decisionName } from '../decisions/tree.js';
import { kinds, verbs, auditKinds } from '../parts/auditWords.js';
import { PageFrame } from '../parts/small.js';
import { useNames } from '../parts/useNames.js';
import { usePrincipals } from '../shell/session.js';
import { AuditTable } from './auditTable.js';

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
          { kind: 'choice', name: 'resourceId', label: 'Of', options: things },
          { kind: 'time', name: 'from', label: 'From', since: true },
          { kind: 'time', name: 'to', label: 'To' },
        ]}
        empty="Nothing was written in this workspace yet."
      />
    </PageFrame>
  );
}
