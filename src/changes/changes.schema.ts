import Type, { type Static } from 'typebox';
import { VariableName } from '../environments/variables.schema.js';
import { exampleIds, Id, Name, nullable, Principal, Timestamp, oneOf } from '../api/fields.js';
import { OrderQuery, PageQuery } from '../api/paginate.js';
import { states, verdicts } from './states.js';

const changeTypes = ['deploy', 'variable', 'variable.delete', 'hosts'] as const;
const checkNames = ['tests', 'analysis', 'replay', 'coverage'] as const;
const checkStates = ['PENDING', 'PASSED', 'FAILED'] as const;

const Message = Type.String({ maxLength: 4000 });
const Digest = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description:
    'SHA-256 of all that would be in force: contents, variables, hosts and the protection itself; and of what it replaces',
});

/** Which fields belong to which type is checked by `findChangeViolations`. */
const changeFields = {
  type: oneOf(changeTypes),
  decisionId: Type.Optional(Id),
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'A saved version' })),
  name: Type.Optional(VariableName),
  value: Type.Optional(Type.Unknown({ description: 'Any JSON' })),
  secret: Type.Optional(Type.Boolean()),
  hosts: Type.Optional(Type.Array(Type.String({ format: 'host', maxLength: 261 }), { maxItems: 100 })),
};
const fieldsByType =
  '`deploy` has `decisionId` and `version`, `variable` has `name`, `value` and perhaps `secret`, `variable.delete` has ' +
  '`name`, `hosts` has `hosts`';

const WriteChange = Type.Object(changeFields, {
  title: 'WriteChange',
  additionalProperties: false,
  description: fieldsByType,
});
export type WriteChange = Static<typeof WriteChange>;

/** Most changes of a request. */
const maxChanges = 50;

export const CreateChangeRequest = Type.Object(
  {
    environmentId: Id,
    title: Name,
    message: Type.Optional(nullable(Message)),
    changes: Type.Array(WriteChange, { minItems: 1, maxItems: maxChanges }),
  },
  {
    title: 'CreateChangeRequest',
    additionalProperties: false,
    examples: [
      {
        environmentId: exampleIds.environment,
        title: 'Spring rates',
        message: 'Agreed on 30 January',
        changes: [
          { type: 'deploy', decisionId: exampleIds.decision, version: 4 },
          { type: 'variable', name: 'FREE_FROM', value: 50 },
        ],
      },
    ],
  },
);
export type CreateChangeRequest = Static<typeof CreateChangeRequest>;

const Replaces = Type.Object(
  {
    deploymentId: Type.Optional(Id),
    version: Type.Optional(Type.Integer({ minimum: 0 })),
    value: changeFields.value,
    secret: changeFields.secret,
    hosts: changeFields.hosts,
  },
  { title: 'ReplacedByChange' },
);

const Change = Type.Object(
  {
    ...changeFields,
    replaces: {
      ...nullable(Replaces),
      description:
        'The deployment, value or hosts in force in place of which it comes, or came; null where there is none',
    },
  },
  { title: 'Change', description: `${fieldsByType}; a secret's value is absent` },
);
export type Change = Static<typeof Change>;

const Check = Type.Object(
  {
    name: oneOf(checkNames),
    state: oneOf(checkStates),
    detail: nullable(Type.String({ description: 'For people' })),
    replayId: Type.Optional(Id),
  },
  { title: 'ChangeCheck' },
);
export type Check = Static<typeof Check>;

export const Review = Type.Object(
  {
    principal: Principal(),
    verdict: oneOf(verdicts),
    digest: { ...Digest, description: 'What was seen; where it is not the digest of the request, it does not count' },
    message: nullable(Message),
    at: Timestamp,
  },
  { title: 'ChangeReview' },
);
export type Review = Static<typeof Review>;

export const ChangeRequest = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    environmentId: Id,
    title: Type.String(),
    message: nullable(Type.String()),
    author: Principal(),
    state: oneOf(states),
    digest: Digest,
    changes: Type.Array(Change),
    checks: Type.Array(Check),
    reviews: Type.Array(Review),
    appliedBy: nullable(Principal()),
    appliedAt: nullable(Timestamp),
    deploymentIds: Type.Array(Id),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    notice: Type.Optional(
      Type.String({ description: 'What it replaces has moved, or why earlier reviews do not count any more' }),
    ),
  },
  {
    title: 'ChangeRequest',
    examples: [
      {
        id: exampleIds.run,
        workspaceId: exampleIds.workspace,
        environmentId: exampleIds.environment,
        title: 'Spring rates',
        message: 'Agreed on 30 January',
        author: `client:${exampleIds.deployment}`,
        state: 'APPROVED',
        digest: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        changes: [
          {
            type: 'deploy',
            decisionId: exampleIds.decision,
            version: 4,
            replaces: { deploymentId: exampleIds.deployment, version: 3 },
          },
        ],
        checks: [{ name: 'tests', state: 'PASSED', detail: 'rates.json, version 4: 12 of 12 tests passed.' }],
        reviews: [
          {
            principal: 'user:https://login.example#ann',
            verdict: 'approve',
            digest: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
            message: 'As agreed',
            at: '2026-01-31T09:31:00.000Z',
          },
        ],
        appliedBy: null,
        appliedAt: null,
        deploymentIds: [],
        createdAt: '2026-01-31T09:30:00.000Z',
        updatedAt: '2026-01-31T09:31:00.000Z',
      },
    ],
  },
);
export type ChangeRequest = Static<typeof ChangeRequest>;

export const ChangeRequestsQuery = Type.Object(
  {
    ...PageQuery.properties,
    order: Type.Optional(OrderQuery),
    state: Type.Optional(oneOf(states)),
    environmentId: Type.Optional(Id),
    decisionId: Type.Optional(Id),
    author: Type.Optional(Type.String({ maxLength: 255 })),
  },
  { additionalProperties: false },
);
export type ChangeRequestsQuery = Static<typeof ChangeRequestsQuery>;

export const CreateReview = Type.Object(
  { verdict: oneOf(verdicts), digest: Digest, message: Type.Optional(nullable(Message)) },
  {
    title: 'CreateReview',
    additionalProperties: false,
    examples: [
      {
        verdict: 'approve',
        digest: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        message: 'As agreed',
      },
    ],
  },
);
export type CreateReview = Static<typeof CreateReview>;

export const ApplyChangeRequest = Type.Object(
  {
    override: Type.Optional(
      Type.Object(
        { reason: Type.String({ trimmedLength: [1, 4000] }) },
        { additionalProperties: false, description: 'Applies what was not approved; needs `change:override`' },
      ),
    ),
  },
  { title: 'ApplyChangeRequest', additionalProperties: false, examples: [{}, { override: { reason: 'Outage' } }] },
);

/** What the checks of a request have found, whole. */
export const ChangeReports = Type.Object(
  {
    reports: Type.Array(
      Type.Object(
        {
          ...Check.properties,
          decisionId: Id,
          version: Type.Integer({ minimum: 1 }),
          report: Type.Unknown({ description: 'Of tests, an analysis or a replay; null before it is done' }),
        },
        { title: 'ChangeReport' },
      ),
    ),
  },
  { title: 'ChangeReports' },
);
