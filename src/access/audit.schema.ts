import Type, { type Static } from 'typebox';
import { Id, Principal, Timestamp, exampleIds, nullable } from '../api/fields.js';
import { OrderQuery, PageQuery } from '../api/paginate.js';

const State = (description: string): Type.TUnion<[Type.TObject, Type.TNull]> =>
  Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], { description });

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    workspaceId: nullable(Id),
    principal: Principal(
      'Who wrote: `client:<id>`, `user:<issuer>#<sub>`, or `operator:<system user>` on the command line',
    ),
    requestId: nullable(Id),
    action: Type.String({ description: '`<type>.<verb>`', examples: ['deployment.create'] }),
    resource: Type.Object({ type: Type.String(), id: Type.String(), key: Type.Optional(Type.String()) }),
    before: State('The resource as it was, without secrets and models; null where there was none'),
    after: State('The resource as it became, without secrets and models; null where it is gone'),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: exampleIds.run,
        at: '2026-01-31T09:30:00.000Z',
        workspaceId: exampleIds.workspace,
        principal: 'client:01934f5e-7a50-7b11-8c42-1d9e3f6a7b06',
        requestId: '01934f5e-7a60-7e08-9d13-4c2b8a5f1e07',
        action: 'environment.create',
        resource: { type: 'environment', id: exampleIds.environment },
        before: null,
        after: { id: exampleIds.environment, name: 'Production' },
      },
    ],
  },
);

/** An entry of no workspace. */
export const TenantEntry = Type.Object({ ...AuditEntry.properties, tenantId: nullable(Id) });

const Time = Type.String({ format: 'timestamp' });

export const AuditQuery = Type.Object(
  {
    ...PageQuery.properties,
    order: Type.Optional(OrderQuery),
    resourceType: Type.Optional(Type.String({ format: 'audited', description: 'Such as `deployment`' })),
    resourceId: Type.Optional(Type.String()),
    about: Type.Optional({
      ...Id,
      description:
        'A decision or an environment: its own entries, and those of its deployments, change requests, variables and what is in force; of deployments and of requests the newest 2,000',
    }),
    principal: Type.Optional(Type.String()),
    action: Type.Optional(Type.String({ format: 'audit-action', description: 'Such as `deployment.create`' })),
    from: Type.Optional({
      ...Time,
      description: 'Entries from then on: 2026-01-31 (midnight UTC) or with time and zone',
    }),
    to: Type.Optional({ ...Time, description: 'Entries before then: for the whole of a day, the next one' }),
  },
  { additionalProperties: false },
);
export type AuditQuery = Static<typeof AuditQuery>;
