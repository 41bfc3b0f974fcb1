import { useState } from 'preact/hooks';
import type { Shadow } from '../api/types.js';
import { Action } from '../parts/action.js';
import { List } from '../parts/list.js';
import { Button, Section, Time, versionName } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import type { Names } from '../parts/useNames.js';
import { Otherwise } from '../replays/report.js';
import { Link } from '../shell/address.js';
import { useMay, useSession } from '../shell/session.js';
import { placesOf } from './places.js';
import { StartShadow } from './startShadow.js';

const shadowsOf = (names: Names): readonly Column<Shadow>[] => [
  [
    'Begun',
    ({ id, createdAt }) => (
      <Link to={`/shadows/${id}`}>
        <Time at={createdAt} />
      </Link>
    ),
  ],
  ['State', ({ status }) => status.toLowerCase()],
  ...placesOf(names),
  ['Tried', ({ version, sample }) => `${versionName(version)} on ${sample * 100} % of executions`],
  ['Found', ({ report }) => <Otherwise report={report} />, 'wrapped'],
  ['Until', ({ expiresAt }) => <Time at={expiresAt} />],
];

/** Versions that are tried beside live executions; who may begins and ends them. */
export function Shadows({ names }: { readonly names: Names }) {
  const { api } = useSession();
  const may = useMay();
  const [round, setRound] = useState(0);
  const [isStarting, setStarting] = useState(false);
  const changed = (): void => setRound((before) => before + 1);
  const end: Column<Shadow> = [
    'Actions',
    ({ id, status }) => (
      <Action
        name={status === 'RUNNING' ? 'End' : 'Remove'}
        work={() => api.ask('DELETE /logic/shadows/{id}', { id }).then(changed)}
      />
    ),
  ];
  return (
    <Section
      label="Shadows"
      actions={
        may('shadow:write') && (
          <Button name="Start a shadow" disabled={names.decisions.length === 0} onClick={() => setStarting(true)} />
        )
      }
    >
      <List
        label="Shadows"
        route="GET /logic/shadows"
        columns={[...shadowsOf(names), ...(may('shadow:delete') ? [end] : [])]}
        empty="No version runs beside live executions. A shadow tries one on some of them, and tells what it would give otherwise."
        state={round}
        isPart
      />
      {isStarting && <StartShadow {...names} onDone={changed} onClose={() => setStarting(false)} />}
    </Section>
  );
}
