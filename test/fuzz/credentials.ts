import { randomUUID } from 'node:crypto';
import { basic } from '../support/tokens.js';
import type { Case } from './cases.js';

/** Authorization and workspace, and what follows from them. */
export function writeCredentials(request: Case): void {
  const { operation, caller, side, refusals } = request;
  const { security } = operation;
  const allowed = operation.scopes.some((scope) => caller.scopes.has(scope));
  setHeader(request, 'Authorization', caller.authorization);
  if (security.length === 0) return;
  const isBasic = caller.authorization.startsWith('Basic');
  if (isInquiry(request)) {
    // Of the tenant, not of a workspace: a client needs no grant, and a user is refused.
    if (!allowed) refusals.add('forbidden');
    return;
  }
  if (!isLogic(request)) return;
  setHeader(request, 'X-Workspace-Id', side.workspaceId);
  if (isBasic) refusals.add('unauthorized');
  if (caller.kind === 'stranger' || !allowed) refusals.add('forbidden');
}

/** About a workspace, which a header names. */
export const isLogic = ({ operation }: Case): boolean =>
  operation.parameters.some(({ name }) => name === 'X-Workspace-Id');
export const isInquiry = ({ operation }: Case): boolean => operation.path.startsWith('/fuse/');
export const isToken = ({ operation }: Case): boolean => operation.id === 'issueToken';

/** Replaces the header, or removes it. */
export function setHeader(request: Case, name: string, value: string | undefined): void {
  request.headers = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  if (value !== undefined) request.headers.push([name, value]);
}

export function spoilCredentials(request: Case): void {
  if (isLogic(request) && request.random.oneIn(2)) spoilWorkspace(request);
  else spoilAuthorization(request);
}

function spoilAuthorization(request: Case): void {
  const { random, caller, side } = request;
  const given = caller.authorization;
  const [scheme = '', value = ''] = given.split(' ');
  if (random.oneIn(6)) {
    // As good as before: the scheme's name has no case (RFC 9110, section 11.1).
    setHeader(request, 'Authorization', `${random.pick([scheme.toLowerCase(), scheme.toUpperCase()])} ${value}`);
    return;
  }
  if (isToken(request) && random.oneIn(2)) {
    setHeader(request, 'Authorization', basic(side.tried.id, random.pick(['', 'wrong', side.client.secret])));
  } else if (random.oneIn(8)) {
    request.headers.push(['authorization', random.pick([given, 'Bearer x'])]);
  } else setHeader(request, 'Authorization', random.pick(badAuthorizations(scheme, value)));
  request.refusals.add('unauthorized');
}

const badAuthorizations = (scheme: string, value: string): (string | undefined)[] => [
  undefined,
  scheme,
  `${scheme} `,
  `Token ${value}`,
  'Bearer undefined',
  'Bearer a.b.c',
  `Bearer ${value.slice(0, -40)}${'A'.repeat(40)}`,
  `Bearer ${value.split('.').slice(0, 2).join('.')}.`,
  `Bearer eyJhbGciOiJub25lIn0.${value.split('.')[1] ?? 'e30'}.`,
  `Bearer ${'x'.repeat(5000)}`,
  `Bearer ${value} ${value}`,
  'Basic Og==',
  'Digest username="x"',
  '\u00e9',
];

function spoilWorkspace(request: Case): void {
  const { random, side, other, refusals } = request;
  const name = 'X-Workspace-Id';
  const set = (value: string | undefined): void => setHeader(request, name, value);
  switch (random.int(0, 4)) {
    case 0:
      set(side.workspaceId.toUpperCase());
      return;
    case 1:
      set(random.pick([other.workspaceId, side.closedWorkspaceId, randomUUID()]));
      refusals.add('forbidden');
      return;
    case 2:
      request.headers.push([name.toLowerCase(), random.pick([side.workspaceId, other.workspaceId])]);
      refusals.add('workspace');
      return;
    case 3:
      set(undefined);
      refusals.add('workspace');
      return;
    default:
      set(
        random.pick(['x', `{${side.workspaceId}}`, `${side.workspaceId},${other.workspaceId}`, '*', '\u00e9', '%00']),
      );
      refusals.add('workspace');
  }
}
