import { rotateEncryption } from '../../src/encryption/rotate.js';
import { openStore } from './factories.js';

/**
 * A rotation that is killed (SIGKILL) at one of its UPDATEs, at the moment that its first argument names; the second is the key
 * before, the third which UPDATE it is, from 1.
 */
const [, , moment, previousKey = '', which = '1'] = process.argv;
const last = Number(which);
let [begun, ended] = [0, 0];

const kill = (): void => void process.kill(process.pid, 'SIGKILL');
const isUpdate = ({ sql }: { readonly sql: string }): boolean => /^update/i.test(sql);

const store = openStore({ ENCRYPTION_KEYS_PREVIOUS: previousKey });
store.database.on('query', (query: { sql: string }) => {
  if (!isUpdate(query) || ++begun < last) return;
  if (moment === 'before') kill();
  // The driver writes the statement in this turn of the event loop.
  if (moment === 'sent') setImmediate(kill);
});
store.database.on('query-response', (_: unknown, query: { sql: string }) => {
  if (isUpdate(query) && ++ended === last && moment === 'after') kill();
});
await rotateEncryption(store);
await store.close();
