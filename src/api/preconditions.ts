import { createHash } from 'node:crypto';
import { Problem } from '../errors.js';

/** The strong entity tag of a resource's revision (RFC 9110, section 8.8.3). */
export const entityTag = (revision: number): string => `"${revision}"`;

/** The same of a resource that has no revision: of a text that says all that can change about it. */
export const contentTag = (text: string): string => `"${createHash('sha256').update(text).digest('base64url')}"`;

/** RFC 9110, section 13.1.1: strong comparison; `*` matches anything that exists. Throws `precondition_failed`. */
export function requireMatch(ifMatch: string | undefined, current: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (listed(ifMatch).includes(current)) return;
  throw new Problem('precondition_failed', 'If-Match names another state than the present one; read it again first.');
}

/** RFC 9110, section 13.1.2: weak comparison. True when the client's copy is current, so that 304 is the answer. */
export function isCurrent(ifNoneMatch: string | undefined, current: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return listed(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === current);
}

const listed = (header: string): string[] => header.split(',').map((tag) => tag.trim());
