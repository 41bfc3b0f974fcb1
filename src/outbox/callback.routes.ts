import type { Knex } from 'knex';
import type { LogicRoute } from '../api/logicRoute.js';
import { Problem } from '../errors.js';
import { byContent } from '../resource/answers.js';
import { oneOfWorkspace, ofWorkspace } from '../resource/places.js';
import { writeResource, type Writing } from '../resource/write.js';
import type { Encryption } from '../storage/encryption.js';
import { WorkspaceCallback, WriteWorkspaceCallback } from './callback.schema.js';
import { requireCallbackAddress } from './callbackAddress.js';
import { makeWebhookSecret } from './signature.js';
import { deleteCallback, findCallback, writeCallback, type StoredCallback } from './callbacks.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** OUTBOUND_ALLOW */
  readonly privateHosts: readonly string[];
}

const scope = 'callback:write';
type Stored = Pick<StoredCallback, 'url' | 'kinds'> & { readonly secret?: string };

const withoutSecret = ({ url, kinds }: Stored): Stored => ({ url, kinds });

const callback = ofWorkspace({
  ...oneOfWorkspace('/logic/callback'),
  ...byContent(
    ({ secret, ...stored }: Stored) => ({ ...withoutSecret(stored), ...(secret === undefined ? {} : { secret }) }),
    withoutSecret,
  ),
  name: 'Callback',
  tag: 'Changes',
  schema: WorkspaceCallback,
  absent: 'callback_not_found',
});

/** The operations on where a workspace's events go. */
export const callbackRoutes = ({ database, encryption, privateHosts }: Dependencies): LogicRoute[] => [
  callback.get({ summary: "Get where the workspace's events go", scope }, (owner) => requireCallback(database, owner)),
  callback.set(
    {
      summary:
        "Set where the workspace's events go, and which; the first answer alone shows the secret that signs them",
      scope,
      body: WriteWorkspaceCallback,
    },
    async ({ body: { url, kinds }, ...writing }) => {
      await requireCallbackAddress(url, privateHosts);
      const find = (transaction: Knex.Transaction) => findCallback(transaction, writing.ref, true);
      const { after } = await writeResource(written(database, writing, find), writing, async (connection, before) => {
        const secret = makeWebhookSecret();
        await writeCallback({ connection, encryption }, writing.ref, { url, kinds, secret });
        return { after: { url, kinds, ...(before === undefined ? { secret } : {}) } };
      });
      return after;
    },
  ),
  callback.remove({ summary: 'Send the workspace no more events', scope }, (writing) => {
    const find = (transaction: Knex.Transaction) => requireCallback(transaction, writing.ref, true);
    return writeResource(written(database, writing, find), writing, async (transaction) => {
      await deleteCallback(transaction, writing.ref);
      return { after: null };
    });
  }),
];

/** A workspace has one callback, so its id is the workspace's. */
const written = <Present extends Stored | undefined>(
  database: Knex,
  { ref: { workspaceId } }: Writing<{ readonly workspaceId: string }, Stored>,
  find: (transaction: Knex.Transaction) => Promise<Present>,
) => ({ database, workspaceId, resource: { type: 'callback', id: workspaceId }, find, audited: withoutSecret });

async function requireCallback(...of: Parameters<typeof findCallback>): Promise<StoredCallback> {
  const found = await findCallback(...of);
  if (found === undefined) throw new Problem('callback_not_found', 'The workspace has no callback.');
  return found;
}
