import { entityTag } from '../api/preconditions.js';
import type { StoredInquiry } from './inquiries.store.js';

export interface Representation {
  readonly body: string;
  readonly etag: string;
}

/** The revision of what PATCH sets, and a letter for each notification's state once one is not queued. */
export function represent({ inquiry, revision }: Pick<StoredInquiry, 'inquiry' | 'revision'>): Representation {
  const states = inquiry.notifications.map(({ state }) => state.charAt(0)).join('');
  const etag = /^q*$/.test(states) ? entityTag(revision) : `"${revision}-${states}"`;
  return { body: JSON.stringify(inquiry), etag };
}

/** Without states: a message that was sent since the client's read must not fail its precondition. */
export const withoutStates = (ifMatch: string | undefined): string | undefined =>
  ifMatch?.replaceAll(/"(\d+)-[a-z]+"/g, '"$1"');
