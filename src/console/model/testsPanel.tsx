import { useState } from 'preact/hooks';
import { shortJson } from '../api/exactJson.js';
import type { Model, TestReport } from '../api/types.js';
import { Failure } from '../parts/failure.js';
import { count } from '../parts/small.js';
import { useSession } from '../shell/session.js';

interface TestsPanelProps {
  readonly decisionId: string;
  readonly version: number;
  readonly model: Model;
}

/** Runs the tests that the model carries, and tells what none of them reaches. */
export function TestsPanel({ decisionId, version, model }: TestsPanelProps) {
  const { api } = useSession();
  const [report, setReport] = useState<TestReport | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const run = (): void => {
    setFailure(null);
    api.runTests(decisionId, version).then(setReport, setFailure);
  };
  const nameOf = new Map(model.nodes.map(({ id, name }) => [id, name]));
  return (
    <section aria-label="Tests" class="panel">
      <div class="heading">
        <h2>Tests</h2>
        <button type="button" onClick={run}>
          Check all
        </button>
      </div>
      {failure !== null && <Failure error={failure} />}
      {report !== null && (
        <>
          <p role="status">
            <span class="mark good">{report.passed} passed</span>{' '}
            {report.failed > 0 && <span class="mark bad">{report.failed} failed</span>}
          </p>
          {report.tests
            .filter(({ passed }) => !passed)
            .map(({ name, differences }) => (
              <details key={name}>
                <summary>{name}</summary>
                <ul>
                  {differences.map(({ pointer, expected, actual }) => (
                    <li key={pointer}>
                      <code>{pointer || '/'}</code>: expected <code>{shortJson(expected)}</code>, got{' '}
                      <code>{shortJson(actual)}</code>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
          <Uncovered report={report} nameOf={nameOf} />
        </>
      )}
    </section>
  );
}

function Uncovered({ report, nameOf }: { readonly report: TestReport; readonly nameOf: ReadonlyMap<string, string> }) {
  const nodes = report.coverage.nodes.filter(({ hits }) => hits === 0);
  const rules = report.coverage.rules.filter(({ hits }) => hits === 0);
  if (nodes.length + rules.length === 0) return <p class="soft">The tests reach every node and every row.</p>;
  return (
    <p class="soft">
      No test reaches {count(nodes.length, 'node')}
      {nodes.length > 0 && ` (${nodes.map(({ nodeId }) => nameOf.get(nodeId) ?? nodeId).join(', ')})`} and{' '}
      {count(rules.length, 'row')} of tables and switches.
    </p>
  );
}
