import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';

/** Which environment an execution was of, in the leaf that outlives it. */
interface EnvironmentOfLeaf {
  readonly workspaceId: string;
  readonly subjectId: string;
  readonly environmentId: string;
}

const secrets = new WeakMap<KeyObject, Buffer>();

/**
 * Tells of which environment an execution was. Only with a key of this service can it be made and read: somebody who can write
 * nothing but the database cannot pass an execution off as one that another environment's retention has removed.
 * @param key that signs heads
 */
export function environmentMac(key: KeyObject, { workspaceId, subjectId, environmentId }: EnvironmentOfLeaf): Buffer {
  let secret = secrets.get(key);
  if (secret === undefined) {
    const { d = '' } = key.export({ format: 'jwk' });
    secret = Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'verdict/evidence/environment', 32));
    secrets.set(key, secret);
  }
  const told = `${workspaceId}/${subjectId}/${environmentId}`;
  return createHmac('sha256', secret).update(told).digest().subarray(0, 16);
}
