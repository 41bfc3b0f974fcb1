import { decisionName } from '../../../decisions/decisionName.js';
import type { ComponentChildren } from 'preact';
import { readPinned } from '../../api/pinned.js';
import type { Dependency, Model, NodeTrace, Trace } from '../../api/types.js';
import { isObject } from '../../graph/fields.js';
import { Shown, versionName } from '../../parts/small.js';
import { useLoaded } from '../../parts/useLoaded.js';
import { runsText } from '../../requests/runs.js';
import { Link } from '../../shell/address.js';
import { useSession } from '../../shell/session.js';

/** Draws a model within another, with what a run did there. */
export type DrawInner = (model: Model, label: string, trace: Trace | null) => ComponentChildren;

interface PinnedDecisionProps {
  readonly called: Dependency;
  /** The saved version whose node it is, and its decision. */
  readonly of: { readonly decisionId: string; readonly version: number };
  /** Of the node. */
  readonly trace: NodeTrace | undefined;
  readonly draw: DrawInner;
}

/** A decision as a saved version runs it, to be read, and the way to what became of it. */
export function PinnedDecision({ called, of, trace, draw }: PinnedDecisionProps) {
  const { api } = useSession();
  const { decisionId: id, version } = of;
  const { decisionId: dependencyId, key } = called;
  const loaded = useLoaded(
    (signal) => readPinned(api, { id, version, dependencyId }, signal),
    [api, id, version, dependencyId],
  );
  const label = `${decisionName(key)} as ${versionName(version)} runs it`;
  return (
    <section aria-label={label} class="stack">
      <p>
        <b>{label}</b> · <Link to={`/decisions/${dependencyId}`}>its working copy, as it is now</Link>
      </p>
      <p class="soft small">{runsText(version, [called])}</p>
      <Shown loaded={loaded}>{(model) => draw(model, label, traceWithin(model, trace))}</Shown>
    </section>
  );
}

/** What the run did within the other decision; null where it did not come there, or ran it for each item of a list. */
function traceWithin({ nodes }: Model, trace: NodeTrace | undefined): Trace | null {
  const data = trace?.traceData;
  return isObject(data) && nodes.some(({ id }) => isObject(data[id])) ? (data as unknown as Trace) : null;
}
