import { useMemo, useState } from 'preact/hooks';
import { formatJson } from '../api/exactJson.js';
import type { Schemas } from '../api/types.js';
import { DecisionChanges } from '../audit/decisionChanges.js';
import type { FactState } from '../facts/useFact.js';
import { ResultRegion } from '../model/resultRegion.js';
import { RunForm } from '../model/runForm.js';
import { Tabs } from '../parts/tabs.js';
import { Link } from '../shell/router.js';
import { AnalysisPart } from './analysisPart.js';
import { draftSchema } from './draftSchema.js';
import { keptLayout } from './layout.js';
import type { SoughtPart } from '../editor/marks.js';
import { Splitter } from './splitter.js';
import { TestsPanel } from './testsPanel.js';
import type { useAnalysis } from './useAnalysis.js';
import type { Draft } from './useDraft.js';
import type { useLive } from './useLive.js';

interface DeskPanelProps {
  readonly draft: Draft;
  readonly live: ReturnType<typeof useLive>;
  readonly analysed: ReturnType<typeof useAnalysis>;
  readonly fact: FactState;
  readonly schemas: Schemas | null;
  readonly onOpen: (nodeId: string) => void;
  readonly onSeek: (target: SoughtPart) => void;
}

const tabs = [
  ['fact', 'Fact'],
  ['result', 'Result'],
  ['tests', 'Tests'],
  ['analysis', 'Analysis'],
  ['changes', 'Changes'],
] as const;

type TabId = (typeof tabs)[number][0];

/** What a run of the draft does, beside whatever is open. */
export function DeskPanel({ draft, live, analysed, fact, schemas, onOpen, onSeek }: DeskPanelProps) {
  const { decision } = draft.stored;
  const [tab, setTab] = useState<TabId>('fact');
  const [width, setWidth] = useState(() => keptLayout().panelWidth);
  const { run, failure } = live;
  const input = useMemo(() => draftSchema(draft.model, schemas?.input ?? null), [draft.model, schemas]);
  const runFact = (text: string): void => {
    fact.setText(text);
    setTab('result');
    void live.evaluate(text);
  };
  const result = (
    <ResultRegion evaluation={run?.evaluation ?? null} model={run?.model ?? draft.model} {...{ failure, onOpen }} />
  );
  return (
    <aside class="desk-panel" aria-label="Run" style={{ width: `${width}px` }}>
      <Splitter width={width} onWidth={setWidth} />
      <Tabs label="Run and prove" tabs={tabs} chosen={tab} onChoose={setTab}>
        {tab === 'fact' && (
          <RunForm
            decisionId={decision.id}
            tests={draft.model.tests ?? []}
            schema={input}
            fact={fact}
            onRun={live.evaluate}
          />
        )}
        {(tab === 'fact' || tab === 'result') && result}
        {tab === 'tests' && (
          <TestsPanel {...{ draft, run, schemas }} onFact={({ input }) => runFact(formatJson(input))} />
        )}
        {tab === 'analysis' && <AnalysisPart {...{ draft, analysed, schemas, onSeek }} onRun={runFact} />}
        {tab === 'changes' && (
          <>
            {decision.latestVersion !== null && (
              <p>
                <Link to={`/decisions/${decision.id}/compare?from=${decision.latestVersion}&to=0`}>
                  What the working copy changes in v{decision.latestVersion}
                </Link>
              </p>
            )}
            <DecisionChanges decisionId={decision.id} state={draft.stored.tag} />
          </>
        )}
      </Tabs>
    </aside>
  );
}
