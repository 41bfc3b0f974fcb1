import type { ComponentChildren } from 'preact';
import type { Decision, Environment } from '../api/types.js';
import { useRouter } from '../shell/router.js';

/** Every filter of the list of executions, by the names that the API has for them. */
export const filterNames = [
  'environmentId',
  'decisionId',
  'deploymentId',
  'version',
  'status',
  'reference',
  'requestId',
  'from',
  'to',
] as const;

type Name = (typeof filterNames)[number];

interface FiltersProps {
  readonly decisions: readonly Decision[];
  readonly environments: readonly Environment[];
}

/** The filters; what is set stands in the address. */
export function Filters({ decisions, environments }: FiltersProps) {
  const { query, setQuery } = useRouter();
  const set = (name: Name, value: string): void => setQuery({ [name]: value.trim() }, true);
  const value = (name: Name): string => query.get(name) ?? '';
  const text = (name: Name, label: string, placeholder = '') => (
    <label>
      {label}
      <input value={value(name)} placeholder={placeholder} onChange={(event) => set(name, event.currentTarget.value)} />
    </label>
  );
  const choice = (name: Name, label: string, options: ComponentChildren) => (
    <label>
      {label}
      <select value={value(name)} onChange={(event) => set(name, event.currentTarget.value)}>
        <option value="">any</option>
        {options}
      </select>
    </label>
  );
  const option = (id: string, name: string) => (
    <option key={id} value={id}>
      {name}
    </option>
  );
  return (
    <form class="filters" role="search" aria-label="Executions" onSubmit={(event) => event.preventDefault()}>
      {text('reference', 'Reference')}
      {choice(
        'decisionId',
        'Decision',
        decisions.map(({ id, key }) => option(id, key)),
      )}
      {text('version', 'Version', '0 is the working copy')}
      {choice(
        'environmentId',
        'Environment',
        environments.map(({ id, name }) => option(id, name)),
      )}
      {choice(
        'status',
        'Status',
        ['COMPLETED', 'FAILED'].map((status) => option(status, status)),
      )}
      {text('deploymentId', 'Deployment', 'its id')}
      {text('requestId', 'Request', 'X-Request-Id')}
      <label>
        From
        <input
          value={value('from')}
          placeholder="2026-01-31"
          list="since"
          onChange={(event) => set('from', event.currentTarget.value)}
        />
        <Since />
      </label>
      {text('to', 'To', '2026-01-31T09:30:00Z')}
      {filterNames.some((name) => query.has(name)) && (
        <button type="button" onClick={() => setQuery(Object.fromEntries(filterNames.map((name) => [name, null])))}>
          Clear
        </button>
      )}
    </form>
  );
}

const hourMs = 3_600_000;

/** What people look for first, as the browser offers it in the field. */
const Since = () => (
  <datalist id="since">
    {(
      [
        ['an hour ago', 1],
        ['a day ago', 24],
        ['a week ago', 7 * 24],
        ['30 days ago', 30 * 24],
      ] as const
    ).map(([name, hours]) => (
      <option
        key={name}
        value={new Date(Date.now() - hours * hourMs).toISOString().replace(/\.\d+/, '')}
        label={name}
      />
    ))}
  </datalist>
);
