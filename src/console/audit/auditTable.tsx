import type { Given } from '../api/operations.js';
import type { AuditEntry } from '../api/types.js';
import { formatJson, shortJson } from '../api/exactJson.js';
import { isObject } from '../graph/fields.js';
import type { Filter } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Principal } from '../parts/principals.js';
import { Sentence } from '../parts/sentence.js';
import { Time } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { useNames, type Names } from '../parts/useNames.js';

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
    ['Details', ({ before, after }) => <StateChange before={before} after={after} />, 'wrapped'],
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

/** What differs between the states; all of it where one of them is missing. */
function StateChange({ before, after }: { readonly before: State; readonly after: State }) {
  const changed = changesOf(before, after);
  if (changed.length === 0) return null;
  return (
    <details>
      <summary>{before === null || after === null ? 'all of it' : changed.map(([name]) => name).join(', ')}</summary>
      <dl class="state">
        {changed.map(([name, was, is]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {before !== null && <code>{textOf(was)}</code>}
              {before !== null && after !== null && ' → '}
              {after !== null && <code>{textOf(is)}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const textOf = (value: unknown): string =>
  value === undefined ? 'nothing' : isObject(value) ? formatJson(value) : shortJson(value);

function changesOf(before: State, after: State): readonly (readonly [name: string, was: unknown, is: unknown])[] {
  const [was, is] = [before ?? {}, after ?? {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names
    .filter((name) => name !== 'updatedAt' && JSON.stringify(was[name]) !== JSON.stringify(is[name]))
    .map((name) => [name, was[name], is[name]] as const);
}
