import Type, { type Static } from 'typebox';
import { Id, Name, Timestamp, exampleIds, nullable, oneOf } from '../api/fields.js';
import { Limit } from '../rates/limit.js';

export const Workspace = Type.Object(
  { id: Id, name: Type.String() },
  { title: 'Workspace', examples: [{ id: exampleIds.workspace, name: 'Support' }] },
);

export const WriteWorkspace = Type.Object(
  { name: Name },
  { additionalProperties: false, title: 'WriteWorkspace', examples: [{ name: 'Support' }] },
);

export const TenantWorkspace = Type.Object(
  {
    id: Id,
    tenantId: Id,
    name: Type.String(),
    limit: Type.Union([Limit, Type.Null()], { description: 'For all who use it together; set by the operator' }),
    createdAt: Timestamp,
  },
  { title: 'TenantWorkspace' },
);

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 100 });
const Effect = oneOf(['allow', 'deny'], { description: 'deny wins' });

export const CreatePolicy = Type.Object(
  {
    effect: Effect,
    subjects: Type.Optional(Names),
    roles: Type.Optional(Names),
    scopes: Type.Array(Type.String({ format: 'scope' }), { minItems: 1, maxItems: 100 }),
    expiresAt: Type.Optional(nullable(Type.String({ format: 'timestamp' }))),
  },
  {
    additionalProperties: false,
    title: 'CreatePolicy',
    examples: [{ effect: 'allow', roles: ['analyst'], scopes: ['decisions:read', 'decision:read'] }],
  },
);
export type CreatePolicy = Static<typeof CreatePolicy>;

export const Policy = Type.Object(
  {
    id: Id,
    effect: Effect,
    subjects: Type.Array(Type.String(), {
      description: '`<issuer>#<sub>`, a bare `<sub>` of whichever trusted issuer, or `*` for every user',
    }),
    roles: Type.Array(Type.String(), { description: "Values of the token's claim `roles`" }),
    scopes: Type.Array(Type.String()),
    expiresAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { title: 'Policy' },
);

export const PolicyParams = Type.Object({ id: Id, policyId: Id }, { additionalProperties: false });
