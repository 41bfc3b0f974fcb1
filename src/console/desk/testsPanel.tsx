import { useEffect, useRef, useState } from 'preact/hooks';
import type { Model, ModelTest, Schemas } from '../api/types.js';
import { useSession } from '../shell/session.js';
import { TestDialog } from '../tests/testDialog.js';
import { testOf } from '../tests/testsTab.js';
import { TestsTable, TestSums, type TestOutcome } from '../tests/testsTable.js';
import { freshTestName } from '../tests/changes.js';
import { tryTests } from './draftTests.js';
import type { Draft } from './useDraft.js';
import type { Run } from './useLive.js';

interface TestsPanelProps {
  readonly draft: Draft;
  readonly run: Run | null;
  readonly schemas: Schemas | null;
  readonly onFact: (test: ModelTest) => void;
}

/** The tests of the draft: part of it, and so undone and saved with it. */
export function TestsPanel({ draft, run, schemas, onFact }: TestsPanelProps) {
  const { api } = useSession();
  const { model } = draft;
  const { key, id } = draft.stored.decision;
  const tests = model.tests ?? [];
  const [tried, setTried] = useState<{ readonly of: Model; readonly each: ReadonlyMap<number, TestOutcome> } | null>(
    null,
  );
  const [open, setOpen] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef(new AbortController());
  // What comes of a draft that is another one by now says nothing.
  useEffect(() => () => running.current.abort(), [model]);
  const put = (change: (tests: readonly ModelTest[]) => readonly ModelTest[]): void =>
    draft.edit((before) => ({ ...before, tests: change(before.tests ?? []) }));
  /** On the draft as it is now: the last run may be of one before. */
  const add = async (fact: string): Promise<void> => {
    const evaluation = await api.evaluateDraft(key, model, fact);
    put((before) => [...before, testOf({ fact, evaluation }, before)]);
  };
  const runAll = async (): Promise<void> => {
    setBusy(true);
    setTried({ of: model, each: new Map() });
    running.current = new AbortController();
    await tryTests({ api, key, model, signal: running.current.signal }, tests, (index, result) =>
      setTried((before) => ({ of: model, each: new Map([...(before?.each ?? []), [index, result]]) })),
    );
    setBusy(false);
  };
  // What came of another draft says nothing of this one.
  const results = tried?.of === model ? tried.each : new Map<number, TestOutcome>();
  const passed = [...results.values()].filter((each) => each.passed).length;
  const saved = open === null ? undefined : tests[open];
  return (
    <section aria-label="Tests" class="stack">
      <div class="actions">
        <button
          type="button"
          onClick={() => {
            if (run === null) setOpen(tests.length);
            else void add(run.fact);
          }}
        >
          Add test
        </button>
        <button type="button" class="primary" disabled={busy || tests.length === 0} onClick={() => void runAll()}>
          Run all
        </button>
        <span role="status">
          <TestSums passed={passed} failed={results.size - passed} />
        </span>
      </div>
      {tests.length === 0 ? (
        <p class="soft">No tests yet. “Add test” takes the fact that was run last, and what it gave.</p>
      ) : (
        <TestsTable
          tests={tests}
          outcomeOf={(index) => results.get(index)}
          actions={[
            ['Run', (index) => tests[index] !== undefined && onFact(tests[index])],
            ['Edit', setOpen],
            ['Remove', (index) => put((before) => before.filter((_test, at) => at !== index))],
          ]}
        />
      )}
      {open !== null && (
        <TestDialog
          title={saved === undefined ? 'New test' : `Change ${saved.name ?? 'the test'}`}
          decisionId={id}
          test={saved ?? { name: freshTestName(tests), input: {}, output: {} }}
          schemas={schemas}
          onRun={(fact) => api.evaluateDraft(key, model, fact)}
          onSave={(test) => {
            put((before) =>
              saved === undefined ? [...before, test] : before.map((each, at) => (at === open ? test : each)),
            );
            return Promise.resolve();
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}
