import type { Protection } from '../protections/protections.schema.js';
import type { ChangeRequest, Review } from './changes.schema.js';

/** What decides whether a request is approved. */
export interface Approving {
  readonly digest: string;
  readonly reviews: readonly Review[];
  /** Undefined where the environment is not protected any more. */
  readonly protection: Protection | undefined;
  /** Who wrote the request, its versions or their content, each with what they did: they do not count unless `authorMayApprove`. */
  readonly interested: ReadonlyMap<string, string>;
  /** Who might not review any more: they do not count. */
  readonly lapsed: readonly string[];
}

/** Why a principal's verdict would not count, for people; undefined where it would. */
export function barOf({ protection, interested, lapsed }: Approving, principal: string): string | undefined {
  if (lapsed.includes(principal)) return 'by who may not review any more';
  return protection?.authorMayApprove === true ? undefined : interested.get(principal);
}

/** Why each review does not count, in their order; undefined for those that do. */
export function uncountedOf(approving: Approving): (string | undefined)[] {
  const { digest, reviews } = approving;
  const last = new Map<string, number>();
  const reasons = reviews.map(({ verdict, principal, ...review }, at) => {
    if (review.digest !== digest) return 'of an earlier state';
    if (verdict === 'comment') return 'a comment';
    const bar = barOf(approving, principal);
    if (bar === undefined) last.set(principal, at);
    return bar;
  });
  return reasons.map((reason, at) => {
    const principal = reviews[at]?.principal ?? '';
    return reason ?? (last.get(principal) === at ? undefined : 'decided again later');
  });
}

/** The last word of each principal whose word counts, of what was seen with this digest. A comment takes no verdict back. */
function verdictsOf(approving: Approving): Review['verdict'][] {
  const reasons = uncountedOf(approving);
  return approving.reviews.filter((_, at) => reasons[at] === undefined).map(({ verdict }) => verdict);
}

/** How many approvals count. */
export const approvalsOf = (approving: Approving): number =>
  verdictsOf(approving).filter((verdict) => verdict === 'approve').length;

/** The state of a request that has not ended, by its reviews. */
export function stateOf(
  approving: Approving & { readonly protection: Protection },
): Extract<ChangeRequest['state'], 'OPEN' | 'APPROVED' | 'REJECTED'> {
  if (verdictsOf(approving).includes('reject')) return 'REJECTED';
  return approvalsOf(approving) >= approving.protection.approvals ? 'APPROVED' : 'OPEN';
}
