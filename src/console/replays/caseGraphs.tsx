import type { Evaluation, Trace, VersionWithContent } from '../api/types.js';
import { formatJson } from '../api/exactJson.js';
import { ModelView } from '../graph/modelView.js';
import { Shown, versionName } from '../parts/small.js';
import { useLoaded } from '../parts/useLoaded.js';
import { ValuesOrJson } from '../parts/values.js';
import { useSession } from '../shell/session.js';

interface Side {
  readonly version: VersionWithContent;
  readonly trace: Trace | null;
  readonly result: unknown;
}

interface CaseGraphsProps {
  readonly executionId: string;
  /** The version that the replay ran. */
  readonly candidate: number;
}

/** A changed case on the graphs of both versions: the explanation of what ran, beside an evaluation of the candidate. */
export function CaseGraphs({ executionId, candidate }: CaseGraphsProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal): Promise<readonly [Side, Side]> => {
      const { decisionId, version, fact, result } = await api.execution(executionId, signal);
      const [explanation, evaluation, recorded, proposed] = await Promise.all([
        api.explain(executionId, signal),
        api.evaluate(decisionId, candidate, formatJson(fact ?? {})),
        api.version(decisionId, version, signal),
        api.version(decisionId, candidate, signal),
      ]);
      return [{ version: recorded, trace: explanation.trace, result }, sideOf(proposed, evaluation)];
    },
    [api, executionId, candidate],
  );
  return (
    <Shown loaded={loaded}>
      {(sides) => (
        <div class="columns wide">
          {sides.map((side, index) => (
            <SideView key={index} side={side} name={index === 0 ? 'Before' : 'After'} />
          ))}
        </div>
      )}
    </Shown>
  );
}

const sideOf = (version: VersionWithContent, { trace, result }: Evaluation): Side => ({ version, trace, result });

function SideView({ side: { version, trace, result }, name }: { readonly side: Side; readonly name: string }) {
  return (
    <section aria-label={name} class="side">
      <h3>
        {name}: {versionName(version.version)}
      </h3>
      <ModelView
        shown={version}
        label={`Graph of ${versionName(version.version)}, ${name.toLowerCase()}`}
        trace={trace}
        nodeLabel={`Node ${name.toLowerCase()}`}
      >
        <ValuesOrJson value={result} label={`Result ${name.toLowerCase()}`} />
      </ModelView>
    </section>
  );
}
