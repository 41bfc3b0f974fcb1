import type { Given } from '../api/operations.js';
import type { AuditEntry } from '../api/types.js';
import type { Filter } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { Principal } from '../parts/principals.js';
import { Sentence } from '../parts/sentence.js';
import { Time } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { useNames, type Names } from '../parts/useNames.js';
import { StateChange } from './stateChange.js';

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
    ['Details', ({ before, after }) => <StateChange {...{ before, after, names }} />, 'wrapped'],
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
