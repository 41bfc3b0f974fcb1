import { createMonitor } from '#openapi/forms.gen.js';
import { useState } from 'preact/hooks';
import type { Environment, Monitor } from '../api/types.js';
import { Field, FormDialog } from '../parts/form.js';
import { useSession } from '../shell/session.js';
import {
  comparisons,
  equalities,
  fieldsOf,
  limitHint,
  measuredBy,
  measures,
  newFields,
  windows,
  type MonitorFields,
} from './monitorFields.js';

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
export function MonitorDialog({ decisionId, environments, measured, monitor, onClose, onDone }: MonitorDialogProps) {
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
            options={pointers.map((each) => [each, each])}
            hint={pointers.length === 0 ? 'No field is measured: “What is measured” says which are.' : ''}
            {...made('pointer')}
          />
          <Field at="measure.equals" options={equalities} {...made('equals')} />
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
