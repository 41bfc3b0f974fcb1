import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { hashedOf } from '../../../src/evidence/grow.js';
import { leavesAtOnce } from '../../../src/evidence/leaves.store.js';
import type { SubjectRecord } from '../../../src/evidence/records.js';
import { leafHash } from '../../../src/evidence/tree.js';
import { newId } from '../../../src/storage/ids.js';

describe('the leaves of a piece', () => {
  it('have 32 random bytes each as their salts, no two the same, however many there are', async () => {
    // Salts are asked for some at a time; this is more than twice as many, and not a multiple.
    const all: SubjectRecord[] = Array.from({ length: 2 * leavesAtOnce + 7 }, () => ({ id: newId(), text: '{}' }));
    const records: AsyncIterable<SubjectRecord> = Readable.from(all);
    const { privateKey } = generateKeyPairSync('ed25519');
    const appended = { kind: 'audit_entry', workspaceId: newId(), records } as const;
    const { hashed } = await hashedOf(appended, { generation: 1, publicKey: Buffer.alloc(32), privateKey });
    const salts = hashed.map(({ salt }) => salt!);
    expect(salts.map(({ length }) => length)).to.deep.equal(all.map(() => 32));
    expect(new Set(salts.map((salt) => salt.toString('hex'))).size).to.equal(all.length);
    expect(hashed.map(({ hash }) => hash)).to.deep.equal(salts.map((salt) => leafHash(salt, '{}')));
  });
});
