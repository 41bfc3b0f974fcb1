import { useState } from 'preact/hooks';
import type { Environment, Monitor } from '../api/types.js';
import { Action } from '../parts/action.js';
import { Button, EnvironmentMark, Section, Time } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { placeText } from '../parts/values.js';
import { useMay, useSession } from '../shell/session.js';
import { textOf } from './sums.js';
import { createMonitor } from '#openapi/forms.gen.js';
import { Field, FormDialog } from '../parts/form.js';
import {
  comparisons,
  equalities,
  equalsHint,
  fieldsOf,
  limitHint,
  measuredBy,
  measures,
  newFields,
  windows,
  type MonitorFields,
} from './monitorFields.js';

interface MonitorsProps {
  readonly decisionId: string;
  readonly monitors: readonly Monitor[];
  readonly environments: readonly Environment[];
  readonly measured: readonly string[];
  readonly onChanged: () => void;
}

/** What watches the decision, and whether it has tripped. */
export function Monitors({ monitors, onChanged, ...rest }: MonitorsProps) {
  const { api } = useSession();
  const mayWrite = useMay()('monitor:write');
  const { environments } = rest;
  /** The one that is changed, or a new one. */
  const [open, setOpen] = useState<Monitor | 'new' | null>(null);
  const remove = async (id: string): Promise<void> => {
    await api.ask('DELETE /logic/monitors/{id}', { id });
    onChanged();
  };
  const columns: readonly Column<Monitor>[] = [
    ['Name', ({ name }) => name],
    stateColumn,
    [
      'Environment',
      ({ environmentId }) => <EnvironmentMark environment={environments.find(({ id }) => id === environmentId)} />,
    ],
    ['Measure', ({ measure }) => measureText(measure)],
    ['Window', ({ window }) => window],
    ['Condition', ({ condition }) => condition],
    ['Value', ({ value }) => (value === null ? '' : Number(value.toPrecision(4))), 'number'],
    ['Since', ({ changedAt }) => changedAt !== null && <Time at={changedAt} />],
  ];
  const actions: Column<Monitor> = [
    'Actions',
    (monitor) => (
      <div class="actions">
        <Button name="Change" aria-label={`Change ${monitor.name}`} onClick={() => setOpen(monitor)} />
        <Action name="Remove" label={`Remove ${monitor.name}`} work={() => remove(monitor.id)} />
      </div>
    ),
  ];
  return (
    <Section
      label="Monitors"
      actions={
        mayWrite && <Button name="New monitor" disabled={environments.length === 0} onClick={() => setOpen('new')} />
      }
    >
      {monitors.length === 0 ? (
        <p class="soft">No monitor watches this decision.</p>
      ) : (
        <Table label="Monitors" columns={mayWrite ? [...columns, actions] : columns} rows={monitors} />
      )}
      {open !== null && (
        <MonitorDialog
          {...rest}
          monitor={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
          onDone={onChanged}
        />
      )}
    </Section>
  );
}

export const stateColumn: Column<Monitor> = [
  'State',
  ({ state }) => <span class={`mark ${state === 'TRIPPED' ? 'bad' : 'good'}`}>{state.toLowerCase()}</span>,
];

/** What a monitor looks at. */
export function measureText(measure: Monitor['measure']): string {
  if (typeof measure === 'string') return measure;
  const place = placeText(measure.pointer);
  return measure.equals === undefined ? place : `${place} = ${textOf(measure.equals)}`;
}

interface MonitorDialogProps {
  readonly decisionId: string;
  readonly environments: readonly Environment[];
  /** Fields of results that are counted; no other can be watched. */
  readonly measured: readonly string[];
  /** The one that is changed; null for a new one. */
  readonly monitor: Monitor | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Makes a monitor, or another in its place: what one found so far was found by another condition. */
function MonitorDialog({ decisionId, environments, measured, monitor, onClose, onDone }: MonitorDialogProps) {
  const { api } = useSession();
  const [fields, setFields] = useState(monitor === null ? newFields(measured[0]) : fieldsOf(monitor));
  /** What is read of several fields, or in another form than the service has it. */
  const made = (name: keyof MonitorFields) => ({
    value: fields[name],
    onChange: (value: string) => setFields((before) => ({ ...before, [name]: value })),
  });
  const { pointer } = fields;
  const pointers = pointer === '' || measured.includes(pointer) ? measured : [...measured, pointer];
  const { name = '', environmentId = environments[0]?.id ?? '', window = '1h' as const } = monitor ?? {};
  return (
    <FormDialog
      operation={createMonitor}
      title={monitor === null ? 'New monitor' : `Change ${monitor.name}`}
      action="Save"
      first={{ decisionId, name, environmentId, window }}
      body={(typed) => ({ name: '', decisionId, environmentId, window, ...typed, ...measuredBy(fields) })}
      send={async (body) => {
        await api.ask('POST /logic/monitors', { body });
        if (monitor !== null) await api.ask('DELETE /logic/monitors/{id}', { id: monitor.id });
        onDone();
      }}
      onClose={onClose}
    >
      <Field at="name" placeholder="Refusals" />
      <Field at="environmentId" label="Environment" options={environments.map(({ id, name }) => [id, name])} />
      <Field at="measure" options={measures} {...made('measure')} />
      {fields.measure === 'field' && (
        <>
          <Field
            at="measure.pointer"
            label="Field"
            options={pointers.map((each) => [each, placeText(each)])}
            hint={pointers.length === 0 ? 'No field is measured: “What is measured” says which are.' : ''}
            {...made('pointer')}
          />
          <Field at="measure.equals" options={equalities} hint={equalsHint} {...made('equals')} />
          {fields.equals === 'text' && (
            <Field at="measure.equals" label="Text" placeholder="refused" {...made('text')} />
          )}
        </>
      )}
      <Field at="window" options={windows} />
      <Field at="condition" label="Trips when it is" options={comparisons} {...made('comparison')} />
      <Field at="condition" label="Limit" placeholder="0.2" hint={limitHint(fields)} {...made('limit')} />
      {monitor !== null && <p class="soft small">A changed monitor begins anew: as clear, until it is looked at.</p>}
    </FormDialog>
  );
}
