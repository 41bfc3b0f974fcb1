import { formatJson } from '../../../workers/json/index.js';
import type { ChangeRequest } from '#openapi/types.gen.js';
import { record, table } from '../tableOf.js';
import { operations } from '#openapi/operations.gen.js';
import { calledBy } from './called.js';
import { allowed, type Service } from './service.js';

type Change = ChangeRequest['changes'][number];

/** A request for people: names in place of ids, as far as the client may read them, which an approver need not. */
export async function changeRequestText(service: Service, request: ChangeRequest): Promise<string> {
  const environment = await allowed(request.environmentId, async () => {
    const { body } = await service.send(operations.getEnvironment, { params: { id: request.environmentId } });
    return body.name;
  });
  const changes: string[] = [];
  for (const change of request.changes) changes.push(await lineOf(service, change));
  const { author, appliedBy, checks, reviews } = request;
  const called = await calledBy({ service }, [author, appliedBy, ...reviews.map(({ principal }) => principal)]);
  const parts = [
    record({
      title: request.title,
      id: request.id,
      state: request.state,
      environment,
      author: called(author),
      message: request.message,
      digest: request.digest,
      notice: request.notice ?? null,
      'applied by': called(appliedBy),
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
    const { id } = request;
    const counted = await allowed(undefined, async () => {
      const { body } = await service.send(operations.getChangeApprovals, { params: { id } });
      return body.reviews;
    });
    const countsOf = (at: number): string | null => {
      const review = counted?.[at];
      if (review === undefined) return null;
      return review.reason === null ? 'yes' : `no: ${review.reason}`;
    };
    parts.push(
      table(
        ['at', 'verdict', 'principal', 'counts', 'message'],
        reviews.map(({ at, verdict, principal, message }, index) => [
          at,
          verdict,
          called(principal),
          countsOf(index),
          message,
        ]),
      ),
    );
  }
  return parts.join('\n');
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
  secret === true ? '(secret)' : formatJson(value);

/** Of what the change comes, or came, in place of. */
const insteadOf = (replaces: Change['replaces']): string =>
  replaces === null ? '' : `, in place of ${valueText(replaces)}`;
