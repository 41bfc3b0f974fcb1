import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Change, Fault, Trace, VersionWithContent } from '../api/types.js';
import { useRouter } from '../shell/address.js';
import { faultyOf, wayOf } from './way.js';
import { Graph } from './graph.js';
import { NodeRegion } from './nodeRegion.js';

interface ModelViewProps {
  readonly shown: Pick<VersionWithContent, 'content' | 'dependencies'>;
  /** Of the graph. */
  readonly label: string;
  /** Of a run, to be marked. */
  readonly trace?: Trace | null;
  readonly faults?: readonly Fault[];
  /** Changes of nodes and edges, by id, to be marked. */
  readonly changes?: ReadonlyMap<string, Change>;
  /** What no test reaches: nodes, and rows and statements by their nodes. */
  readonly missed?: {
    readonly nodes: ReadonlySet<string>;
    readonly rules: ReadonlyMap<string, ReadonlySet<string>>;
  };
  /** What the region of the chosen node is called, where a page has several. */
  readonly nodeLabel?: string;
  /** Stands between the graph and the node. */
  readonly children?: ComponentChildren;
}

const noFaults: readonly Fault[] = [];

/** A model to be read: its graph, and the node that is chosen there, which stands in the address. */
export function ModelView(props: ModelViewProps) {
  const { shown, label, trace = null, faults = noFaults, changes, missed, nodeLabel = 'Node', children } = props;
  const { content, dependencies } = shown;
  const { query, setQuery } = useRouter();
  const chosen = query.get('node');
  const way = useMemo(() => (trace === null ? null : wayOf(content, trace)), [content, trace]);
  const faulty = useMemo(() => faultyOf(content, faults, []), [content, faults]);
  const node = content.nodes.find(({ id }) => id === chosen);
  return (
    <>
      <Graph
        {...{ label, way, faulty, chosen }}
        model={content}
        {...(changes === undefined ? {} : { changes })}
        {...(missed === undefined ? {} : { missed: missed.nodes })}
        onOpen={(id) => setQuery({ node: id === chosen ? null : id }, true)}
      />
      {children}
      {node !== undefined && (
        <NodeRegion
          {...{ node, dependencies, trace }}
          faults={faults.filter(({ nodeId }) => nodeId === node.id)}
          at={content.nodes.indexOf(node)}
          missed={missed?.rules.get(node.id)}
          label={nodeLabel}
        />
      )}
      {node === undefined && nodeLabel === 'Node' && (
        <p class="soft">
          Choose a node of the graph to see what it says{trace === null ? '' : ', and what went in and out'}.
        </p>
      )}
    </>
  );
}
