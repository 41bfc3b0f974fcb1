import { whatWasMissing } from '../../../workers/models/narrate/missing.js';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Change, Fault, Model, ModelNode, Trace, VersionWithContent } from '../api/types.js';
import { useRouter } from '../shell/address.js';
import { faultyOf, wayOf } from './way.js';
import { Graph } from './graph.js';
import { lazy } from '../parts/failure.js';
import { Panel } from '../parts/small.js';
import { fieldWords } from './fieldWords.js';
import { InAndOut } from './inAndOut.js';
import { kindName } from './kinds.js';

interface ModelViewProps {
  readonly shown: Pick<VersionWithContent, 'decisionId' | 'content' | 'dependencies' | 'version'>;
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
  /** The only node that decides anything is open while none is chosen. */
  readonly opensOnlyNode?: boolean;
  /** Of a decision that another one runs: how many stand around it. */
  readonly depth?: number;
  /** Stands between the graph and the node. */
  readonly children?: ComponentChildren;
}

/** Where the chosen node stands in the address. */
const nameAt = (depth: number): string => (depth === 0 ? 'node' : `node${depth + 1}`);

const noFaults: readonly Fault[] = [];

/** What comes in and goes out. */
const ends: readonly string[] = ['inputNode', 'outputNode', 'dmnInput'];

/** The only node beside request and response; undefined where there are several. */
export function onlyNode({ nodes }: Pick<Model, 'nodes'>): ModelNode | undefined {
  const [only, ...others] = nodes.filter(({ type }) => !ends.includes(type));
  return others.length === 0 ? only : undefined;
}

/** A model to be read: its graph, and the node that is chosen there, which stands in the address. */
export function ModelView(props: ModelViewProps) {
  const { shown, label, trace = null, faults = noFaults, changes, missed, nodeLabel = 'Node', children } = props;
  const { opensOnlyNode = false, depth = 0 } = props;
  const { content } = shown;
  const { query, setQuery } = useRouter();
  const asked = query.get(nameAt(depth));
  const way = useMemo(() => (trace === null ? null : wayOf(content, trace)), [content, trace]);
  const faulty = useMemo(() => faultyOf(content, faults, []), [content, faults]);
  const node = asked === null && opensOnlyNode ? onlyNode(content) : content.nodes.find(({ id }) => id === asked);
  return (
    <>
      <Graph
        {...{ label, way, faulty }}
        chosen={node?.id ?? null}
        model={content}
        {...(changes === undefined ? {} : { changes })}
        {...(missed === undefined ? {} : { missed: missed.nodes })}
        onOpen={(id) => setQuery({ [nameAt(depth)]: id === asked ? null : id, [nameAt(depth + 1)]: null }, true)}
      />
      {children}
      {node !== undefined && (
        <NodeRegion
          {...{ node, shown, trace, depth }}
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

interface NodeRegionProps {
  readonly node: ModelNode;
  /** Its index among the model's nodes. */
  readonly at: number;
  readonly shown: ModelViewProps['shown'];
  readonly depth: number;
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
function NodeRegion({ node, at, shown, depth, trace, faults, missed, label }: NodeRegionProps) {
  const nodeTrace = trace?.[node.id];
  // What it pins, the version that is shown pins too, for all decisions within it.
  const inner = (content: Model, name: string, traceWithin: Trace | null): ComponentChildren => (
    <ModelView
      shown={{ ...shown, content }}
      label={`Graph of ${name}`}
      nodeLabel={`Node of ${name}`}
      trace={traceWithin}
      depth={depth + 1}
      opensOnlyNode
    />
  );
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
          {whatWasMissing(nodeTrace.error, nodeTrace.input, node.content)}
        </p>
      )}
      {trace !== null && nodeTrace === undefined && <p class="soft">The run did not come here.</p>}
      <NodeText
        key={node.id}
        {...{ node, at, faults, missed }}
        dependencies={shown.dependencies}
        of={shown}
        trace={nodeTrace}
        draw={inner}
      />
      {nodeTrace !== undefined && <InAndOut {...nodeTrace} />}
      {nodeTrace?.truncated === true && <p class="soft">Parts of the trace were left out: it is too large.</p>}
    </Panel>
  );
}
