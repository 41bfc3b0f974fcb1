import { rotateEncryption } from '../../src/encryption/rotate.js';
import { openStore } from './factories.js';

/** A rotation that is killed (SIGKILL) at its first UPDATE, at the moment that its first argument names; the second is the key before. */
const [, , moment, previousKey = ''] = process.argv;

const kill = (): void => void process.kill(process.pid, 'SIGKILL');
const isUpdate = ({ sql }: { readonly sql: string }): boolean => /^update/i.test(sql);

const store = openStore({ ENCRYPTION_KEYS_PREVIOUS: previousKey });
store.database.on('query', (query: { sql: string }) => {
  if (!isUpdate(query)) return;
  if (moment === 'before') kill();
  // The driver writes the statement in this turn of the event loop.
  if (moment === 'sent') setImmediate(kill);
});
store.database.on('query-response', (_: unknown, query: { sql: string }) => {
  if (moment === 'after' && isUpdate(query)) kill();
});
await rotateEncryption(store);
await store.close();
