import { problems, type ProblemCode } from '../../src/errors.js';
import type { Comparison, OpenApi } from '../support/openapi.js';
import type { Case, Refusal } from './cases.js';
import { isInquiry, isLogic, isToken } from './credentials.js';
import { pathOf, type Timed } from './wire.js';
import type { Side, World } from './world.js';

/** What each refusal is answered with. */
const statuses: Readonly<Record<Refusal, readonly number[]>> = {
  unauthorized: [401],
  workspace: [400],
  forbidden: [403],
  media: [415],
  size: [413],
  input: [400],
};
/** The contract's order of checks; body, query and path may be looked at in any order. */
const stages: readonly (readonly Refusal[])[] = [
  ['unauthorized'],
  ['workspace'],
  ['forbidden'],
  ['media', 'size', 'input'],
];

/** What only a server gives away that says too much: stacks, statements, places on its disk. */
const innards =
  /\n\s+at \S|node_modules|dist\/src|\bSELECT\b.*\bFROM\b|INSERT INTO|\bER_[A-Z]{3,}|errno|sqlState|\/work\/|\.ts:\d/;
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** Holds answers against the document and against what is known of the request; remembers whose every id is. */
export interface Judge {
  /** What is wrong with the answer; nothing when all is well. */
  faultsOf(request: Case, answer: Timed): string[];
}

/** @param document the ids of its examples are everybody's */
export function createJudge(world: World, compare: Comparison, document: OpenApi): Judge {
  const owners = new Map<string, Side>();
  const examples = new Set(JSON.stringify(document).match(uuids));
  for (const side of world.sides) {
    for (const id of Object.values(side.planted).flat()) owners.set(id, side);
    owners.set(side.workspaceId, side);
    owners.set(side.closedWorkspaceId, side);
  }
  return {
    faultsOf: (request, answer) => [
      ...documentFaults(request, answer, compare),
      ...statusFaults(request, answer),
      ...requestIdFaults(request, answer),
      ...leaks(request, answer),
      ...strangeIds(request, answer, { owners, examples }),
    ],
  };
}

function documentFaults(request: Case, answer: Timed, compare: Comparison): readonly string[] {
  const path = request.path.replace(/\?.*$/s, '');
  const { code } = (answer.body ?? {}) as { code?: ProblemCode };
  if (request.method === 'HEAD') return answer.text === '' ? [] : ['HEAD is answered with a body'];
  // Of no operation: the document has no place for it, so its shape is judged here.
  if (code === 'route_not_found' || code === 'method_not_allowed') return sharedFaults(answer, code);
  return compare(request.method, path, answer);
}

function sharedFaults(answer: Timed, code: ProblemCode): string[] {
  const type = answer.headers['content-type'];
  const faults = type === 'application/problem+json' ? [] : [`${code} has the content type ${type ?? 'none'}`];
  if (answer.status !== problems[code].status) faults.push(`${code} has the status ${answer.status}`);
  if (code === 'method_not_allowed' && answer.headers['allow'] === undefined) faults.push('Allow is missing');
  return faults;
}

function statusFaults(request: Case, answer: Timed): string[] {
  const { status } = answer;
  const { code } = (answer.body ?? {}) as { code?: string };
  if (status >= 500 && !(status === 503 && code === 'overloaded')) return [`${status} ${code ?? ''}`];
  if (request.unsure || !(isLogic(request) || isInquiry(request))) return tokenFaults(request, status);
  if (status === 429 && request.refusals.has('unauthorized')) return [];
  const stage = stages.find((refusals) => refusals.some((refusal) => request.refusals.has(refusal)));
  if (stage === undefined) return acceptedFaults(request, answer);
  const expected = stage.filter((refusal) => request.refusals.has(refusal)).flatMap((refusal) => statuses[refusal]);
  const reasons = [...request.refusals].join(', ');
  return expected.includes(status) ? [] : [`${status} where ${expected.join(' or ')} was due (${reasons})`];
}

function acceptedFaults({ foreign, method, operation, refusals, strict }: Case, { status }: Timed): string[] {
  if (!strict && status === 400) return [];
  // Two replays of a workspace run at once.
  if (status === 429 && operation.id === 'createReplay') return [];
  if ([400, 401, 403, 405, 413, 415, 429].includes(status))
    return [`${status}, though nothing is wrong with the request`];
  const served = status < 300 || status === 304;
  if (foreign && served && !(method === 'DELETE' && status === 204)) return [`${status} for another tenant's resource`];
  return refusals.size > 0 && served ? [`${status} where a refusal was due`] : [];
}

function tokenFaults(request: Case, status: number): string[] {
  if (!isToken(request) || !request.refusals.has('unauthorized') || request.unsure) return [];
  return status >= 400 ? [] : [`${status} for wrong credentials`];
}

function requestIdFaults({ headers, method }: Case, { status, headers: answered, body }: Timed): string[] {
  const id = answered['x-request-id'] ?? '';
  const faults = new RegExp(`^${uuids.source}$`, 'i').test(id) ? [] : [`X-Request-Id is ${id}`];
  const own = headers.filter(([name]) => name.toLowerCase() === 'x-request-id').map(([, value]) => value);
  const [only = ''] = own;
  if (own.length === 1 && new RegExp(`^${uuids.source}$`, 'i').test(only) && id !== only)
    faults.push('X-Request-Id is not kept');
  // A record tells the id of another request, its own.
  const { requestId = id } = (status < 400 ? {} : (body ?? {})) as { requestId?: string };
  if (requestId !== id && method !== 'HEAD' && answered['idempotency-replayed'] === undefined) {
    faults.push('requestId is not X-Request-Id');
  }
  return faults;
}

function leaks({ operation, side, other }: Case, { status, text, headers }: Timed): string[] {
  const whole = text + JSON.stringify(headers);
  const faults: string[] = [];
  if (whole.includes(other.mark)) faults.push("a text of the other tenant's");
  for (const { secret } of [side, other]) if (whole.includes(secret)) faults.push('a secret variable');
  if ((status === 401 || status === 403) && whole.includes(side.mark))
    faults.push('a text of the workspace, though refused');
  // Files are the same for everybody, and licences speak of packages.
  const [innard] = (operation.id === 'getConsoleFile' ? null : innards.exec(whole)) ?? [];
  if (innard !== undefined) faults.push(`innards: ${innard}`);
  return faults.map((what) => `the answer holds ${what}`);
}

/** An id belongs to whom it was first shown to; to nobody else may it be shown, unless they named it. */
function strangeIds(
  request: Case,
  answer: Timed,
  { owners, examples }: { readonly owners: Map<string, Side>; readonly examples: ReadonlySet<string> },
): string[] {
  // What is public shows everybody the same, and some workspaces of other tests are open to every user.
  if (request.operation.security.length === 0 || request.operation.id === 'listWorkspaces') return [];
  const faults: string[] = [];
  let sent: string | undefined;
  for (const [id] of answer.text.matchAll(uuids)) {
    const owner = owners.get(id);
    if (owner === request.side || examples.has(id) || id === answer.headers['x-request-id']) continue;
    sent ??= `${pathOf(request)} ${JSON.stringify(request.headers)} ${(request.body ?? '').toString()}`.toLowerCase();
    if (sent.includes(id.toLowerCase())) continue;
    if (owner === undefined) owners.set(id, request.side);
    else faults.push(`the answer names ${id}, which is the other tenant's`);
  }
  return faults;
}
