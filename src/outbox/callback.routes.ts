import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { byContent, unstored } from '../resource/answers.js';
import { oneOfWorkspace, ofWorkspace } from '../resource/kinds.js';
import type { Encryption } from '../storage/encryption.js';
import { CallbackPing, NewCallbackSecret, WorkspaceCallback, WriteWorkspaceCallback } from './callback.schema.js';
import { pingCallback, removeCallback, requireCallback, rotateCallbackSecret, setCallback } from './callbacks.js';
import type { PostSettings } from './transports/post.js';
import type { StoredCallback } from './callbacks.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  readonly posting: PostSettings;
}

const scope = 'callback:write';
type Stored = Pick<StoredCallback, 'url' | 'kinds'> & { readonly secret?: string };

const withoutSecret = ({ url, kinds }: Stored): Stored => ({ url, kinds });

const path = '/logic/callback';

const callback = ofWorkspace({
  ...oneOfWorkspace(path),
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
export const callbackRoutes = ({ database, encryption, posting }: Dependencies): LogicRoute[] => [
  callback.get({ summary: "Get where the workspace's events go", scope }, (owner) => requireCallback(database, owner)),
  callback.set(
    {
      summary:
        "Set where the workspace's events go, and which; the first answer alone shows the secret that signs them",
      scope,
      body: WriteWorkspaceCallback,
    },
    ({ actor, body, ref: owner, match }) =>
      setCallback({ database, encryption, actor }, { ...body, owner }, posting.privateHosts, match),
  ),
  callback.remove({ summary: 'Send the workspace no more events', scope }, ({ actor, ref, match }) =>
    removeCallback({ database, actor }, ref, match),
  ),
  logicRoute({
    method: 'POST',
    path: `${path}/secrets`,
    operationId: 'createCallbackSecret',
    tag: 'Changes',
    summary: "Make a new secret that signs the workspace's events; for 24 hours the one before signs as well",
    scope,
    replies: { 201: NewCallbackSecret },
    replyHeaders: ['Cache-Control'],
    problems: ['callback_not_found'],
    async handle(request) {
      const { workspaceId } = request;
      const writer = { database, encryption, actor: actorOf(request) };
      const rotated = await rotateCallbackSecret(writer, { workspaceId });
      return { status: 201, body: rotated, headers: unstored };
    },
  }),
  logicRoute({
    method: 'POST',
    path: `${path}/pings`,
    operationId: 'pingCallback',
    tag: 'Changes',
    summary: 'Send a signed event of type `ping` now, once, and tell what came of it',
    scope,
    replies: { 200: CallbackPing },
    problems: ['callback_not_found'],
    async handle({ workspaceId }) {
      const { attempt, ...sent } = await pingCallback({ database, encryption }, { workspaceId }, posting);
      const status = 'status' in attempt ? (attempt.status ?? null) : null;
      const error = 'error' in attempt ? attempt.error : null;
      return { status: 200, body: { ...sent, delivered: attempt.kind === 'delivered', status, error } };
    },
  }),
];
