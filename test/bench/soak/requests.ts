import { randomUUID } from 'node:crypto';
import { basic } from '../../support/tokens.js';
import type { Reply } from './asker.js';
import { is201, type Kind } from './runs.js';
import { logicHeaders } from '../../support/scene.js';
import type { World } from './world.js';

interface PageBody {
  readonly data: readonly { readonly id: string }[];
  readonly page: { readonly size: number; readonly total: number; readonly after: string | null };
}

const labelled =
  (wanted: string) =>
  ({ label }: Reply): boolean =>
    label === wanted;

/** A page somewhere in the list, and the one after it. */
export const list: Kind = async (asker, { scene }, random) => {
  const path = `/logic/${random.of(['environments', 'deployments'])}?size=50`;
  const headers = logicHeaders(scene);
  let last = '';
  let after: string | null = null;
  for (let pages = 0; pages < 2; pages++) {
    const cursor: string = after === null ? '' : `&after=${after}`;
    const reply = await asker.ask('list page', { method: 'GET', path: path + cursor, headers }, labelled('200'));
    if (reply.label !== '200') return;
    const { data, page } = reply.json as unknown as PageBody;
    const ids = [last, ...data.map(({ id }) => id)];
    const ascending = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ''));
    if (!ascending || page.size !== data.length || page.total < data.length) asker.find('a list page was wrong');
    last = ids.at(-1) ?? '';
    after = page.after;
    if (after === null) return;
  }
};

/** Twice, the second time with what the client has. */
export const read: Kind = async (asker, { scene, pairs }, random) => {
  const path = `/logic/environments/${random.of(pairs).environmentId}`;
  const headers = logicHeaders(scene);
  const { headers: found } = await asker.ask('read', { method: 'GET', path, headers }, labelled('200'));
  if (typeof found.etag !== 'string') return;
  const known = { ...headers, 'If-None-Match': found.etag };
  await asker.ask('read', { method: 'GET', path, headers: known }, labelled('304'));
};

/** An environment from its making to after its end. Where a step fails, the rest does not matter. */
export const crud: Kind = async (asker, { scene }, random) => {
  const headers = logicHeaders(scene);
  const kind = 'create, change, delete';
  const body = { name: `Soak ${random.upTo(1000)}` };
  const made = await asker.ask(kind, { method: 'POST', path: '/logic/environments', headers, body }, is201);
  if (made.label !== '201') return;
  const path = `/logic/environments/${String(made.json.id)}`;
  const change = { name: `Soak changed ${random.upTo(1000)}` };
  const changed = await asker.ask(kind, { method: 'PATCH', path, headers, body: change }, labelled('200'));
  if (changed.label === '200' && changed.json.name !== change.name) asker.find('a change was not in its answer');
  const gone = await asker.ask(kind, { method: 'DELETE', path, headers }, labelled('204'));
  if (gone.label !== '204') return;
  await asker.ask(kind, { method: 'GET', path, headers }, labelled('404 environment_not_found'));
};

export const token: Kind = async (asker, { scene }) => {
  const headers = {
    Authorization: basic(scene.client.id, scene.client.secret),
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const body = 'grant_type=client_credentials';
  await asker.ask('token', { method: 'POST', path: '/core/oauth2/token', headers, body }, labelled('200'));
};

type Refused = (world: World) => { readonly path: string; readonly body: unknown; readonly label: string };

const refusals: readonly Refused[] = [
  ({ failing }) => ({ path: failing.path, body: { fact: [] }, label: '400 validation_failed' }),
  ({ failing }) => ({ path: failing.path, body: { fact: {}, more: 1 }, label: '400 validation_failed' }),
  ({ pairs, failing }) => ({
    path: `/logic/${pairs[0]?.environmentId ?? ''}/decisions/${failing.decisionId}/executions`,
    body: { fact: {} },
    label: '404 routing_not_found',
  }),
  ({ failing }) => ({
    path: failing.path.replace(failing.decisionId, randomUUID()),
    body: { fact: {} },
    label: '404 decision_not_found',
  }),
];

/** What no client should send. */
export const refused: Kind = async (asker, world, random) => {
  const { path, body, label } = random.of(refusals)(world);
  const question = { method: 'POST', path, headers: logicHeaders(world.scene), body } as const;
  await asker.ask('refused', question, labelled(label));
};
