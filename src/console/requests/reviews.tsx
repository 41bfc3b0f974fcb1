import type { ChangeRequest } from '../api/types.js';
import { Principal } from '../parts/principals.js';
import { Section, Time } from '../parts/small.js';

const verdicts = { approve: 'approved by', reject: 'rejected by', comment: 'commented by' } as const;

/** What was said, oldest first, and what of it does not count any more. */
export function Reviews({ request: { reviews, digest } }: { readonly request: ChangeRequest }) {
  return (
    <Section label="Reviews">
      {reviews.length === 0 && <p class="empty">Nobody has said anything yet.</p>}
      <ul>
        {reviews.map((review, index) => (
          <li key={index}>
            <b>{verdicts[review.verdict]}</b> <Principal id={review.principal} />, <Time at={review.at} />
            {review.message !== null && <>: {review.message}</>}
            {review.digest !== digest && <span class="mark"> of an earlier state: does not count</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}
