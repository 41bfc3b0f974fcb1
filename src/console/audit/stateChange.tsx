import type { ComponentChildren } from 'preact';
import type { AuditEntry } from '../api/types.js';
import { isObject } from '../graph/fields.js';
import { nameOf } from '../parts/principals.js';
import { usePrincipals } from '../shell/session.js';
import { versionName } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';
import { ValuesLine } from '../parts/values.js';

type State = AuditEntry['before'];

interface StateChangeProps {
  readonly before: State;
  readonly after: State;
  readonly names: Pick<Names, 'keyOf' | 'environmentOf'>;
}

/** What the sentence beside it says, and what says nothing to people: ids, hashes, counts and times of the record itself. */
const untold: ReadonlySet<string> = new Set([
  ...[
    'id',
    'workspaceId',
    'tenantId',
    'contentHash',
    'digest',
    'faults',
    'warnings',
    'revision',
    'changes',
    'deploymentIds',
  ],
  ...['createdAt', 'updatedAt', 'granted', 'latestVersion', 'deploymentId', 'bucketId', 'checks', 'reviews'],
]);

/** Fields of states, as people call them, where taking their names apart does not give it. */
const called: Readonly<Record<string, string>> = {
  key: 'name',
  decisionId: 'decision',
  environmentId: 'environment',
  authorMayApprove: 'authors may approve',
  requires: 'checks',
  savedBy: 'saved by',
  deployedBy: 'deployed for',
  disabledAt: 'disabled since',
  expiresAt: 'until',
};

const wordsOf = (name: string): string =>
  called[name] ?? name.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** What differs between the states, in words; all of it where one of them is missing. */
export function StateChange({ before, after, names }: StateChangeProps) {
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
      <dl class="state">
        {changed.map(([name, was, is]) => (
          <div key={name}>
            <dt>{wordsOf(name)}</dt>
            <dd>
              {before !== null && shown(name, was)}
              {before !== null && after !== null && ' → '}
              {after !== null && shown(name, is)}
            </dd>
          </div>
        ))}
      </dl>
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
