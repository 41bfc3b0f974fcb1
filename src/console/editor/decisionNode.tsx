/** @jsxImportSource react */
import { GraphNode, useDecisionGraphActions, useDecisionGraphState, type NodeSpecification } from '@gorules/jdm-editor';

interface CalledContent {
  readonly key?: string;
}

/** A node that runs another decision, which the published editor does not draw. */
export const decisionNode: NodeSpecification<CalledContent> = {
  type: 'decisionNode',
  displayName: 'Decision',
  shortDescription: 'Runs another decision of the workspace',
  icon: <span aria-hidden="true">◇</span>,
  generateNode: () => ({ name: 'decision', content: { key: '' } }),
  renderNode: ({ id, data, selected, specification }) => (
    <GraphNode id={id} specification={specification} name={nameOf(data)} isSelected={selected}>
      <Key id={id} />
    </GraphNode>
  ),
  renderTab: ({ id }) => <Key id={id} />,
};

function Key({ id }: { readonly id: string }) {
  const actions = useDecisionGraphActions();
  const content = useDecisionGraphState(
    ({ decisionGraph }) => decisionGraph.nodes.find((node) => node.id === id)?.content as CalledContent | undefined,
  );
  return (
    <label className="called nodrag">
      Key of the decision
      <input
        value={content?.key ?? ''}
        placeholder="./other.json"
        onChange={(event) => {
          const key = event.target.value;
          actions.updateNode(id, (draft) => {
            draft.content = { ...(draft.content as object), key };
            return draft;
          });
        }}
      />
    </label>
  );
}

const nameOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'name' in data ? String(data.name) : '';
