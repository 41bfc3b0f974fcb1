import type { AuditEntry, Page } from '../api/types.js';
import { formatJson, shortJson } from '../api/exactJson.js';
import { isObject } from '../graph/fields.js';
import { PagedTable, usePaged, type PageRequest } from '../parts/pagedTable.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { Sentence } from '../parts/sentence.js';
import { Time } from '../parts/small.js';
import { useNames, type Names } from '../parts/useNames.js';

interface AuditTableProps {
  readonly load: (page: PageRequest, signal?: AbortSignal) => Promise<Page<AuditEntry>>;
  readonly inputs: readonly unknown[];
  readonly empty: string;
}

const columns = ['When', 'What happened', 'Details'] as const;

/** Entries of the audit trail, newest first. */
export function AuditTable({ load, inputs, empty }: AuditTableProps) {
  const paged = usePaged(load, inputs);
  const people = usePrincipals();
  const named = useNames();
  return (
    <PagedTable
      label="Audit entries"
      columns={columns}
      paged={paged}
      empty={empty}
      render={(entry) => <Cells entry={entry} people={people} names={named.value ?? unnamed} />}
    />
  );
}

/** Until the names are there. */
const unnamed: Pick<Names, 'keyOf' | 'environmentOf'> = { keyOf: (id) => id, environmentOf: () => undefined };

interface CellsProps {
  readonly entry: AuditEntry;
  readonly people: ReadonlyMap<string, string>;
  readonly names: Pick<Names, 'keyOf' | 'environmentOf'>;
}

const Cells = ({ entry, people, names }: CellsProps) => (
  <>
    <th scope="row">
      <Time at={entry.at} />
    </th>
    <td class="wrapped" title={`${entry.action} ${entry.resource.id}`}>
      <b>
        <Principal id={entry.principal} names={people} />
      </b>{' '}
      <Sentence entry={entry} names={names} />
    </td>
    <td class="wrapped">
      <StateChange before={entry.before} after={entry.after} />
    </td>
  </>
);

type State = AuditEntry['before'];

/** What differs between the states; all of it where one of them is missing. */
function StateChange({ before, after }: { readonly before: State; readonly after: State }) {
  const changed = changesOf(before, after);
  if (changed.length === 0) return null;
  return (
    <details>
      <summary>{changed.map(([name]) => name).join(', ')}</summary>
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
