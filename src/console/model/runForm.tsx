import { useEffect, useState } from 'preact/hooks';
import { formatJson, parseJson } from '../api/exactJson.js';
import type { ExecutionSummary, ModelTest } from '../api/types.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';

interface RunFormProps {
  readonly decisionId: string;
  readonly tests: readonly ModelTest[];
  /** @param fact JSON text of an object, as the person wrote it */
  readonly onRun: (fact: string) => Promise<void>;
}

/** Where a fact is run: the person's own, a test's, or that of a recorded execution. */
export function RunForm({ decisionId, tests, onRun }: RunFormProps) {
  const { query, setQuery } = useRouter();
  const source = query.get('fact') ?? '';
  const taken = useFactOf(source, tests);
  const [fact, setFact] = useState('{}');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (taken !== null) setFact(taken);
  }, [taken]);
  const run = async (): Promise<void> => {
    const found = faultOf(fact);
    setFault(found);
    if (found !== null) return;
    setBusy(true);
    await onRun(fact);
    setBusy(false);
  };
  return (
    <form
      class="stack panel"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <FactSource decisionId={decisionId} tests={tests} source={source} onChoose={(fact) => setQuery({ fact }, true)} />
      <label>
        Fact
        <textarea
          rows={10}
          spellcheck={false}
          value={fact}
          aria-invalid={fault !== null}
          onInput={(event) => {
            setFact(event.currentTarget.value);
            setFault(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
          }}
        />
      </label>
      {fault !== null && (
        <p role="alert" class="failure">
          {fault}
        </p>
      )}
      <button class="primary" disabled={busy} title="Ctrl+Enter in the fact">
        Run
      </button>
    </form>
  );
}

interface FactSourceProps {
  readonly decisionId: string;
  readonly tests: readonly ModelTest[];
  readonly source: string;
  readonly onChoose: (source: string | null) => void;
}

/** `test:0` and `execution:<id>`, as the address has them. */
function FactSource({ decisionId, tests, source, onChoose }: FactSourceProps) {
  const { api } = useSession();
  const [recorded, setRecorded] = useState<readonly ExecutionSummary[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    api.executions({ decisionId, order: 'desc', size: 20 }, controller.signal).then(
      ({ data }) => setRecorded(data),
      // Without the scope there are none to choose from.
      () => undefined,
    );
    return () => controller.abort();
  }, [api, decisionId]);
  if (tests.length + recorded.length === 0) return null;
  return (
    <label>
      Take it from
      <select value={source} onChange={(event) => onChoose(event.currentTarget.value || null)}>
        <option value="">your own</option>
        {tests.length > 0 && (
          <optgroup label="Tests of the model">
            {tests.map(({ name }, index) => (
              <option key={index} value={`test:${index}`}>
                {name ?? `test ${index + 1}`}
              </option>
            ))}
          </optgroup>
        )}
        {recorded.length > 0 && (
          <optgroup label="Recorded executions">
            {recorded.map(({ id, reference, createdAt, status }) => (
              <option key={id} value={`execution:${id}`}>
                {new Date(createdAt).toLocaleString()} {reference ?? ''} {status}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
}

/** The text of the fact that the source names; null for a person's own. */
function useFactOf(source: string, tests: readonly ModelTest[]): string | null {
  const { api } = useSession();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const [kind, name = ''] = source.split(':');
    if (kind === 'test') setText(formatJson(tests[Number(name)]?.input ?? {}));
    if (kind !== 'execution') return;
    const controller = new AbortController();
    api.execution(name, controller.signal).then(
      ({ fact }) => setText(formatJson(fact ?? {})),
      () => undefined,
    );
    return () => controller.abort();
  }, [api, source, tests]);
  return text;
}

/** Why a text is no fact; null where it is one. */
function faultOf(text: string): string | null {
  try {
    const value = parseJson(text);
    const isFact = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isFact ? null : 'A fact is a JSON object: { "name": value }.';
  } catch (error) {
    return `This is no JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}
