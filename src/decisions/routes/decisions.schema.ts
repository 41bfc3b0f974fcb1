import Type, { type Static } from 'typebox';
import { Id, Principal, Timestamp, exampleIds, nullable, flag } from '../../api/fields.js';

const Hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the content as it is stored: JSON without white space; of a decision, of its working copy',
});
const exampleHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const exampleKey = 'support/shelter.json';
const exampleModel = {
  nodes: [
    { id: 'in', type: 'inputNode', name: 'Request' },
    { id: 'out', type: 'outputNode', name: 'Response' },
  ],
  edges: [{ id: 'a', sourceId: 'in', targetId: 'out', type: 'edge' }],
};
const times = { createdAt: '2026-01-31T09:30:00.000Z', updatedAt: '2026-01-31T09:30:00.000Z' };

const Key = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Like a relative path; unique in the workspace. Without control characters, backslashes, and empty, `.` or `..` parts',
  examples: [exampleKey],
});
/** Its content is checked as a model, not by this schema, so that each error names its location. */
const Content = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'A model: JDM (JSON Decision Model), or a document of DMN as `{contentType, xml}`',
});

export const Decision = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    key: Type.String(),
    latestVersion: nullable(
      Type.Integer({ minimum: 1, description: 'The newest saved version; null before the first' }),
    ),
    contentHash: Hash,
    faults: Type.Integer({
      minimum: 0,
      description: 'Errors of the working copy: with any, it cannot become a version',
    }),
    warnings: Type.Integer({ minimum: 0, description: 'Warnings of the working copy; they refuse nothing' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'Decision',
    examples: [
      {
        id: exampleIds.decision,
        workspaceId: exampleIds.workspace,
        key: exampleKey,
        latestVersion: 3,
        contentHash: exampleHash,
        faults: 0,
        warnings: 0,
        ...times,
      },
    ],
  },
);
export type Decision = Static<typeof Decision>;

export const CreateDecision = Type.Object(
  { key: Key, content: Content },
  { additionalProperties: false, title: 'CreateDecision', examples: [{ key: exampleKey, content: exampleModel }] },
);

export const UpdateDecision = Type.Object(
  { key: Type.Optional(Key), content: Type.Optional(Content) },
  { additionalProperties: false, minProperties: 1, title: 'UpdateDecision', examples: [{ content: exampleModel }] },
);

export const ForceQuery = Type.Object(
  {
    force: Type.Optional(
      flag({
        description: 'Store content with errors as a working copy, which cannot become a version',
        default: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export const UpdateQuery = Type.Object(
  {
    force: Type.Optional(
      flag({
        description:
          'With true, content with errors is stored as a working copy, which cannot become a version. With false, a key that ' +
          'other working copies name is not changed, which would leave them with errors',
      }),
    ),
  },
  { additionalProperties: false },
);

const versionFields = {
  decisionId: Id,
  version: Type.Integer({ minimum: 0, description: '0 is the working copy' }),
  contentHash: Hash,
  message: nullable(Type.String()),
  savedBy: nullable(Principal('The principal who saved it; null for the working copy')),
  createdAt: Timestamp,
};
const exampleVersion = {
  decisionId: exampleIds.decision,
  version: 3,
  contentHash: exampleHash,
  message: 'Rates of 2026',
  savedBy: `client:${exampleIds.run}`,
  createdAt: times.createdAt,
};

export const Version = Type.Object(versionFields, { title: 'Version', examples: [exampleVersion] });
export type Version = Static<typeof Version>;

const pinnedFields = { key: Type.String(), decisionId: Id, contentHash: Hash };

export const VersionWithContent = Type.Object(
  {
    ...versionFields,
    content: Content,
    dependencies: Type.Array(Type.Object(pinnedFields), {
      description: 'Every sub-decision that it can reach; of a saved version as they were then, which it keeps',
    }),
  },
  { title: 'VersionWithContent', examples: [{ ...exampleVersion, content: exampleModel, dependencies: [] }] },
);

/** A decision as a version runs it. */
export const PinnedDecision = Type.Object(
  { ...pinnedFields, content: Content },
  {
    title: 'PinnedDecision',
    examples: [{ key: exampleKey, decisionId: exampleIds.decision, contentHash: exampleHash, content: exampleModel }],
  },
);

export const CreateVersion = Type.Object(
  { message: Type.Optional(nullable(Type.String({ maxLength: 4000 }))) },
  { additionalProperties: false, title: 'CreateVersion', examples: [{ message: 'Rates of 2026' }] },
);

/** A version's number in a path, where everything is text. */
const VersionNumber = Type.String({
  format: 'whole-number',
  documentedAs: { type: 'integer', minimum: 0 },
  description: '0 is the working copy',
});
export const VersionParams = Type.Object({ id: Id, version: VersionNumber }, { additionalProperties: false });
export const DependencyParams = Type.Object(
  { ...VersionParams.properties, dependencyId: Id },
  { additionalProperties: false },
);
export const DifferencesParams = Type.Object(
  { id: Id, from: VersionNumber, to: VersionNumber },
  { additionalProperties: false },
);

export const DifferencesQuery = Type.Object(
  {
    dependency: Type.Optional({
      ...Id,
      description: 'A decision that both versions run: it is compared, as each of them runs it, in their place',
    }),
  },
  { additionalProperties: false },
);
