import type { FindBodyViolations } from '../api/operation.js';
import { isUuid } from '../storage/ids.js';

/** Longest key in UTF-16 units, as its column. */
const maxKeyLength = 512;

/** Unicode NFC, because file systems differ. */
export const normalKey = (text: string): string => text.normalize('NFC');

/**
 * The normalised key, or what is wrong with it. Keys look like relative
 * paths, `support/shelter.json`; they can't look like ids, as decisions are named by either.
 */
export function readKey(text: string): { key: string } | { fault: string } {
  const key = normalKey(text);
  const segments = key.split('/');
  if (key === '' || key.trim() !== key) return { fault: 'is empty or has spaces around it' };
  if (key.length > maxKeyLength) return { fault: `is longer than ${maxKeyLength} characters` };
  if (isUuid(key)) return { fault: 'looks like an id' };
  if (/[\p{Cc}\p{Cs}\\]/u.test(key)) return { fault: 'has a control character or a backslash' };
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return { fault: 'has an empty, `.` or `..` part' };
  }
  return { key };
}

/** What is wrong with the key of a body. */
export const findKeyViolations: FindBodyViolations = ({ key }) => {
  const read = typeof key === 'string' ? readKey(key) : undefined;
  return read !== undefined && 'fault' in read ? [{ in: 'body', pointer: '/key', message: read.fault }] : [];
};

/**
 * The keys that a decision node's name may mean, best first: the name itself, then seen from the folder of the decision
 * that uses it, each also with `.json`. Never a key above the workspace's root.
 */
export function keysMeant(name: string, usedBy: string): string[] {
  const text = name.normalize('NFC');
  const folder = usedBy.split('/').slice(0, -1);
  const relative = joined([...folder, ...text.split('/')]);
  const plain = /^\.{1,2}\//.test(text) ? [] : [text];
  const meant = [...plain, ...(relative === undefined ? [] : [relative, `${relative}.json`]), ...plain.map(withSuffix)];
  return [...new Set(meant)];
}

const withSuffix = (key: string): string => `${key}.json`;

function joined(segments: readonly string[]): string | undefined {
  const path: string[] = [];
  for (const segment of segments) {
    if (segment === '.' || segment === '') continue;
    if (segment !== '..') path.push(segment);
    else if (path.pop() === undefined) return undefined;
  }
  return path.length === 0 ? undefined : path.join('/');
}
