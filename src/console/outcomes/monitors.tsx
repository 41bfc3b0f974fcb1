import { useState } from 'preact/hooks';
import type { Environment, Monitor } from '../api/types.js';
import { Action } from '../parts/action.js';
import { Button, EnvironmentMark, Section, Time } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';
import { useMay, useSession } from '../shell/session.js';
import { MonitorDialog } from './monitorDialog.js';
import { textOf } from './sums.js';

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
    ['State', ({ state }) => <span class={state === 'TRIPPED' ? 'mark bad' : 'mark good'}>{state}</span>],
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

/** What a monitor looks at. */
export function measureText(measure: Monitor['measure']): string {
  if (typeof measure === 'string') return measure;
  return measure.equals === undefined ? measure.pointer : `${measure.pointer} = ${textOf(measure.equals)}`;
}
