import { useState } from 'preact/hooks';
import type { ChangeRequest } from '../api/types.js';
import { Button, Section } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';
import { Link } from '../shell/address.js';
import { decisionName } from '../decisions/tree.js';
import { Reports } from './reports.js';

const tones = { PASSED: 'good', FAILED: 'bad', PENDING: '' } as const;

interface ChecksProps {
  readonly request: ChangeRequest;
  readonly names: Pick<Names, 'keyOf' | 'decisions'>;
}

/** What the protection asks for, how it came out, and what was found. */
export function Checks({ request, names }: ChecksProps) {
  const [isOpen, setOpen] = useState(false);
  if (request.checks.length === 0) return null;
  return (
    <Section label="Checks">
      <ul>
        {request.checks.map(({ name, state, detail, replayId }, index) => (
          <li key={index}>
            {name} <span class={`mark ${tones[state]}`}>{state}</span> {detail !== null && inNames(detail, names)}{' '}
            {replayId !== undefined && <Link to={`/replays/${replayId}`}>Replay</Link>}
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button name="Reports" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      </div>
      {isOpen && <Reports key={request.updatedAt} id={request.id} names={names} />}
    </Section>
  );
}

/** What is said of a version, of which the service tells the key. */
function inNames(detail: string, { decisions }: ChecksProps['names']): string {
  const decision = decisions.find(({ key }) => detail.startsWith(`${key}, `));
  return decision === undefined ? detail : decisionName(decision.key) + detail.slice(decision.key.length);
}
