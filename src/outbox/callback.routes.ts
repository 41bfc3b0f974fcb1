import type { Knex } from 'knex';
import type { LogicRoute } from '../api/logicRoute.js';
import { byContent } from '../resource/answers.js';
import { oneOfWorkspace, ofWorkspace } from '../resource/places.js';
import { writeResource, type Writing } from '../resource/write.js';
import type { Encryption } from '../storage/encryption.js';
import { WorkspaceCallback, WriteWorkspaceCallback } from './callback.schema.js';
import { requireCallbackAddress } from './callbackAddress.js';
import { makeWebhookSecret } from './signature.js';
import {
  deleteWorkspaceCallback,
  findWorkspaceCallback,
  requireWorkspaceCallback,
  writeWorkspaceCallback,
  type WorkspaceCallback as Stored,
} from './workspaceCallbacks.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** OUTBOUND_ALLOW */
  readonly privateHosts: readonly string[];
}

const scope = 'callback:write';
const withoutSecret = ({ url, kinds }: Stored): Stored => ({ url, kinds });

const callback = ofWorkspace({
  ...oneOfWorkspace('/logic/callback'),
  ...byContent((stored: Stored & { readonly secret?: string }) => stored, withoutSecret),
  name: 'Callback',
  tag: 'Changes',
  schema: WorkspaceCallback,
  absent: 'callback_not_found',
});

/** The operations on where a workspace's events go. */
export const callbackRoutes = ({ database, encryption, privateHosts }: Dependencies): LogicRoute[] => [
  callback.get({ summary: "Get where the workspace's events go", scope }, ({ workspaceId }) =>
    requireWorkspaceCallback(database, workspaceId),
  ),
  callback.set(
    {
      summary:
        "Set where the workspace's events go, and which; the first answer alone shows the secret that signs them",
      scope,
      body: WriteWorkspaceCallback,
    },
    async ({ body: { url, kinds }, ...writing }) => {
      await requireCallbackAddress(url, privateHosts);
      const { workspaceId } = writing.ref;
      const find = (transaction: Knex.Transaction) => findWorkspaceCallback(transaction, workspaceId, true);
      const { after } = await writeResource(written(database, writing, find), writing, async (connection, before) => {
        const secret = makeWebhookSecret();
        await writeWorkspaceCallback({ connection, encryption }, workspaceId, { url, kinds, secret });
        return { after: { url, kinds, ...(before === undefined ? { secret } : {}) } };
      });
      return after;
    },
  ),
  callback.remove({ summary: 'Send the workspace no more events', scope }, (writing) => {
    const { workspaceId } = writing.ref;
    const find = (transaction: Knex.Transaction) => requireWorkspaceCallback(transaction, workspaceId, true);
    return writeResource(written(database, writing, find), writing, async (transaction) => {
      await deleteWorkspaceCallback(transaction, workspaceId);
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
