import { useState } from 'preact/hooks';
import { ResultRegion } from '../model/resultRegion.js';
import { RunForm } from '../model/runForm.js';
import { TestsPanel } from '../model/testsPanel.js';
import { ChangesPanel } from './changesPanel.js';
import { keepLayout, keptLayout } from './layout.js';
import type { Draft } from './useDraft.js';
import type { useLive } from './useLive.js';

interface DeskPanelProps {
  readonly draft: Draft;
  readonly live: ReturnType<typeof useLive>;
  readonly tab: string;
  readonly onTab: (tab: string) => void;
}

const tabs = ['Fact', 'Result', 'Tests', 'Changes'] as const;
const [minWidth, maxWidth] = [240, 900];

/** What a run of the draft does, beside whatever is open; what stands in it stays while it is not seen. */
export function DeskPanel({ draft, live, tab, onTab }: DeskPanelProps) {
  const { decision } = draft.stored;
  const [width, setWidth] = useState(() => keptLayout().panelWidth);
  const resize = (to: number): void => {
    const next = Math.min(maxWidth, Math.max(minWidth, to));
    setWidth(next);
    keepLayout({ panelWidth: next });
  };
  return (
    <aside class="desk-panel" aria-label="Run" style={{ width: `${width}px` }}>
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
          if (key === 'ArrowLeft') resize(width + 20);
          if (key === 'ArrowRight') resize(width - 20);
        }}
        onPointerDown={(down) => {
          const move = ({ clientX }: PointerEvent): void => resize(width + down.clientX - clientX);
          const stop = (): void => {
            removeEventListener('pointermove', move);
            removeEventListener('pointerup', stop);
          };
          down.preventDefault();
          addEventListener('pointermove', move);
          addEventListener('pointerup', stop);
        }}
      />
      <div role="tablist" aria-label="Panel" class="tabs">
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            aria-controls="desk-panel"
            onClick={() => onTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="desk-panel" aria-label={tab} class="desk-panel-body" tabIndex={0}>
        <div class="desk-fact" hidden={tab !== 'Fact'}>
          <RunForm decisionId={decision.id} tests={draft.model.tests ?? []} onRun={live.evaluate} />
        </div>
        {(tab === 'Fact' || tab === 'Result') && (
          <ResultRegion evaluation={live.run?.evaluation ?? null} failure={live.failure} />
        )}
        {tab === 'Tests' && <TestsPanel decisionId={decision.id} version={0} model={draft.model} />}
        {tab === 'Changes' && <ChangesPanel decision={decision} />}
      </div>
    </aside>
  );
}
