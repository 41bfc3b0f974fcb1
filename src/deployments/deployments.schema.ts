import Type, { type Static } from 'typebox';
import { Id, Name, Principal, Timestamp, exampleIds, nullable } from '../api/fields.js';

const Version = nullable(Type.Integer({ minimum: 0, description: 'A saved version; null or 0 is the working copy' }));
const Message = nullable(Type.String({ maxLength: 4000 }));

const example = {
  decisionId: exampleIds.decision,
  version: 3,
  environmentId: exampleIds.environment,
  name: 'Spring rates',
  message: 'Agreed on 30 January',
  deployedBy: 'release pipeline',
};

export const Deployment = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    decisionId: Id,
    version: Type.Integer({ minimum: 0, description: '0 is the working copy' }),
    environmentId: Id,
    name: Type.String(),
    message: nullable(Type.String()),
    deployedBy: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'Deployment',
    examples: [
      {
        id: exampleIds.deployment,
        workspaceId: exampleIds.workspace,
        ...example,
        createdAt: '2026-01-31T09:30:00.000Z',
        updatedAt: '2026-01-31T09:30:00.000Z',
      },
    ],
  },
);
export type Deployment = Static<typeof Deployment>;

/** As the command line lists it: by what it routes, with whose token made it. */
export const ListedDeployment = Type.Object({
  ...Deployment.properties,
  inForce: Type.Boolean(),
  recorded: Type.Unknown(),
  principal: nullable(Principal('Whose token made it')),
});

export const CreateDeployment = Type.Object(
  {
    decisionId: Id,
    version: Type.Optional(Version),
    environmentId: Id,
    name: Name,
    message: Type.Optional(Message),
    deployedBy: Name,
  },
  { additionalProperties: false, title: 'CreateDeployment', examples: [example] },
);
export type CreateDeployment = Static<typeof CreateDeployment>;

export const UpdateDeployment = Type.Object(Type.Partial(CreateDeployment).properties, {
  additionalProperties: false,
  minProperties: 1,
  title: 'UpdateDeployment',
  examples: [{ message: null }],
});
export type UpdateDeployment = Static<typeof UpdateDeployment>;

/** What a deployment's routing says, whatever PATCH has made of the deployment since. */
export const DeploymentRouting = Type.Object(
  {
    deploymentId: Id,
    decisionId: Id,
    environmentId: Id,
    version: Type.Integer({ minimum: 0, description: 'What executions run by it; 0 is the working copy' }),
    inForce: Type.Boolean({ description: 'Whether executions of this decision in this environment run by it now' }),
    createdAt: Timestamp,
  },
  {
    title: 'DeploymentRouting',
    examples: [
      {
        deploymentId: exampleIds.deployment,
        decisionId: exampleIds.decision,
        environmentId: exampleIds.environment,
        version: 3,
        inForce: true,
        createdAt: '2026-01-31T09:30:00.000Z',
      },
    ],
  },
);
export type DeploymentRouting = Static<typeof DeploymentRouting>;
