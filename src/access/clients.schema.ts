import Type, { type Static } from 'typebox';
import { Id, Name, Timestamp, nullable } from '../api/fields.js';
import { roleNames, roles, type RoleName } from '../oauth/roles.js';
import { Limit } from '../rates/limit.js';

const Scopes = Type.Array(Type.String({ format: 'scope' }), { minItems: 1, maxItems: 100 });
const Role = Type.Unsafe<RoleName>({
  title: 'Role',
  type: 'string',
  enum: [...roleNames],
  description: [
    'In place of `scopes`: a set of them that has a name. The client has the scopes, and answers show them.',
    ...roleNames.map((name) => `- \`${name}\`: ${roles[name].about}. \`${roles[name].scopes.join(' ')}\``),
  ].join('\n'),
});
const Roles = Type.Record(Type.String({ pattern: '^.{1,100}$' }), Scopes, {
  maxProperties: 50,
  additionalProperties: false,
  description: 'Named parts of the scopes, which a token can be limited to',
});
const Resources = Type.Array(Type.String({ maxLength: 500 }), {
  maxItems: 50,
  description: 'URIs that its tokens may be addressed to, besides this service',
});
const Workspaces = Type.Array(Id, { maxItems: 1000, uniqueItems: true, description: 'Workspaces that it is granted' });
const ExpiresAt = nullable(
  Type.String({
    format: 'timestamp',
    description: 'From then on it gets no tokens, and those that it has are refused',
  }),
);

const example = {
  name: 'Shop',
  scopes: ['execution:write', 'execution:read'],
  workspaces: ['01934f5e-7a00-7c3d-9f21-5b0c8e4d1a01'],
  limit: { perSecond: 50, burst: 100 },
};

export const CreateClient = Type.Object(
  {
    name: Name,
    scopes: Type.Optional(Scopes),
    role: Type.Optional(Role),
    roles: Type.Optional(Roles),
    resources: Type.Optional(Resources),
    workspaces: Type.Optional(Workspaces),
    limit: Type.Optional(nullable(Limit)),
    expiresAt: Type.Optional(ExpiresAt),
  },
  { additionalProperties: false, title: 'CreateClient', examples: [example] },
);
export type CreateClient = Static<typeof CreateClient>;

export const UpdateClient = Type.Object(
  {
    ...Type.Partial(CreateClient).properties,
    disabled: Type.Optional(Type.Boolean({ description: 'It gets no tokens, and those that it has are refused' })),
  },
  { additionalProperties: false, minProperties: 1, title: 'UpdateClient', examples: [{ limit: example.limit }] },
);
export type UpdateClient = Static<typeof UpdateClient>;

const fields = {
  id: Id,
  tenantId: Id,
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  roles: Type.Record(Type.String(), Type.Array(Type.String())),
  resources: Type.Array(Type.String()),
  workspaces: Type.Array(Id),
  limit: nullable(Limit),
  expiresAt: nullable(Timestamp),
  disabledAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const Client = Type.Object(fields, { title: 'Client' });
export type Client = Static<typeof Client>;

const Secret = Type.String({ description: 'Shown this once' });

export const NewClient = Type.Object({ ...fields, secret: Secret }, { title: 'NewClient' });

export const NewSecret = Type.Object(
  {
    secret: Secret,
    previousExpiresAt: nullable(Timestamp),
  },
  { title: 'NewSecret', description: 'The previous secret works until `previousExpiresAt`, any older one no more' },
);
