import type { Gap } from '../editor/gapRow.js';
import { useState } from 'preact/hooks';
import { AnalysisView } from './analysisView.js';
import { PropertyForm } from './propertyForm.js';
import { parseJson } from '../api/exactJson.js';
import type { Model, ModelTest } from '../api/types.js';
import { withContent } from '../editor/modelEdits.js';
import type { SoughtPart } from '../editor/marks.js';
import { isObject, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { Failure } from '../parts/failure.js';
import { Loading } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useSession } from '../shell/session.js';
import { freshTestName } from '../tests/freshName.js';
import { TestDialog } from '../tests/testDialog.js';
import type { Subject } from '../desk/subject.js';
import type { Analysed } from '../desk/useAnalysis.js';

interface AnalysisPartProps {
  readonly subject: Subject;
  /** Of a draft; undefined where it is asked now. */
  readonly analysed: Analysed | undefined;
  readonly onSeek: (target: SoughtPart) => void;
  readonly onRun: (fact: string) => void;
  /** Of a draft: puts a row into a table. @param input what the row takes; null for all that is left */
  readonly onAddRow: ((nodeId: string, gap: Gap | null) => void) | undefined;
}

/** What is proved of a model, and of a draft what mends it. */
export function AnalysisPart(props: AnalysisPartProps) {
  const { subject, analysed, onRun } = props;
  const { decision, version } = subject;
  return (
    <>
      {analysed !== undefined && <Proved {...props} analysed={analysed} />}
      {analysed === undefined && version !== null && <StoredAnalysis {...props} version={version} />}
      {version !== null && <PropertyForm decisionId={decision.id} version={version} onRun={onRun} />}
    </>
  );
}

/** Of a stored version, which is asked once. */
function StoredAnalysis({ version, ...props }: AnalysisPartProps & { readonly version: number }) {
  const { api } = useSession();
  const { decision, state } = props.subject;
  const { value, error, loading } = useLoaded(
    (signal) => api.analyse({ decisionId: decision.id, version }, signal),
    [api, decision.id, version, state],
  );
  if (loading) return <Loading />;
  return <Proved {...props} analysed={{ analysis: value, isSearched: true, error }} />;
}

function Proved({ subject, analysed, onSeek, onRun, onAddRow }: AnalysisPartProps & { readonly analysed: Analysed }) {
  const [asked, setAsked] = useState<ModelTest | null>(null);
  const { analysis, isSearched, error } = analysed;
  const { model, edit } = subject;
  const tests = model.tests ?? [];
  if (error !== null) return <Failure error={error} />;
  if (analysis === null) return <p class="soft">There is nothing proved of it yet.</p>;
  return (
    <>
      <AnalysisView
        {...{ analysis, isSearched, model, onRun }}
        onChoose={(nodeId) => onSeek({ nodeId, cell: null })}
        onAddTest={edit && ((fact) => setAsked({ name: freshTestName(tests), input: parseJson(fact), output: {} }))}
        onAddRow={onAddRow}
        onWhole={edit && ((nodeId, column) => edit((before) => withWhole(before, nodeId, column)))}
      />
      {asked !== null && (
        <TestDialog
          title="What should it give?"
          subject={subject}
          test={asked}
          onSave={(test) => edit?.((before) => ({ ...before, tests: [...(before.tests ?? []), test] }))}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

/** With the word of an author that only whole numbers come in a column. */
function withWhole(model: Model, nodeId: string, column: Fields): Model {
  const content = model.nodes.find(({ id }) => id === nodeId)?.content;
  if (!isObject(content)) return model;
  const inputs = rowsOf(content, 'inputs').map((each) =>
    textOf(each['field']) === textOf(column['field']) ? { ...each, _whole: true } : each,
  );
  return withContent(model, nodeId, { ...content, inputs });
}
