import { expect } from 'chai';
import type { ChangeRequest } from '../../src/changes/changes.schema.js';
import { buildClient } from './factories.js';
import { eventually } from './eventually.js';
import { callerOf, type Answer, type Caller } from './http.js';
import { testStore, type Scene } from './scene.js';
import { tokenOf } from './tokens.js';
import { bodyOf } from './asserts.js';

export const requestsPath = '/logic/change-requests';

/** Somebody else in the workspace. */
export interface Person {
  readonly principal: string;
  readonly caller: Caller;
  readonly token: string;
}

/** Another client of the scene's tenant, who may enter its workspace. @param scopes all when left out */
export async function buildPerson(
  app: { readonly baseUrl: string },
  { tenantId, workspaceId }: Pick<Scene, 'tenantId' | 'workspaceId'>,
  scopes?: string,
): Promise<Person> {
  const client = await buildClient(testStore(), {
    tenantId,
    workspaces: [workspaceId],
    ...(scopes === undefined ? {} : { scopes }),
  });
  const token = await tokenOf(app.baseUrl, client);
  return { principal: `client:${client.id}`, caller: callerOf(app.baseUrl, token, workspaceId), token };
}

/** Protects an environment: one approval, nothing else, unless it is told. */
export async function protect(caller: Caller, environmentId: string, more: object = {}): Promise<void> {
  const answer = await caller.put(`/logic/environments/${environmentId}/protection`, { approvals: 1, ...more });
  expect(answer.status, answer.text).to.equal(200);
}

/** Opens a request. */
export async function ask(caller: Caller, environmentId: string, changes: readonly object[]): Promise<ChangeRequest> {
  return bodyOf(await caller.post(requestsPath, { environmentId, title: 'A change', changes }), 201) as ChangeRequest;
}

/** What a request is now. */
export async function reread(caller: Caller, { id }: Pick<ChangeRequest, 'id'>): Promise<ChangeRequest> {
  return bodyOf(await caller.get(`${requestsPath}/${id}`)) as ChangeRequest;
}

/** Reviews what the request shows. */
export const review = (
  caller: Caller,
  { id, digest }: Pick<ChangeRequest, 'id' | 'digest'>,
  verdict: 'approve' | 'reject' | 'comment' = 'approve',
): Promise<Answer> => caller.post(`${requestsPath}/${id}/reviews`, { verdict, digest });

export const apply = (caller: Caller, { id }: Pick<ChangeRequest, 'id'>, body?: object): Promise<Answer> =>
  caller.post(`${requestsPath}/${id}/apply`, body);

/** The request once all of its checks have come out. */
export function checked(caller: Caller, made: Pick<ChangeRequest, 'id'>): Promise<ChangeRequest> {
  return eventually(async () => {
    const now = await reread(caller, made);
    return !now.checks.some(({ state }) => state === 'PENDING') && now;
  });
}

/** A list of one page. */
export async function all<Item>(caller: Caller, path: string): Promise<Item[]> {
  return (bodyOf(await caller.get(`${path}${path.includes('?') ? '&' : '?'}size=5000`)) as { data: Item[] }).data;
}
