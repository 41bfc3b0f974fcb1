import { formatJson } from '../api/exactJson.js';
import type { Evaluation, Replay, ReplayDifference, Trace, VersionWithContent } from '../api/types.js';
import { List } from '../parts/list.js';
import { Button, Shown, versionName } from '../parts/small.js';
import type { Column } from '../parts/table.js';
import { Link, useRouter } from '../shell/address.js';
import { ModelView } from '../graph/modelView.js';
import { useLoaded } from '../parts/useLoaded.js';
import { placeText, ValuesLine, ValuesOrJson } from '../parts/values.js';
import { useSession } from '../shell/session.js';

/** The executions whose results would change; a chosen one is drawn on the graphs of both versions. */
export function Cases({ replay }: { readonly replay: Replay }) {
  const { query, setQuery } = useRouter();
  const pointer = query.get('pointer');
  const chosen = query.get('case');
  const columns: readonly Column<ReplayDifference>[] = [
    [
      'Execution',
      ({ executionId }) => (
        <Link to={`/executions/${executionId}`}>
          <code title={executionId}>{executionId.slice(0, 13)}…</code>
        </Link>
      ),
    ],
    ['Reference', ({ reference }) => reference],
    [
      'Changes',
      ({ changes }) =>
        changes.map(({ pointer: at, before, after }) => (
          <div key={at}>
            <span class="soft">{placeText(at)}</span> <ValuesLine value={before} /> → <ValuesLine value={after} />
          </div>
        )),
    ],
    [
      'Graphs',
      ({ executionId }) => (
        <Button
          name="Compare"
          aria-pressed={executionId === chosen}
          aria-description={executionId}
          onClick={() => setQuery({ case: executionId === chosen ? null : executionId })}
        />
      ),
    ],
  ];
  return (
    <section aria-label="Changed cases" class="stack">
      <h2>Changed cases{pointer !== null && ` at ${placeText(pointer)}`}</h2>
      <List
        label="Changed cases"
        route="GET /logic/replays/{id}/differences"
        query={{ id: replay.id, pointer }}
        state={replay.done}
        columns={columns}
        empty="No case is kept."
      />
      {chosen !== null && <CaseGraphs key={chosen} executionId={chosen} candidate={replay.request.candidate.version} />}
    </section>
  );
}

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
function CaseGraphs({ executionId, candidate }: CaseGraphsProps) {
  const { api } = useSession();
  const loaded = useLoaded(
    async (signal): Promise<readonly [Side, Side]> => {
      const { decisionId, version, fact, result } = await api.execution(executionId, signal);
      const [explanation, evaluation, recorded, proposed] = await Promise.all([
        api.explain(executionId, { signal }),
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
