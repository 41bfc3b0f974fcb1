import type { Protection } from '../protections/protections.schema.js';
import type { ChangeRequest, Review } from './changes.schema.js';

export interface Approving {
  readonly digest: string;
  readonly reviews: readonly Review[];
  readonly protection: Protection;
  /** Who wrote the request, its versions or their content: they do not count unless `authorMayApprove`. */
  readonly interested: readonly string[];
  readonly lapsed: readonly string[];
}

/**
 * The last word of each principal whose word counts, of what was seen with this digest. A comment takes no verdict back.
 */
function verdictsOf({ digest, reviews, protection, interested, lapsed }: Approving): Review['verdict'][] {
  const last = new Map<string, Review['verdict']>();
  for (const review of reviews) {
    if (review.digest !== digest || review.verdict === 'comment' || lapsed.includes(review.principal)) continue;
    if (!protection.authorMayApprove && interested.includes(review.principal)) continue;
    last.set(review.principal, review.verdict);
  }
  return [...last.values()];
}

export const approvalsOf = (approving: Approving): number =>
  verdictsOf(approving).filter((verdict) => verdict === 'approve').length;

export function stateOf(approving: Approving): Extract<ChangeRequest['state'], 'OPEN' | 'APPROVED' | 'REJECTED'> {
  if (verdictsOf(approving).includes('reject')) return 'REJECTED';
  return approvalsOf(approving) >= approving.protection.approvals ? 'APPROVED' : 'OPEN';
}
