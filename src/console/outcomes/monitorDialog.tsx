import { useState } from 'preact/hooks';
import type { Environment, Monitor } from '../api/types.js';
import { Dialog } from '../parts/dialog.js';
import { ChoiceEntry, TextEntry } from '../parts/entries.js';
import { errorsAt } from '../parts/errorsAt.js';
import { useSession } from '../shell/session.js';
import {
  comparisons,
  equalities,
  fieldsOf,
  limitHint,
  measures,
  monitorOf,
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
  const [fields, setFields] = useState(
    monitor === null ? newFields(environments[0]?.id ?? '', measured[0]) : fieldsOf(monitor),
  );
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(new Map());
  const set =
    <Name extends keyof MonitorFields>(name: Name) =>
    (value: MonitorFields[Name]): void =>
      setFields((before) => ({ ...before, [name]: value }));
  const save = async (): Promise<void> => {
    setWrong(new Map());
    try {
      await api.ask('POST /logic/monitors', { body: monitorOf(decisionId, fields) });
    } catch (error) {
      setWrong(errorsAt(error));
      throw error;
    }
    if (monitor !== null) await api.ask('DELETE /logic/monitors/{id}', { id: monitor.id });
    onDone();
  };
  return (
    <Dialog
      title={monitor === null ? 'New monitor' : `Change ${monitor.name}`}
      action="Save"
      onClose={onClose}
      onSubmit={save}
    >
      <TextEntry
        name="Name"
        value={fields.name}
        wrong={wrong.get('/name')}
        placeholder="Refusals"
        maxLength={255}
        isRequired
        onChange={set('name')}
      />
      <ChoiceEntry
        name="Environment"
        value={fields.environmentId}
        wrong={wrong.get('/environmentId')}
        options={environments.map(({ id, name }) => [id, name])}
        onChange={set('environmentId')}
      />
      <ChoiceEntry name="Measure" value={fields.measure} options={measures} onChange={set('measure')} />
      {fields.measure === 'field' && <FieldEntries {...{ fields, measured, wrong, set }} />}
      <ChoiceEntry name="Window" value={fields.window} options={windows} onChange={set('window')} />
      <ChoiceEntry
        name="Trips when it is"
        value={fields.comparison}
        options={comparisons}
        onChange={set('comparison')}
      />
      <TextEntry
        name="Limit"
        value={fields.limit}
        wrong={wrong.get('/condition')}
        hint={limitHint(fields)}
        placeholder="0.2"
        maxLength={24}
        isRequired
        onChange={set('limit')}
      />
      {monitor !== null && <p class="soft small">A changed monitor begins anew: as clear, until it is looked at.</p>}
    </Dialog>
  );
}

interface FieldEntriesProps extends Pick<MonitorDialogProps, 'measured'> {
  readonly fields: MonitorFields;
  readonly wrong: ReadonlyMap<string, string>;
  readonly set: <Name extends keyof MonitorFields>(name: Name) => (value: MonitorFields[Name]) => void;
}

function FieldEntries({ fields: { pointer, equals, text }, measured, wrong, set }: FieldEntriesProps) {
  const pointers = pointer === '' || measured.includes(pointer) ? measured : [...measured, pointer];
  return (
    <>
      <ChoiceEntry
        name="Field"
        value={pointer}
        wrong={wrong.get('/measure/pointer')}
        {...(pointers.length === 0 ? { hint: 'No field is measured: “What is measured” says which are.' } : {})}
        options={pointers.map((each) => [each, each])}
        onChange={set('pointer')}
      />
      <ChoiceEntry
        name="Equals"
        value={equals}
        wrong={wrong.get('/measure/equals')}
        options={equalities}
        onChange={set('equals')}
      />
      {equals === 'text' && (
        <TextEntry name="Text" value={text} placeholder="refused" maxLength={190} onChange={set('text')} />
      )}
    </>
  );
}
