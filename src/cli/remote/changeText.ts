import type { ChangeRequest, Protection } from '#openapi/types.gen.js';
import { record, table } from '../tableOf.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal, type Service } from './service.js';

type Change = ChangeRequest['changes'][number];

/** A request for people: names in place of ids, as far as the client may read them, which an approver need not. */
export async function changeRequestText(service: Service, request: ChangeRequest): Promise<string> {
  const environment = await allowed(request.environmentId, async () => {
    const { body } = await service.send(operations.getEnvironment, { params: { id: request.environmentId } });
    return body.name;
  });
  const changes: string[] = [];
  for (const change of request.changes) changes.push(await lineOf(service, change));
  const { checks, reviews } = request;
  const parts = [
    record({
      title: request.title,
      id: request.id,
      state: request.state,
      environment,
      author: request.author,
      message: request.message,
      digest: request.digest,
      notice: request.notice ?? null,
      'applied by': request.appliedBy,
      applied: request.appliedAt,
      created: request.createdAt,
    }),
    ...changes,
  ];
  if (checks.length > 0) {
    parts.push(
      table(
        ['check', 'state', 'detail'],
        checks.map(({ name, state, detail }) => [name, state, detail]),
      ),
    );
  }
  if (reviews.length > 0) {
    const counts = await countingOf(service, request);
    parts.push(
      table(
        ['at', 'verdict', 'principal', 'counts', 'message'],
        reviews.map((review) => [review.at, review.verdict, review.principal, counts(review), review.message]),
      ),
    );
  }
  return parts.join('\n');
}

type Review = ChangeRequest['reviews'][number];

/** Only the service knows who wrote a content: an open request with enough approvals has one that does not count. */
async function countingOf(service: Service, request: ChangeRequest): Promise<(review: Review) => string> {
  const { environmentId, author, digest, state } = request;
  const protection = await allowed(undefined, () => protectionOf(service, environmentId));
  const savers = new Set<string>();
  for (const { type, decisionId: id = '', version } of request.changes) {
    if (type !== 'deploy') continue;
    const versions = await allowed([], () => service.all(operations.listVersions, { params: { id } }));
    for (const each of versions) if (each.version === version) savers.add(each.savedBy ?? '');
  }
  const reasonOf = (review: Review): string | undefined => {
    if (review.digest !== digest) return 'no: of an earlier state';
    if (review.verdict === 'comment') return 'no: a comment';
    if (protection?.authorMayApprove !== false) return undefined;
    if (review.principal === author) return 'no: by who asked';
    return savers.has(review.principal) ? 'no: by who saved the version' : undefined;
  };
  const approvals = request.reviews.filter((each) => each.verdict === 'approve' && reasonOf(each) === undefined);
  const isDoubtful = state === 'OPEN' && protection !== undefined && approvals.length >= protection.approvals;
  return (review) => reasonOf(review) ?? (isDoubtful && approvals.includes(review) ? 'no: by who wrote it' : 'yes');
}

/** Undefined where the environment is not protected any more. */
async function protectionOf(service: Service, id: string): Promise<Protection | undefined> {
  try {
    return (await service.send(operations.getProtection, { params: { id } })).body;
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 404) return undefined;
    throw error;
  }
}

async function allowed<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceRefusal && error.code === 'insufficient_scope') return otherwise;
    throw error;
  }
}

async function lineOf(service: Service, change: Change): Promise<string> {
  switch (change.type) {
    case 'deploy': {
      const id = change.decisionId ?? '';
      const key = await allowed(
        id,
        async () => (await service.send(operations.getDecision, { params: { id } })).body.key,
      );
      const before = change.replaces?.version;
      const instead = before === undefined ? 'for the first time' : `in place of version ${before}`;
      return `deploy ${key}, version ${change.version ?? ''}, ${instead}`;
    }
    case 'variable':
      return `set ${change.name ?? ''} to ${valueText(change)}${insteadOf(change.replaces)}`;
    case 'variable.delete':
      return `remove ${change.name ?? ''}${insteadOf(change.replaces)}`;
    case 'hosts':
      return `hosts: ${hostsText(change.hosts)}, in place of ${hostsText(change.replaces?.hosts)}`;
  }
}

const hostsText = (hosts: readonly string[] = []): string => hosts.join(' ') || 'none';

const valueText = ({ secret, value }: Pick<Change, 'secret' | 'value'>): string =>
  secret === true ? '(secret)' : JSON.stringify(value);

/** Of what the change comes, or came, in place of. */
const insteadOf = (replaces: Change['replaces']): string =>
  replaces === null ? '' : `, in place of ${valueText(replaces)}`;
