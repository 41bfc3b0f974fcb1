import { entityTag } from '../api/preconditions.js';
import type { StoredInquiry } from './inquiries.store.js';

export interface Representation {
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

/** Without states: a message that was sent since the client's read must not fail its precondition. */
export const withoutStates = (ifMatch: string | undefined): string | undefined =>
  ifMatch?.replaceAll(/"(\d+)-[a-z]+"/g, '"$1"');
