import { createHmac, randomBytes } from 'node:crypto';
import { formatJson, parseExactly } from '../../workers/json/index.js';
import type { Encryption } from '../storage/encryption.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { Replaced } from './replaced.js';

/** Where a variable's value waits until it is applied. */
export interface ValueRef {
  readonly changeRequestId: string;
  readonly position: number;
}

const contextOf = ({ changeRequestId, position }: ValueRef): string =>
  `change_request_changes/${changeRequestId}/${position}`;

const replacedContextOf = (ref: ValueRef): string => `${contextOf(ref)}/replaces`;

const refOfRow = ({ id, text }: SealedRow): ValueRef => ({
  changeRequestId: id('change_request_id'),
  position: Number(text('position')),
});

export const sealedChangeValues: SealedTable = {
  table: 'change_request_changes',
  key: ['change_request_id', 'position'],
  contexts: { value: (row) => contextOf(refOfRow(row)), replaces: (row) => replacedContextOf(refOfRow(row)) },
};

/** Seals what a change replaces: it may hold the value of a variable. */
export const sealReplaced = (encryption: Encryption, ref: ValueRef, replaced: Replaced): Buffer =>
  encryption.seal(formatJson(replaced), replacedContextOf(ref));

/** Null where no key of the server opens it. */
export function openReplaced(encryption: Encryption, ref: ValueRef, sealed: Buffer): Replaced | null {
  try {
    return parseExactly(encryption.open(sealed, replacedContextOf(ref))) as Replaced;
  } catch {
    return null;
  }
}

const saltLength = 64;

/**
 * Seals the JSON text of a value. A digest is shown, so it must not tell whether a short secret was guessed right: what it has of the
 * value is keyed by a salt that is sealed with it.
 */
export const sealValue = (encryption: Encryption, ref: ValueRef, json: string): Buffer =>
  encryption.seal(randomBytes(saltLength / 2).toString('hex') + json, contextOf(ref));

/** The text, and what a digest has of it. Throws where no key of the server opens it. */
export function openValue(
  encryption: Encryption,
  ref: ValueRef,
  sealed: Buffer,
): { readonly json: string; readonly commitment: string } {
  const text = encryption.open(sealed, contextOf(ref));
  const [salt, json] = [text.slice(0, saltLength), text.slice(saltLength)];
  return { json, commitment: createHmac('sha256', salt).update(json).digest('hex') };
}
