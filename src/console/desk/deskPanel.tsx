import type { ComponentChildren } from 'preact';
import type { FactState } from '../facts/useFact.js';
import { ResultRegion } from '../model/resultRegion.js';
import { RunForm } from '../model/runForm.js';
import { lazy } from '../parts/failure.js';
import { Loading } from '../parts/small.js';
import { Tabs } from '../parts/tabs.js';
import { Link, useRouter } from '../shell/address.js';
import type { Missed } from '../tests/coverage.js';
import { useTrying } from '../tests/useTrying.js';
import type { SoughtPart } from '../editor/marks.js';
import { useLayout } from './layout.js';
import type { Subject } from './subject.js';
import type { Analysed } from './useAnalysis.js';
import type { Live } from './useLive.js';
import type { Tested } from './useSaving.js';
import { follow } from '../parts/follow.js';

interface DeskPanelProps {
  readonly subject: Subject;
  readonly live: Live;
  readonly fact: FactState;
  /** Of a draft, of which it is asked after each change; left out where it is asked once somebody wants to see it. */
  readonly analysed?: Analysed;
  /** What tests gave elsewhere on the desk. */
  readonly tested?: Tested | null;
  readonly onSeek: (target: SoughtPart) => void;
  /** Puts a row into a table of a draft. @param input what it takes; null for all that is left */
  readonly onAddRow?: (nodeId: string, gap: ReadonlyMap<string, string> | null) => void;
  readonly onMissed?: (missed: Missed | null) => void;
  /** Below all of it, where it covers nothing, and nothing moves when it goes. */
  readonly notice?: ComponentChildren;
}

const tabs = [
  ['fact', 'Fact'],
  ['result', 'Result'],
  ['tests', 'Tests'],
  ['analysis', 'Analysis'],
  ['changes', 'Changes'],
] as const;

// What is not seen at first.
const TestsPanel = lazy(async () => (await import('./panelParts.js')).TestsPanel);
const AnalysisPart = lazy(async () => (await import('./panelParts.js')).AnalysisPart);
// Few decisions run others.
const NewerRuns = lazy(async () => (await import('../analysis/newerRuns.js')).NewerRuns);
const AuditTable = lazy(async () => (await import('../audit/auditTable.js')).AuditTable);

/** What a run of a model does, beside whatever of it is open. The chosen tab stands in the address. */
export function DeskPanel({
  subject,
  live,
  analysed,
  fact,
  tested = null,
  onSeek,
  onAddRow,
  onMissed,
  notice,
}: DeskPanelProps) {
  const { decision, model, schemas } = subject;
  const { query, setQuery } = useRouter();
  const tab = tabs.find(([id]) => id === query.get('tab'))?.[0] ?? 'fact';
  const setTab = (id: typeof tab): void => setQuery({ tab: id === 'fact' ? null : id }, true);
  const [width, setWidth] = useLayout('panelWidth');
  const trying = useTrying(model);
  const { run, failure } = live;
  const onOpen = (nodeId: string, row?: number): void =>
    onSeek({ nodeId, cell: row === undefined ? null : { row, column: '' } });
  const runFact = (text: string): void => {
    fact.setText(text);
    setTab('result');
    void live.evaluate(text);
  };
  return (
    <aside class="desk-panel" aria-label="Run" style={{ width: `${width}px` }}>
      <Splitter width={width} onWidth={setWidth} />
      <Tabs label="Run and prove" tabs={tabs} chosen={tab} onChoose={setTab}>
        {tab === 'fact' && schemas === null && <Loading />}
        {tab === 'fact' && schemas !== null && (
          <RunForm
            decisionId={decision.id}
            model={model}
            schema={schemas.input}
            fact={fact}
            ran={run?.fact ?? null}
            onRun={live.evaluate}
          />
        )}
        {(tab === 'fact' || tab === 'result') && (
          <ResultRegion
            evaluation={run?.evaluation ?? null}
            given={run?.given}
            model={run?.model ?? model}
            isEarlier={run?.fact !== fact.text}
            {...{ failure, onOpen }}
          />
        )}
        {tab === 'tests' && <TestsPanel {...{ subject, run, tested, trying, onOpen, onMissed }} onFact={runFact} />}
        {tab === 'analysis' && <AnalysisPart {...{ subject, analysed, onSeek, onAddRow }} onRun={runFact} />}
        {tab === 'changes' && (
          <>
            {decision.latestVersion !== null && subject.edit !== undefined && (
              <p>
                <Link to={`/decisions/${decision.id}/compare?from=${decision.latestVersion}&to=0`}>
                  What the working copy changes in v{decision.latestVersion}
                </Link>
              </p>
            )}
            {model.nodes.some(({ type }) => type === 'decisionNode') && <NewerRuns subject={subject} />}
            <AuditTable
              query={{ resourceId: decision.id }}
              state={subject.state}
              empty="Nothing was written down of this decision yet."
            />
          </>
        )}
      </Tabs>
      {notice}
    </aside>
  );
}

const [minWidth, maxWidth, step] = [240, 900, 20];

/** The edge of the panel, by which it is made wider; its width is kept. */
function Splitter({ width, onWidth }: { readonly width: number; readonly onWidth: (width: number) => void }) {
  const resize = (to: number): void => onWidth(Math.min(maxWidth, Math.max(minWidth, to)));
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label="Width of the panel"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      onKeyDown={({ key }) => {
        if (key === 'ArrowLeft') resize(width + step);
        if (key === 'ArrowRight') resize(width - step);
      }}
      onPointerDown={(down) => {
        down.preventDefault();
        follow(({ clientX }) => resize(width + down.clientX - clientX));
      }}
    />
  );
}
