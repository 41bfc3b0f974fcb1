import { useMemo, useState } from 'preact/hooks';
import { parseJson } from '../api/exactJson.js';
import type { Evaluation, ModelTest, Schemas, TestReport, VersionWithContent } from '../api/types.js';
import { ModelView } from '../graph/modelView.js';
import { Dialog } from '../parts/dialog.js';
import { Failure } from '../parts/failure.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { missedOf, type Missed } from './coverage.js';
import { SuggestDialog } from './suggestDialog.js';
import { TestDialog } from './testDialog.js';
import { TestsTable, TestSums } from './testsTable.js';
import { added, freshTestName, replaced, type TestChange } from './changes.js';
import { writeTests } from './write.js';

/** A fact, and what it gave. */
export interface TriedRun {
  readonly fact: string;
  readonly evaluation: Evaluation;
}

interface TestsTabProps {
  readonly decisionId: string;
  readonly shown: VersionWithContent;
  readonly schemas: Schemas | null;
  /** What was run last on this page. */
  readonly tried: TriedRun | null;
  readonly onWritten: () => void;
}

type Open =
  | { readonly kind: 'new' | 'suggest' }
  | { readonly kind: 'edit' | 'remove'; readonly index: number; readonly test: ModelTest };

/** The tests that a model carries: run, added, changed, and what none of them reaches. */
export function TestsTab({ decisionId, shown, schemas, tried, onWritten }: TestsTabProps) {
  const { api } = useSession();
  const { setQuery } = useRouter();
  const { content, version } = shown;
  const tests = content.tests ?? [];
  const [found, setFound] = useState<{ readonly of: string; readonly report: TestReport } | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  // A report of other content says nothing of this one.
  const report = found?.of === shown.contentHash ? found.report : null;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    await work().catch(setFailure);
    setBusy(false);
  };
  const runAll = async (): Promise<void> =>
    setFound({ of: shown.contentHash, report: await api.runTests(decisionId, version) });
  const write = async (change: TestChange): Promise<void> => {
    await writeTests(api, decisionId, change);
    // Saved versions never change: what was written is seen in the working copy.
    if (version !== 0) setQuery({ version: null });
    onWritten();
  };
  const isAdded =
    tried !== null && tests.some(({ input }) => JSON.stringify(input) === JSON.stringify(parseJson(tried.fact)));
  const add = (): void => {
    if (tried === null || isAdded) setOpen({ kind: 'new' });
    else void attempt(() => write(added([testOf(tried, tests)])));
  };
  const blank: ModelTest = { name: freshTestName(tests), input: {}, output: {} };
  const saved = open?.kind === 'edit' ? open : null;
  return (
    <>
      <div class="heading">
        <p role="status">{report !== null && <TestSums {...report} />}</p>
        <div class="actions">
          <button type="button" disabled={busy} onClick={add}>
            Add test
          </button>
          {tried !== null && !isAdded && (
            <button type="button" onClick={() => setOpen({ kind: 'new' })}>
              Write a test
            </button>
          )}
          <button type="button" onClick={() => setOpen({ kind: 'suggest' })}>
            Suggest tests
          </button>
          <button
            type="button"
            class="primary"
            disabled={busy || tests.length === 0}
            onClick={() => void attempt(runAll)}
          >
            Run all
          </button>
        </div>
      </div>
      {version !== 0 && <p class="soft small">This version stays as it is: tests are added to the working copy.</p>}
      {failure !== null && <Failure error={failure} />}
      {tests.length === 0 ? (
        <p class="empty">
          No tests yet.{' '}
          {tried === null
            ? 'Run a fact, and add what it gives'
            : '“Add test” takes the fact that was run last, and what it gave'}
          , or write one.
        </p>
      ) : (
        <TestsTable
          tests={tests}
          outcomeOf={(index) => {
            const found = report?.tests[index];
            return found && { ...found, failure: null };
          }}
          actions={[
            ['Open', (index) => setQuery({ tab: null, fact: `test:${index}` })],
            ['Edit', (index) => setOpen(changing('edit', tests, index))],
            ['Remove', (index) => setOpen(changing('remove', tests, index))],
          ]}
        />
      )}
      {report !== null && <Coverage shown={shown} report={report} />}
      {(open?.kind === 'new' || open?.kind === 'edit') && (
        <TestDialog
          title={saved === null ? 'New test' : `Change ${saved.test.name ?? 'the test'}`}
          decisionId={decisionId}
          test={saved?.test ?? blank}
          schemas={schemas}
          onRun={(fact) => api.evaluate(decisionId, version, fact)}
          onSave={(test) => write(saved === null ? added([test]) : replaced(saved.index, saved.test, test))}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.kind === 'remove' && (
        <Dialog
          title={`Remove ${open.test.name ?? 'the test'}?`}
          action="Remove"
          onClose={() => setOpen(null)}
          onSubmit={() => write(replaced(open.index, open.test, null))}
        >
          <p>It is taken out of the working copy. Saved versions keep it.</p>
        </Dialog>
      )}
      {open?.kind === 'suggest' && (
        <SuggestDialog
          decisionId={decisionId}
          version={version}
          onAdd={(more) => write(added(more))}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

export const testOf = ({ fact, evaluation }: TriedRun, tests: readonly ModelTest[]): ModelTest => ({
  name: freshTestName(tests),
  input: parseJson(fact),
  output: evaluation.result,
});

function changing(kind: 'edit' | 'remove', tests: readonly ModelTest[], index: number): Open | null {
  const test = tests[index];
  return test === undefined ? null : { kind, index, test };
}

interface CoverageProps {
  readonly shown: VersionWithContent;
  readonly report: TestReport;
}

/** Which nodes, rows and branches no test reaches, in words and on graph and table. */
function Coverage({ shown, report }: CoverageProps) {
  const { setQuery } = useRouter();
  const { content } = shown;
  const missed: Missed = useMemo(() => missedOf(content, report), [content, report]);
  const nameOf = (nodeId: string): string => content.nodes.find(({ id }) => id === nodeId)?.name ?? nodeId;
  return (
    <section aria-label="Coverage" class="stack">
      <h2>What no test reaches</h2>
      {missed.lines.length === 0 ? (
        <p class="soft">The tests reach every node, row and branch.</p>
      ) : (
        <ul>
          {missed.lines.map(({ nodeId, text }) => (
            <li key={nodeId}>
              <button type="button" class="link" onClick={() => setQuery({ node: nodeId }, true)}>
                {nameOf(nodeId)}
              </button>
              : {text}
            </li>
          ))}
        </ul>
      )}
      <ModelView shown={shown} label="Graph of coverage" missed={missed} />
    </section>
  );
}
