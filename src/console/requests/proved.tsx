import type { Analysis } from '../api/types.js';
import { worded } from '../analysis/worded.js';
import type { Model } from '../api/types.js';

const refused: readonly string[] = ['gap', 'shadowed', 'conflict', 'fails'];

/** What a protection that asks for an analysis does not let pass: as the service's check has it. */
export const isRefused = (
  { kind, status }: Analysis['tables'][number]['findings'][number],
  hitPolicy: string | null,
): boolean => status === 'proved' && (refused.includes(kind) || (kind === 'overlap' && hitPolicy !== 'collect'));

/** More nobody reads; the page of the model has all of them. */
const mostShown = 8;

/** What is proved of tables that stands against a version. @param model by whose columns fields are called, as far as it is known */
export function Proved({ tables, model }: Pick<Analysis, 'tables'> & { readonly model: Model | null }) {
  const found = tables.flatMap(({ nodeId, node, hitPolicy, findings }) =>
    findings
      .filter((finding) => isRefused(finding, hitPolicy))
      .map(({ message }) => [node, worded(message, model?.nodes.find(({ id }) => id === nodeId)?.content)] as const),
  );
  if (found.length === 0) return <p class="soft">No fault of its tables is proved.</p>;
  return (
    <ul>
      {found.slice(0, mostShown).map(([node, message], at) => (
        <li key={at}>
          <em>{node}</em>: {message}
        </li>
      ))}
      {found.length > mostShown && <li>… and {found.length - mostShown} more</li>}
    </ul>
  );
}
