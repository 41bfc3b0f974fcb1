import type { Dependency, Fault, Model, Trace } from '../api/types.js';
import { ValuesOrJson } from '../parts/valuesOrJson.js';
import { kindName } from './kinds.js';
import { NodeContent } from './nodeContent.js';

interface NodeRegionProps {
  readonly model: Model;
  readonly dependencies: readonly Dependency[];
  readonly trace: Trace | null;
  readonly faults?: readonly Fault[];
  /** Rows and statements that no test reaches, by their nodes. */
  readonly missed?: ReadonlyMap<string, ReadonlySet<string>>;
  readonly chosen: string | null;
  /** Its name, where a page has several. */
  readonly label?: string;
}

/** The chosen node: what it says, and what a run gave to it and got from it. */
export function NodeRegion({
  model,
  dependencies,
  trace,
  faults = [],
  missed,
  chosen,
  label = 'Node',
}: NodeRegionProps) {
  const node = model.nodes.find(({ id }) => id === chosen);
  const nodeTrace = node === undefined ? undefined : trace?.[node.id];
  return (
    <section aria-label={label} class="panel">
      {node === undefined ? (
        <p class="soft">
          Choose a node of the graph to see what it says{trace === null ? '' : ', and what went in and out'}.
        </p>
      ) : (
        <>
          <div class="heading">
            <h2>{node.name}</h2>
            <span class="soft">
              {kindName(node.type)}
              {nodeTrace !== undefined && ` · ${nodeTrace.performance}`}
            </span>
          </div>
          <NodeFaults faults={faults.filter(({ nodeId }) => nodeId === node.id)} />
          {nodeTrace?.error !== undefined && (
            <p class="failure" role="note">
              {nodeTrace.error.field !== undefined && <b>{nodeTrace.error.field}: </b>}
              {nodeTrace.error.message}
            </p>
          )}
          {trace !== null && nodeTrace === undefined && <p class="soft">The run did not come here.</p>}
          <NodeContent
            key={node.id}
            node={node}
            trace={nodeTrace}
            dependencies={dependencies}
            missed={missed?.get(node.id)}
          />
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
        </>
      )}
    </section>
  );
}

const NodeFaults = ({ faults }: { readonly faults: readonly Fault[] }) => (
  <>
    {faults.map((fault) => (
      <FaultLine key={`${fault.pointer ?? ''} ${fault.message}`} fault={fault} />
    ))}
  </>
);

/** The parser's messages are no whole sentences. */
export const ended = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** One fault of a model, with the place in the expression where there is one. */
export function FaultLine({ fault }: { readonly fault: Fault }) {
  const { severity, node, field, message, hint, excerpt, column } = fault;
  return (
    <div class={`fault ${severity}`}>
      <b>{severity}</b> {[node, field].filter(Boolean).join(', ')}: {ended(message)} {hint}
      {excerpt !== null && (
        <pre>
          {excerpt}
          {column !== null && `\n${' '.repeat(column - 1)}^`}
        </pre>
      )}
    </div>
  );
}
