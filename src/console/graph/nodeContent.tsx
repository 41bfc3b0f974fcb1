import type { Dependency, ModelNode, NodeTrace } from '../api/types.js';
import { Json } from '../parts/json.js';
import { Link } from '../shell/router.js';
import { Boxed } from './boxed.js';
import { DecisionTable, NotTested } from './decisionTable.js';
import { isObject, rowsOf, ruleIdOf, textOf, type Fields } from './fields.js';
import { chosenStatements } from './way.js';

interface NodeContentProps {
  readonly node: ModelNode;
  readonly trace: NodeTrace | undefined;
  readonly dependencies: readonly Dependency[];
  /** Rows or statements that no test reaches. */
  readonly missed?: ReadonlySet<string> | undefined;
}

/** What a node says, each kind in a form of its own. */
export function NodeContent({ node, trace, dependencies, missed }: NodeContentProps) {
  const content = isObject(node.content) ? node.content : {};
  switch (node.type) {
    case 'decisionTableNode':
      return <DecisionTable name={node.name} content={content} trace={trace} missed={missed} />;
    case 'expressionNode':
      return <Expressions name={node.name} rows={rowsOf(content, 'expressions')} />;
    case 'switchNode':
      return <Statements name={node.name} rows={rowsOf(content, 'statements')} trace={trace} missed={missed} />;
    case 'functionNode':
      return <Source content={node.content} />;
    case 'decisionNode':
      return <Called named={textOf(content['key'])} dependencies={dependencies} />;
    case 'inputNode':
    case 'outputNode':
      return textOf(content['schema']) === '' ? null : <Code label="Schema" text={textOf(content['schema'])} />;
    case 'dmnInput':
    case 'dmnDecision':
    case 'dmnKnowledge':
    case 'dmnService':
      return <Boxed name={node.name} content={content} />;
    default:
      return <Json value={node.content} label="Content of the node" />;
  }
}

const Expressions = ({ name, rows }: { readonly name: string; readonly rows: readonly Fields[] }) => (
  <div class="scroll" tabIndex={0} role="group" aria-label={`Expressions of ${name}`}>
    <table aria-label={`Expressions of ${name}`}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Expression</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            <th scope="row">{textOf(row['key'])}</th>
            <td>
              <code>{textOf(row['value'])}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function Statements({
  name,
  rows,
  trace,
  missed,
}: {
  readonly name: string;
  readonly rows: readonly Fields[];
  readonly trace: NodeTrace | undefined;
  readonly missed: ReadonlySet<string> | undefined;
}) {
  const chosen = chosenStatements(trace);
  return (
    <ol class="statements" aria-label={`Statements of ${name}`}>
      {rows.map((row, index) => {
        const condition = textOf(row['condition']);
        const isChosen = chosen.has(textOf(row['id']));
        return (
          <li key={index} class={isChosen ? 'matched' : ''} {...(isChosen ? { 'aria-current': 'true' as const } : {})}>
            <code>{condition === '' ? 'otherwise' : condition}</code>
            {missed?.has(ruleIdOf(row, index)) === true && <NotTested />}
          </li>
        );
      })}
    </ol>
  );
}

function Source({ content }: { readonly content: unknown }) {
  const source = isObject(content) ? textOf(content['source']) : textOf(content);
  return <Code label="Source" text={source} />;
}

const Code = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <pre class="json" tabIndex={0} role="group" aria-label={label}>
    {text}
  </pre>
);

/** Names of sub-decisions are relative to the model's own key, so that only their ends tell which is meant. */
function Called({ named, dependencies }: { readonly named: string; readonly dependencies: readonly Dependency[] }) {
  const bare = named.replace(/^(\.{1,2}\/)+/, '');
  const found =
    dependencies.find(({ key, decisionId }) => key === bare || decisionId === named) ??
    dependencies.find(({ key }) => key.endsWith(`/${bare}`));
  return (
    <p>
      Runs {found === undefined ? <code>{named}</code> : <Link to={`/decisions/${found.decisionId}`}>{found.key}</Link>}
    </p>
  );
}
