import { parseJson } from '../api/exactJson.js';
import type { ModelTest } from '../api/types.js';
import { useLoaded } from '../parts/useLoaded.js';
import { valuesText } from '../parts/values.js';
import { useSession } from '../shell/session.js';

interface FactSourceProps {
  readonly decisionId: string;
  readonly tests: readonly ModelTest[];
  /** What is chosen: `test:0`, `execution:<id>`, `last:0`; empty for the person's own. */
  readonly source: string;
  readonly onChoose: (source: string) => void;
}

const maxRecorded = 20;

/** Where a fact can be taken from: tests, recorded executions, what was run before. */
export function FactSource({ decisionId, tests, source, onChoose }: FactSourceProps) {
  const { api, facts } = useSession();
  const recorded = useLoaded(
    (signal) => api.ask('GET /logic/executions', { decisionId, order: 'desc', size: maxRecorded }, signal),
    [api, decisionId],
  );
  const last = facts.last(decisionId);
  return (
    <label>
      Start from
      <select value={source} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">what is typed here</option>
        <Group
          label="Tests of the model"
          options={tests.map(({ name }, index) => [`test:${index}`, name ?? `test ${index + 1}`])}
        />
        <Group
          label="Recorded executions"
          // Without the scope there are none to choose from.
          options={(recorded.value?.data ?? []).map(({ id, reference, createdAt, status }) => [
            `execution:${id}`,
            `${new Date(createdAt).toLocaleString()} ${reference ?? ''} ${status}`,
          ])}
        />
        <Group
          label="Run here before"
          options={last.map((text, index) => [`last:${index}`, valuesText(parseJson(text)).slice(0, 60)])}
        />
      </select>
    </label>
  );
}

interface GroupProps {
  readonly label: string;
  readonly options: readonly (readonly [value: string, name: string])[];
}

const Group = ({ label, options }: GroupProps) =>
  options.length === 0 ? null : (
    <optgroup label={label}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </optgroup>
  );
