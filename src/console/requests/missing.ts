import type { ChangeRequest, Protection } from '../api/types.js';
import { count } from '../parts/small.js';

/** What a request needs yet, for its author. Who saved its versions is not known here, so approvals are at most these. */
export function missingOf(request: ChangeRequest, protection: Protection | null): string[] {
  const missing: string[] = [];
  if (protection !== null && request.state === 'OPEN') {
    const last = new Map<string, string>();
    for (const { principal, verdict, digest } of request.reviews) {
      const counts = protection.authorMayApprove || principal !== request.author;
      if (digest === request.digest && verdict !== 'comment' && counts) last.set(principal, verdict);
    }
    const approvals = [...last.values()].filter((verdict) => verdict === 'approve').length;
    const wanted = Math.max(1, protection.approvals - approvals);
    const by = protection.authorMayApprove ? '' : ' by somebody who neither asked nor saved the version';
    missing.push(`${count(wanted, 'approval')}${by}`);
  }
  for (const { name, state } of request.checks) {
    if (state !== 'PASSED') missing.push(`${name} ${state === 'FAILED' ? 'failed' : 'under way'}`);
  }
  return missing;
}
