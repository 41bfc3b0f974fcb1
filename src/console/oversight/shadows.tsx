import { createShadow } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import type { Shadow } from '../api/types.js';
import { decisionName } from '../decisions/tree.js';
import { Action } from '../parts/action.js';
import { Choice } from '../parts/entries.js';
import { Field, FormDialog, useField } from '../parts/form.js';
import { List } from '../parts/list.js';
import { Button, Section, Time, versionName } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import type { Names } from '../parts/useNames.js';
import { VersionChoice } from '../parts/versionChoice.js';
import { Otherwise } from '../replays/report.js';
import { useMay, useSession } from '../shell/session.js';
import { placesOf } from './places.js';

const shadowsOf = (names: Names): readonly Column<Shadow>[] => [
  ['Begun', ({ createdAt }) => <Time at={createdAt} />],
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

interface StartShadowProps extends Pick<Names, 'decisions' | 'environments'> {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const dayMs = 86_400_000;
const spans = [1, 7, 30].map((days) => [days, days === 1 ? 'a day' : `${days} days`] as const);

/** Asks which version is to be tried where, on how many executions, for how long. */
function StartShadow({ decisions, environments, onDone, onClose }: StartShadowProps) {
  const [days, setDays] = useState(7);
  const first = {
    decisionId: decisions[0]?.id ?? '',
    environmentId: environments[0]?.id ?? '',
    version: 0,
    sample: 0.1,
  };
  return (
    <FormDialog
      operation={createShadow}
      title="Start a shadow"
      action="Start"
      first={first}
      body={(typed) => ({ ...first, ...typed, expiresAt: new Date(Date.now() + days * dayMs).toISOString() })}
      onDone={onDone}
      onClose={onClose}
    >
      <Field at="decisionId" label="Decision" options={decisions.map(({ id, key }) => [id, decisionName(key)])} />
      <Field at="environmentId" label="Environment" options={environments.map(({ id, name }) => [id, name])} />
      <Tried />
      <Field at="sample" label="Share of executions" isRequired />
      <Choice name="For" value={days} options={spans} onChange={setDays} />
    </FormDialog>
  );
}

function Tried() {
  const decision = useField('decisionId');
  const { value, put } = useField('version');
  return (
    <VersionChoice
      name="Version that is tried"
      decisionId={String(decision.value)}
      value={Number(value)}
      workingCopy="first"
      onChange={put}
    />
  );
}
