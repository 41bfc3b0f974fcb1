import { useState } from 'preact/hooks';
import type { Fault, ModelTest, VersionWithContent } from '../api/types.js';
import type { FactState } from '../facts/useFact.js';
import { ModelView } from '../graph/modelView.js';
import { Failure } from '../parts/failure.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { testOf, type TriedRun } from '../tests/testsTab.js';
import { added } from '../tests/changes.js';
import { writeTests } from '../tests/write.js';
import { ResultRegion } from './resultRegion.js';
import { RunForm } from './runForm.js';

interface ModelTabProps {
  readonly id: string;
  readonly shown: VersionWithContent;
  readonly tests: readonly ModelTest[];
  /** Of facts; null while it is not known. */
  readonly schema: unknown;
  readonly fact: FactState;
  readonly tried: TriedRun | null;
  readonly failure: unknown;
  readonly faults: readonly Fault[];
  readonly onRun: (fact: string) => Promise<void>;
  readonly onWritten: () => void;
}

/** The graph, and what a run does on it. */
export function ModelTab({ id, shown, tests, schema, fact, tried, failure, faults, onRun, onWritten }: ModelTabProps) {
  const { setQuery } = useRouter();
  return (
    <div class="model">
      <div class="model-graph">
        <ModelView {...{ shown, faults }} label="Graph" trace={tried?.evaluation.trace ?? null} />
      </div>
      <aside class="model-run" aria-label="Run">
        <RunForm decisionId={id} tests={tests} schema={schema} fact={fact} onRun={onRun} />
        <ResultRegion
          evaluation={tried?.evaluation ?? null}
          model={shown.content}
          failure={failure}
          onOpen={(node) => setQuery({ node }, true)}
        />
        {tried !== null && (
          <AddTest key={tried.evaluation.id} id={id} tried={tried} tests={tests} onWritten={onWritten} />
        )}
      </aside>
    </div>
  );
}

type AddTestProps = Pick<ModelTabProps, 'id' | 'tests' | 'onWritten'> & { readonly tried: TriedRun };

/** Makes a test of what is on screen. */
function AddTest({ id, tried, tests, onWritten }: AddTestProps) {
  const { api } = useSession();
  const { setQuery } = useRouter();
  const [name, setName] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const add = async (): Promise<void> => {
    setFailure(null);
    try {
      const test = testOf(tried, tests);
      await writeTests(api, id, added([test]));
      setName(test.name ?? '');
      onWritten();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <div class="actions">
      {failure !== null && <Failure error={failure} />}
      <button type="button" disabled={name !== null} onClick={() => void add()}>
        Add test
      </button>
      <span role="status">
        {name !== null && (
          <>
            “{name}” is a test of the working copy now.{' '}
            <button type="button" class="link" onClick={() => setQuery({ tab: 'tests', version: null })}>
              See the tests
            </button>
          </>
        )}
      </span>
    </div>
  );
}
