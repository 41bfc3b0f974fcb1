import { entityTag } from '../api/preconditions.js';
import type { StoredInquiry } from './inquiries.store.js';

/** An inquiry as a response shows it. */
export interface Representation {
  /** JSON text. */
  readonly body: string;
  readonly etag: string;
}

/**
 * The entity tag is the revision of what PATCH sets, and one letter for each notification's state once any is other
 * than queued: so a GET with If-None-Match notices a changed state.
 */
export function represent({ inquiry, revision }: Pick<StoredInquiry, 'inquiry' | 'revision'>): Representation {
  const states = inquiry.notifications.map(({ state }) => state.charAt(0)).join('');
  const etag = /^q*$/.test(states) ? entityTag(revision) : `"${revision}-${states}"`;
  return { body: JSON.stringify(inquiry), etag };
}

/**
 * If-Match as PATCH compares it: without states. A message that was sent since the client read the inquiry changes
 * nothing that PATCH sets, and must not fail its precondition.
 */
export const withoutStates = (ifMatch: string | undefined): string | undefined =>
  ifMatch?.replaceAll(/"(\d+)-[a-z]+"/g, '"$1"');
