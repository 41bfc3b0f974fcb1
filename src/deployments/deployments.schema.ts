import Type, { type Static } from 'typebox';
import { Id, Name, Timestamp, nullable } from '../http/fields.js';

const Version = nullable(
  Type.Integer({ minimum: 0, maximum: 4_294_967_295, description: 'A saved version; null or 0 is the working copy' }),
);
const Message = nullable(Type.String({ maxLength: 4000 }));

export const Deployment = Type.Object({
  id: Id,
  workspaceId: Id,
  decisionId: Id,
  version: Type.Integer({ minimum: 0 }),
  environmentId: Id,
  name: Type.String(),
  message: nullable(Type.String()),
  deployedBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Deployment = Static<typeof Deployment>;

export const CreateDeployment = Type.Object(
  {
    decisionId: Id,
    version: Type.Optional(Version),
    environmentId: Id,
    name: Name,
    message: Type.Optional(Message),
    deployedBy: Name,
  },
  { additionalProperties: false },
);
export type CreateDeployment = Static<typeof CreateDeployment>;

export const UpdateDeployment = Type.Object(
  {
    decisionId: Type.Optional(Id),
    version: Type.Optional(Version),
    environmentId: Type.Optional(Id),
    name: Type.Optional(Name),
    message: Type.Optional(Message),
    deployedBy: Type.Optional(Name),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type UpdateDeployment = Static<typeof UpdateDeployment>;
