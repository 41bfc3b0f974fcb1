import { useEffect, useState } from 'preact/hooks';
import { formatJson, parseJson } from '../api/exactJson.js';
import type { Model, ModelTest } from '../api/types.js';
import type { Subject } from '../desk/subject.js';
import type { Tested } from '../desk/useSaving.js';
import type { Run } from '../desk/useLive.js';
import { Failure, lazy } from '../parts/failure.js';
import { loadPart } from '../parts/loadPart.js';
import { May, useSession } from '../shell/session.js';
import { Button, Section } from '../parts/small.js';
import { useWork } from '../parts/useWork.js';
import { freshTestName, missedOf, type Missed } from './coverage.js';
import { TestsTable, type TestOutcome } from './failedTests.js';
import { howOf } from './how.js';
import type { TryingState } from './useTrying.js';
import type { Fields } from '../graph/fields.js';

// Few decisions run others.
const NotLookedAtOf = lazy(async () => (await import('../analysis/notLookedAt.js')).NotLookedAtOf);
/** A draft has these alone. */
const TestFiles = lazy(async () => (await import('./draftParts.js')).TestFiles);
const SuggestDialog = lazy(async () => (await import('./draftParts.js')).SuggestDialog);
const TestDialog = lazy(async () => (await import('./draftParts.js')).TestDialog);
const TakeDialog = lazy(async () => (await import('./draftParts.js')).TakeDialog);

interface TestsPanelProps {
  readonly subject: Subject;
  /** The last one: a test is made of it. */
  readonly run: Run | null;
  /** What they gave before a version was saved. */
  readonly tested: Tested | null;
  /** What came of them here, which is kept while other tabs are looked at. */
  readonly trying: TryingState;
  /** @param fact JSON, which is run */
  readonly onFact: (fact: string) => void;
  readonly onOpen: (nodeId: string) => void;
  /** Is told what no test reaches, where that is known. */
  readonly onMissed: ((missed: Missed | null) => void) | undefined;
}

/** The tests that a model carries: run, and of a draft changed, undone and saved as all of it. */
export function TestsPanel({ subject, run, tested, trying, onFact, onOpen, onMissed }: TestsPanelProps) {
  const { api } = useSession();
  const { model, version, evaluate, edit } = subject;
  const { key, id } = subject.decision;
  const tests = model.tests ?? [];
  const { tried: own, setTried } = trying;
  const [open, setOpen] = useState<number | 'suggest' | 'take' | null>(null);
  const { busy, failure, run: attempt } = useWork();
  const ownMissed = own?.of === model ? own.missed : null;
  useEffect(() => {
    onMissed?.(ownMissed);
    return () => onMissed?.(null);
  }, [ownMissed]);
  const put = (change: (tests: readonly ModelTest[]) => readonly ModelTest[]): void =>
    edit?.((before) => ({ ...before, tests: change(before.tests ?? []) }));
  /** On the draft as it is now: the last run may be of one before. */
  const add = async (fact: string): Promise<void> => {
    const { result } = await evaluate(fact);
    put((before) => [...before, { name: freshTestName(before), input: parseJson(fact), output: result }]);
  };
  const runAll = async (): Promise<void> => {
    const signal = trying.begin();
    if (version !== null) {
      const report = await api.ask('POST /logic/decisions/{id}/tests', { id, body: { version } });
      const missed = missedOf(model, report);
      const outcomes = outcomesIn(report);
      setTried({ of: model, each: outcomes, missed });
      for (const [at, outcome] of [...outcomes].filter(([, { passed }]) => !passed).slice(0, mostTold)) {
        // What differs is told without it, too.
        const ran = await evaluate(JSON.stringify(tests[at]?.input), signal).catch(() => null);
        outcomes.set(at, { ...outcome, how: howOf(model, ran?.trace) });
      }
      setTried({ of: model, each: new Map(outcomes), missed });
      return;
    }
    setTried({ of: model, each: new Map(), missed: null });
    const { tryTests } = await loadPart(import('./draftParts.js'));
    const coverage = await tryTests(api, { key, model, signal }, (index, result) =>
      setTried((before) => ({ of: model, each: new Map([...(before?.each ?? []), [index, result]]), missed: null })),
    );
    if (coverage !== null) setTried((before) => before && { ...before, missed: missedOf(before.of, { coverage }) });
  };
  const elsewhere = tested && { of: tested.of, each: outcomesIn(tested.report), missed: null };
  const known = [own, elsewhere].filter((each) => each !== null && isSameBesideTests(each.of, model));
  const [tried] = known;
  // Which tests there are may have changed since: each of the others gives what it gave.
  const results = new Map(
    tests.flatMap((test, index): [number, TestOutcome][] => {
      const [outcome] = known.flatMap((each) => each?.each.get(each.of.tests?.indexOf(test) ?? -1) ?? []);
      return outcome === undefined ? [] : [[index, outcome]];
    }),
  );
  /** One that was changed since is where it was: nobody finds the next one in a list that is in another order by then. */
  const placeOf = (index: number): TestOutcome | undefined => {
    const before = tried?.of.tests?.[index];
    const isReplaced = before !== undefined && !tests.includes(before);
    return results.get(index) ?? (isReplaced ? tried?.each.get(index) : undefined);
  };
  const red = [...results].flatMap(([index, { passed, failure: none }]) => (passed || none !== null ? [] : [index]));
  const passed = [...results.values()].filter((each) => each.passed).length;
  const failed = results.size - passed;
  const saved = typeof open === 'number' ? tests[open] : undefined;
  return (
    <section aria-label="Tests" class="stack">
      <div class="actions">
        {edit !== undefined && (
          <>
            <Button
              name="Add test"
              disabled={busy}
              onClick={() => {
                if (run === null) setOpen(tests.length);
                else void attempt(() => add(run.fact));
              }}
            />
            {run !== null && <Button name="Write a test" onClick={() => setOpen(tests.length)} />}
            <Button name="Suggest tests" disabled={version === null} onClick={() => setOpen('suggest')} />
            <TestFiles
              decision={subject.decision}
              {...{ tests, evaluate }}
              isOff={version === null}
              onTests={(next) => put(() => next)}
            />
          </>
        )}
        <May to="evaluation:write">
          <Button
            name="Run all"
            class="primary"
            disabled={busy || tests.length === 0}
            onClick={() => void attempt(runAll)}
          />
        </May>
        <span role="status">
          {passed + failed > 0 && <span class="mark good">{passed} passed</span>}{' '}
          {failed > 0 && <span class="mark bad">{failed} failed</span>}{' '}
          {results.size > 0 && results.size < tests.length && (
            <span class="mark">{tests.length - results.size} not run</span>
          )}
        </span>
        {edit !== undefined && red.length > 0 && (
          <Button
            name={red.length === 1 ? 'Take what it gives now …' : `Take what all ${red.length} give now …`}
            disabled={busy}
            onClick={() => setOpen('take')}
          />
        )}
        {edit !== undefined && version === null && (
          <span class="soft small">Files and suggestions are of the working copy: keep your changes first.</span>
        )}
      </div>
      <Failure error={failure} />
      {tests.length === 0 ? (
        <p class="soft">
          No tests yet.{' '}
          {edit === undefined
            ? 'They are written where it is edited.'
            : '“Add test” takes the fact that was run last, and what it gave.'}
        </p>
      ) : (
        <TestsTable
          tests={tests}
          outcomeOf={(index) => results.get(index)}
          placeOf={placeOf}
          actions={[
            ['Run', (index) => onFact(formatJson(tests[index]?.input ?? {}))],
            ...(edit === undefined
              ? []
              : ([
                  ['Edit', setOpen],
                  ['Remove', (index: number) => put((before) => before.filter((_test, at) => at !== index))],
                ] as const)),
          ]}
        />
      )}
      {tried?.of === model && tried.missed && <Coverage missed={tried.missed} {...{ subject, onOpen }} />}
      {open === 'suggest' && (
        <SuggestDialog
          decisionId={id}
          present={tests}
          onAdd={(more) => put((before) => [...before, ...more])}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'take' && (
        <TakeDialog
          {...{ tests, red, evaluate }}
          onTake={(taken) => put((before) => before.map((test) => taken.get(test) ?? test))}
          onClose={() => setOpen(null)}
        />
      )}
      {typeof open === 'number' && (
        <TestDialog
          title={saved === undefined ? 'New test' : `Change ${saved.name ?? 'the test'}`}
          subject={subject}
          test={saved ?? { name: freshTestName(tests), input: {}, output: {} }}
          onSave={(test) =>
            put((before) =>
              saved === undefined ? [...before, test] : before.map((each, at) => (at === open ? test : each)),
            )
          }
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

const outcomesIn = ({ tests }: Tested['report']): Map<number, TestOutcome> =>
  new Map(tests.map((test, at) => [at, { ...test, failure: null }]));

/** Whether a model decides as another one did. */
function isSameBesideTests(one: Model, other: Model): boolean {
  const [before, after]: readonly Fields[] = [one, other].map((each) => ({ ...each, tests: null }));
  return Object.keys({ ...before, ...after }).every((name) => before?.[name] === after?.[name]);
}

interface CoverageProps extends Pick<TestsPanelProps, 'subject' | 'onOpen'> {
  readonly missed: Missed;
}

/** Which nodes, rows and branches no test reaches. */
const Coverage = ({ missed: { lines }, subject, onOpen }: CoverageProps) => (
  <Section label="Coverage" title="What no test reaches">
    <p class="soft">
      {lines.length === 0 && 'The tests reach every node, row and branch.'}{' '}
      {subject.model.nodes.some(({ type }) => type === 'decisionNode') && <NotLookedAtOf subject={subject} />}
    </p>
    <ul>
      {lines.map(({ nodeId, name, text }) => (
        <li key={nodeId}>
          <Button name={name} class="link" onClick={() => onOpen(nodeId)} />: {text}
        </li>
      ))}
    </ul>
  </Section>
);

/** Of so many tests that fail it is told which rows decided. */
const mostTold = 20;
