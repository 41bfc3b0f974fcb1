import { useState } from 'preact/hooks';
import { AnalysisView } from '../analysis/analysisView.js';
import { parseJson } from '../api/exactJson.js';
import type { ModelTest, Schemas } from '../api/types.js';
import { withContent } from '../editor/modelEdits.js';
import { withGapFilled } from '../editor/gapRow.js';
import { isObject } from '../graph/fields.js';
import { Failure } from '../parts/failure.js';
import { useSession } from '../shell/session.js';
import { freshTestName } from '../tests/changes.js';
import { TestDialog } from '../tests/testDialog.js';
import type { SoughtPart } from '../editor/marks.js';
import type { useAnalysis } from './useAnalysis.js';
import type { Draft } from './useDraft.js';

interface AnalysisPartProps {
  readonly draft: Draft;
  readonly analysed: ReturnType<typeof useAnalysis>;
  readonly schemas: Schemas | null;
  readonly onSeek: (target: SoughtPart) => void;
  readonly onRun: (fact: string) => void;
}

/** What is proved of the draft, and what mends it. */
export function AnalysisPart({ draft, analysed, schemas, onSeek, onRun }: AnalysisPartProps) {
  const { api } = useSession();
  const [asked, setAsked] = useState<ModelTest | null>(null);
  const { analysis, isSearched, error } = analysed;
  const { model, stored, edit } = draft;
  const tests = model.tests ?? [];
  const addRow = (nodeId: string, input: unknown): void => {
    const content = model.nodes.find(({ id }) => id === nodeId)?.content;
    if (!isObject(content)) return;
    const { next, row } = withGapFilled(content, input);
    edit((before) => withContent(before, nodeId, next));
    // What the row gives, only a person knows.
    onSeek({ nodeId, cell: { row, column: firstOutput(content) } });
  };
  if (error !== null) return <Failure error={error} />;
  if (analysis === null) return <p class="soft">There is nothing proved of it yet.</p>;
  return (
    <>
      <AnalysisView
        {...{ analysis, isSearched, model, onRun }}
        onChoose={(nodeId) => onSeek({ nodeId, cell: null })}
        onAddTest={(fact) => setAsked({ name: freshTestName(tests), input: parseJson(fact), output: {} })}
        onAddRow={addRow}
      />
      {asked !== null && (
        <TestDialog
          title="What should it give?"
          decisionId={stored.decision.id}
          test={asked}
          schemas={schemas}
          onRun={(fact) => api.evaluateDraft(stored.decision.key, model, fact)}
          onSave={(test) => {
            edit((before) => ({ ...before, tests: [...(before.tests ?? []), test] }));
            return Promise.resolve();
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

const firstOutput = (content: Readonly<Record<string, unknown>>): string => {
  const outputs = Array.isArray(content['outputs']) ? (content['outputs'] as readonly unknown[]) : [];
  const [first] = outputs;
  return isObject(first) && typeof first['id'] === 'string' ? first['id'] : '';
};
