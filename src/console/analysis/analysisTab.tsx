import { useState } from 'preact/hooks';
import { parseJson } from '../api/exactJson.js';
import type { VersionWithContent } from '../api/types.js';
import { NodeRegion } from '../graph/nodeRegion.js';
import { Failure } from '../parts/failure.js';
import { Shown } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { useRouter } from '../shell/router.js';
import { useSession } from '../shell/session.js';
import { added, freshTestName } from '../tests/changes.js';
import { writeTests } from '../tests/write.js';
import { AnalysisView } from './analysisView.js';
import { PropertyForm } from './propertyForm.js';

interface AnalysisTabProps {
  readonly decisionId: string;
  readonly shown: VersionWithContent;
  readonly onRun: (fact: string) => void;
  readonly onWritten: () => void;
}

/** What is proved of the version that is shown. */
export function AnalysisTab({ decisionId, shown, onRun, onWritten }: AnalysisTabProps) {
  const { api } = useSession();
  const { query, setQuery } = useRouter();
  const { version, contentHash, content, dependencies } = shown;
  const loaded = useLoaded(() => api.analyse({ decisionId, version }), [api, decisionId, version, contentHash]);
  const [failure, setFailure] = useState<unknown>(null);
  const [told, setTold] = useState('');
  const chosen = query.get('node');
  const addTest = async (fact: string): Promise<void> => {
    setFailure(null);
    try {
      const { result } = await api.evaluate(decisionId, version, fact);
      const name = freshTestName(content.tests ?? []);
      await writeTests(api, decisionId, added([{ name, input: parseJson(fact), output: result }]));
      setTold(`“${name}” is a test of the working copy now.`);
      onWritten();
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <>
      <p role="status">{told}</p>
      {failure !== null && <Failure error={failure} />}
      <Shown loaded={loaded}>
        {(analysis) => (
          <AnalysisView
            analysis={analysis}
            model={content}
            onChoose={(node) => setQuery({ node: node === chosen ? null : node }, true)}
            onRun={onRun}
            onAddTest={(fact) => void addTest(fact)}
          />
        )}
      </Shown>
      {chosen !== null && <NodeRegion model={content} dependencies={dependencies} trace={null} chosen={chosen} />}
      <PropertyForm decisionId={decisionId} version={version} onRun={onRun} />
    </>
  );
}
