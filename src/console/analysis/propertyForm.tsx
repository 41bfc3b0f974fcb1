import { useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import type { Analysis } from '../api/types.js';
import { isObject } from '../graph/fields.js';
import { ValuesLine } from '../parts/values.js';
import { Failure } from '../parts/failure.js';
import { useSession } from '../shell/session.js';

interface PropertyFormProps {
  readonly decisionId: string;
  readonly version: number;
  readonly onRun: (fact: string) => void;
}

type Property = Analysis['properties'][number];

const colours: Readonly<Record<Property['status'], string>> = { proved: 'good', refuted: 'bad', unknown: 'warn' };

/** Asks whether something can never be, or always holds. */
export function PropertyForm({ decisionId, version, onRun }: PropertyFormProps) {
  const { api } = useSession();
  const [kind, setKind] = useState<'never' | 'always'>('never');
  const [source, setSource] = useState('');
  const [property, setProperty] = useState<Property | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const prove = async (): Promise<void> => {
    setFailure(null);
    setProperty(null);
    try {
      const properties = [{ name: `${kind} ${source}`.slice(0, 255), [kind]: source }];
      setProperty((await api.analyse({ decisionId, version, properties })).properties[0] ?? null);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <section aria-label="Property" class="panel">
      <h2>Does it hold?</h2>
      <form
        class="save"
        onSubmit={(event) => {
          event.preventDefault();
          void prove();
        }}
      >
        <label class="short">
          What
          <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as typeof kind)}>
            <option value="never">never</option>
            <option value="always">always</option>
          </select>
        </label>
        <label>
          Condition
          <input
            value={source}
            required
            maxLength={2000}
            spellcheck={false}
            class="code"
            placeholder="fact.age < 18 and result.decision != 'refused'"
            onInput={({ currentTarget }) => setSource(currentTarget.value)}
          />
        </label>
        <button>Prove</button>
      </form>
      {failure !== null && <Failure error={failure} />}
      <div role="status">{property !== null && <Outcome property={property} onRun={onRun} />}</div>
    </section>
  );
}

function Outcome({
  property: { name, status, witness, reason },
  onRun,
}: Pick<PropertyFormProps, 'onRun'> & { readonly property: Property }) {
  const fact = witness !== null && isObject(witness.fact) ? formatJson(witness.fact) : null;
  return (
    <p>
      <span class={`mark ${colours[status]}`}>{status}</span> <code>{name}</code>
      {reason === null ? ' ' : `: ${reason}. `}
      {witness !== null && (
        <>
          by <ValuesLine value={witness.fact ?? witness.input} /> → <ValuesLine value={witness.result} />{' '}
        </>
      )}
      {fact !== null && (
        <button type="button" onClick={() => onRun(fact)}>
          Run it
        </button>
      )}
    </p>
  );
}
