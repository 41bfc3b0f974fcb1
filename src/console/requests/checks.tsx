import { inNames } from '../../decisions/decisionName.js';
import { useState } from 'preact/hooks';
import type { ChangeApprovals, ChangeRequest } from '../api/types.js';
import { Button, Section, Time } from '../parts/small.js';
import type { Names } from '../parts/useNames.js';
import { Link } from '../shell/address.js';
import { Reports, Unreached, useReports } from './reports.js';
import { Principal } from '../parts/principals.js';

const tones = { PASSED: 'good', FAILED: 'bad', PENDING: '' } as const;

interface ChecksProps {
  readonly request: ChangeRequest;
  readonly names: Pick<Names, 'keyOf' | 'decisions'>;
}

/** What the protection asks for, how it came out, and what was found. */
export function Checks({ request, names }: ChecksProps) {
  const [isOpen, setOpen] = useState(false);
  const isCounted = request.checks.some(({ name, state }) => name === 'coverage' && state !== 'PENDING');
  const loaded = useReports(request, isOpen || isCounted);
  if (request.checks.length === 0) return null;
  return (
    <Section label="Checks">
      <ul>
        {request.checks.map(({ name, state, detail, replayId }, index) => (
          <li key={index}>
            {name} <span class={`mark ${tones[state]}`}>{state}</span>{' '}
            {detail !== null && inNames(detail, names.decisions)}{' '}
            {replayId !== undefined && <Link to={`/replays/${replayId}`}>Replay</Link>}
          </li>
        ))}
      </ul>
      {!isOpen && <Unreached reports={loaded.value ?? []} />}
      <div class="actions">
        <Button name="Reports" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      </div>
      {isOpen && <Reports {...{ loaded, names }} />}
    </Section>
  );
}

const verdicts = { approve: 'approved by', reject: 'rejected by', comment: 'commented by' } as const;

interface ReviewsProps {
  readonly request: ChangeRequest;
  readonly counted: ChangeApprovals['reviews'];
}

/** What was said, oldest first, and why what of it does not count. */
export function Reviews({ request: { reviews }, counted }: ReviewsProps) {
  return (
    <Section label="Reviews">
      {reviews.length === 0 && <p class="empty">Nobody has said anything yet.</p>}
      <ul>
        {reviews.map(({ verdict, principal, at, message }, index) => {
          const reason = verdict === 'comment' ? null : counted[index]?.reason;
          return (
            <li key={index}>
              <b>{verdicts[verdict]}</b> <Principal id={principal} />, <Time at={at} />
              {message !== null && <>: {message}</>}
              {typeof reason === 'string' && <span class="mark"> {reason}: does not count</span>}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
