import type { AuditEntry, Page } from '../api/types.js';
import { formatJson, shortJson } from '../api/exactJson.js';
import { isObject } from '../graph/fields.js';
import { PagedTable, usePaged, type PageRequest } from '../parts/pagedTable.js';
import { Principal, usePrincipals } from '../parts/principals.js';
import { Time } from '../parts/small.js';
import { Link } from '../shell/router.js';

interface AuditTableProps {
  readonly load: (page: PageRequest, signal?: AbortSignal) => Promise<Page<AuditEntry>>;
  readonly inputs: readonly unknown[];
  readonly empty: string;
}

const columns = ['When', 'Who', 'What', 'Of', 'Change'] as const;

/** Entries of the audit trail, newest first. */
export function AuditTable({ load, inputs, empty }: AuditTableProps) {
  const paged = usePaged(load, inputs);
  const names = usePrincipals();
  return (
    <PagedTable
      label="Audit entries"
      columns={columns}
      paged={paged}
      empty={empty}
      render={(entry) => <Cells entry={entry} names={names} />}
    />
  );
}

const Cells = ({ entry, names }: { readonly entry: AuditEntry; readonly names: ReadonlyMap<string, string> }) => (
  <>
    <th scope="row">
      <Time at={entry.at} />
    </th>
    <td>
      <Principal id={entry.principal} names={names} />
    </td>
    <td>
      <code>{entry.action}</code>
    </td>
    <td class="wrapped">
      <Resource entry={entry} />
    </td>
    <td class="wrapped">
      <StateChange before={entry.before} after={entry.after} />
    </td>
  </>
);

/** Where the pages show the resource, they are a link away. */
const pageOf: Readonly<Record<string, (id: string) => string>> = {
  decision: (id) => `/decisions/${id}`,
  environment: (id) => `/environments/${id}`,
  replay: (id) => `/replays/${id}`,
  deployment: (id) => `/executions?deploymentId=${id}`,
  change_request: (id) => `/requests/${id}`,
  protection: (id) => `/environments/${id}`,
};

function Resource({ entry: { resource, after } }: { readonly entry: AuditEntry }) {
  const { type, id, key } = resource;
  const named = [after?.['name'], after?.['title']].find((each) => typeof each === 'string');
  const name = key ?? (typeof named === 'string' ? named : id);
  const to = after === null ? undefined : pageOf[type]?.(id);
  return (
    <>
      {type.replaceAll('_', ' ')} {to === undefined ? <bdi title={id}>{name}</bdi> : <Link to={to}>{name}</Link>}
    </>
  );
}

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
