import { useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import type { Analysis } from '../api/types.js';
import { isObject } from '../graph/fields.js';
import { Button, Panel } from '../parts/small.js';
import { ValuesLine } from '../parts/values.js';
import { Choice, sent, TextField } from '../parts/entries.js';
import { Failure } from '../parts/failure.js';
import { useWork } from '../parts/useWork.js';
import { useSession } from '../shell/session.js';

interface PropertyFormProps {
  readonly decisionId: string;
  readonly version: number;
  readonly onRun: (fact: string) => void;
}

type Property = Analysis['properties'][number];

const colours: Readonly<Record<Property['status'], string>> = { proved: 'good', refuted: 'bad', unknown: 'warn' };

const propertyKinds = (['never', 'always'] as const).map((each) => [each, each] as const);

/** Asks whether something can never be, or always holds. */
export function PropertyForm({ decisionId, version, onRun }: PropertyFormProps) {
  const { api } = useSession();
  const [kind, setKind] = useState<'never' | 'always'>('never');
  const [source, setSource] = useState('');
  const [property, setProperty] = useState<Property | null>(null);
  const { failure, run } = useWork();
  const prove = async (): Promise<void> => {
    setProperty(null);
    const properties = [{ name: `${kind} ${source}`.slice(0, 255), [kind]: source }];
    setProperty((await api.analyse({ decisionId, version, properties })).properties[0] ?? null);
  };
  return (
    <Panel label="Property" title="Does it hold?">
      <form class="save" onSubmit={sent(() => void run(prove))}>
        <Choice name="What" value={kind} options={propertyKinds} onChange={setKind} class="short" />
        <TextField
          name="Condition"
          value={source}
          required
          maxLength={2000}
          spellcheck={false}
          class="code"
          placeholder="fact.age < 18 and result.decision != 'refused'"
          onChange={setSource}
        />
        <button>Prove</button>
      </form>
      <Failure error={failure} />
      <div role="status">{property !== null && <Outcome property={property} onRun={onRun} />}</div>
    </Panel>
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
      {fact !== null && <Button name="Run it" onClick={() => onRun(fact)} />}
    </p>
  );
}
