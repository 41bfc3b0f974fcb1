import type { ChangeRequest } from '#openapi/types.gen.js';
import { record, table } from '../table.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './service.js';

type Change = ChangeRequest['changes'][number];

/** A request for people: names in place of ids. */
export async function changeRequestText(service: Service, request: ChangeRequest): Promise<string> {
  const { body: environment } = await service.send(operations.getEnvironment, {
    params: { id: request.environmentId },
  });
  const changes: string[] = [];
  for (const change of request.changes) changes.push(await lineOf(service, change));
  const { checks, reviews } = request;
  const parts = [
    record({
      title: request.title,
      id: request.id,
      state: request.state,
      environment: environment.name,
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
    parts.push(
      table(
        ['at', 'verdict', 'principal', 'counts', 'message'],
        reviews.map(({ at, verdict, principal, digest, message }) => [
          ...[at, verdict, principal, digest === request.digest ? 'yes' : 'no: of an earlier state'],
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
      const { body } = await service.send(operations.getDecision, { params: { id: change.decisionId ?? '' } });
      return `deploy ${body.key}, version ${change.version ?? ''}`;
    }
    case 'variable':
      return `set ${change.name ?? ''} to ${change.secret === true ? '(secret)' : JSON.stringify(change.value)}`;
    case 'variable.delete':
      return `remove ${change.name ?? ''}`;
    case 'hosts':
      return `hosts: ${(change.hosts ?? []).join(' ') || 'none'}`;
  }
}
