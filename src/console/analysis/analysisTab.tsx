import { useState } from 'preact/hooks';
import { parseJson } from '../api/exactJson.js';
import type { ModelTest, Schemas, VersionWithContent } from '../api/types.js';
import { ModelView } from '../graph/modelView.js';
import { Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { added, freshTestName } from '../tests/changes.js';
import { TestDialog } from '../tests/testDialog.js';
import { writeTests } from '../tests/write.js';
import { AnalysisView } from './analysisView.js';
import { PropertyForm } from './propertyForm.js';

interface AnalysisTabProps {
  readonly decisionId: string;
  readonly shown: VersionWithContent;
  readonly schemas: Schemas | null;
  readonly onRun: (fact: string) => void;
  readonly onWritten: () => void;
}

/** What is proved of the version that is shown. */
export function AnalysisTab({ decisionId, shown, schemas, onRun, onWritten }: AnalysisTabProps) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const { version, contentHash, content } = shown;
  const loaded = useLoaded(() => api.analyse({ decisionId, version }), [api, decisionId, version, contentHash]);
  const [told, setTold] = useState('');
  const [asked, setAsked] = useState<ModelTest | null>(null);
  const chosen = query.get('node');
  return (
    <>
      <p role="status">{told}</p>
      <Shown loaded={loaded}>
        {(analysis) => (
          <AnalysisView
            analysis={analysis}
            model={content}
            onChoose={(node) => setQuery({ node: node === chosen ? null : node }, true)}
            onRun={onRun}
            onAddTest={(fact) =>
              setAsked({ name: freshTestName(content.tests ?? []), input: parseJson(fact), output: {} })
            }
          />
        )}
      </Shown>
      <ModelView shown={shown} label="Graph" />
      {asked !== null && (
        <TestDialog
          title="What should it give?"
          decisionId={decisionId}
          test={asked}
          schemas={schemas}
          onRun={(fact) => api.evaluate(decisionId, version, fact)}
          onSave={async (test) => {
            await writeTests(api, decisionId, added([test]));
            setTold(`“${test.name ?? ''}” is a test of the working copy now.`);
            onWritten();
          }}
          onClose={() => setAsked(null)}
        />
      )}
      <PropertyForm decisionId={decisionId} version={version} onRun={onRun} />
    </>
  );
}
