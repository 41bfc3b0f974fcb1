import { useState } from 'preact/hooks';
import type { Model, ModelEdge, ModelNode } from '../api/types.js';
import { isObject, rowsOf, textOf } from '../graph/fields.js';
import { kindName } from '../graph/kinds.js';

interface GraphFormProps {
  readonly model: Model;
  readonly onAdd: (type: string) => void;
  readonly onConnect: (edge: Omit<ModelEdge, 'id'>) => void;
}

const types = [
  'expressionNode',
  'decisionTableNode',
  'switchNode',
  'functionNode',
  'decisionNode',
  'outputNode',
  'inputNode',
] as const;

/** For those who drag nothing: adds nodes to the draft, and connects them. */
export function GraphForm({ model, onAdd, onConnect }: GraphFormProps) {
  const [type, setType] = useState<string>(types[0]);
  // A model has one request.
  const offered = types.filter((each) => each !== 'inputNode' || !model.nodes.some((node) => node.type === each));
  return (
    <div class="actions">
      <form
        class="actions"
        aria-label="New node"
        onSubmit={(event) => {
          event.preventDefault();
          onAdd(type);
        }}
      >
        <label class="inline">
          Kind
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {offered.map((each) => (
              <option key={each} value={each}>
                {kindName(each)}
              </option>
            ))}
          </select>
        </label>
        <button>Add node</button>
      </form>
      <ConnectForm model={model} onConnect={onConnect} />
    </div>
  );
}

/** Where an edge may begin: a node, or one of a switch's conditions. */
interface Start {
  readonly sourceId: string;
  readonly sourceHandle?: string;
  readonly name: string;
}

function ConnectForm({ model, onConnect }: Pick<GraphFormProps, 'model' | 'onConnect'>) {
  const [from, setFrom] = useState(0);
  const [to, setTo] = useState('');
  const starts = model.nodes.filter(({ type }) => type !== 'outputNode').flatMap(startsOf);
  const start = starts[from] ?? starts[0];
  const taken = model.edges.filter(
    ({ sourceId, sourceHandle }) => sourceId === start?.sourceId && (sourceHandle ?? undefined) === start.sourceHandle,
  );
  const ends = model.nodes.filter(
    ({ id, type }) => type !== 'inputNode' && id !== start?.sourceId && !taken.some(({ targetId }) => targetId === id),
  );
  const end = ends.find(({ id }) => id === to) ?? ends[0];
  return (
    <form
      class="actions"
      aria-label="Connect"
      onSubmit={(event) => {
        event.preventDefault();
        if (start === undefined || end === undefined) return;
        const { sourceId, sourceHandle } = start;
        onConnect({ sourceId, targetId: end.id, ...(sourceHandle === undefined ? {} : { sourceHandle }) });
      }}
    >
      <label class="inline">
        From
        <select value={from} onChange={(event) => setFrom(Number(event.currentTarget.value))}>
          {starts.map(({ name }, index) => (
            <option key={index} value={index}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="inline">
        To
        <select value={end?.id ?? ''} onChange={(event) => setTo(event.currentTarget.value)}>
          {ends.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button disabled={end === undefined}>Connect</button>
    </form>
  );
}

function startsOf({ id, type, name, content }: ModelNode): readonly Start[] {
  if (type !== 'switchNode') return [{ sourceId: id, name }];
  return rowsOf(isObject(content) ? content : {}, 'statements').map((statement) => ({
    sourceId: id,
    sourceHandle: textOf(statement['id']),
    name: `${name}: ${textOf(statement['condition']) || 'otherwise'}`,
  }));
}
