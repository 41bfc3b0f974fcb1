import type { Dependency, Fault, ModelNode, Trace } from '../api/types.js';
import { lazy } from '../parts/failure.js';
import { Panel } from '../parts/small.js';
import { ValuesOrJson } from '../parts/values.js';
import { fieldWords } from './fieldWords.js';
import { kindName } from './kinds.js';

interface NodeRegionProps {
  readonly node: ModelNode;
  /** Its index among the model's nodes. */
  readonly at: number;
  readonly dependencies: readonly Dependency[];
  readonly trace: Trace | null;
  /** Its own. */
  readonly faults: readonly Fault[];
  /** Its rows and statements that no test reaches. */
  readonly missed: ReadonlySet<string> | undefined;
  readonly label: string;
}

/** The desk's own grid and texts: most who look at a graph open no node. */
const NodeText = lazy(async () => (await import('../editor/nodes/nodeText.js')).NodeText);

/** The chosen node: what it says, and what a run gave to it and got from it. */
export function NodeRegion({ node, at, dependencies, trace, faults, missed, label }: NodeRegionProps) {
  const nodeTrace = trace?.[node.id];
  return (
    <Panel
      label={label}
      title={node.name}
      actions={
        <span class="soft">
          {kindName(node.type)}
          {nodeTrace !== undefined && ` · ${nodeTrace.performance}`}
        </span>
      }
    >
      {nodeTrace?.error !== undefined && (
        <p class="failure" role="note">
          {nodeTrace.error.field !== undefined && <b>{fieldWords(nodeTrace.error.field, node.content)}: </b>}
          {nodeTrace.error.message}
        </p>
      )}
      {trace !== null && nodeTrace === undefined && <p class="soft">The run did not come here.</p>}
      <NodeText key={node.id} {...{ node, at, faults, missed, dependencies }} trace={nodeTrace} />
      {nodeTrace !== undefined && (
        <div class="columns">
          <div>
            <h3>In</h3>
            <ValuesOrJson value={nodeTrace.input} label="Input of the node" />
          </div>
          <div>
            <h3>Out</h3>
            <ValuesOrJson value={nodeTrace.output} label="Output of the node" />
          </div>
        </div>
      )}
      {nodeTrace?.truncated === true && <p class="soft">Parts of the trace were left out: it is too large.</p>}
    </Panel>
  );
}
