import Type from 'typebox';
import { Id, nullable, oneOf } from '../../api/fields.js';
import { Fault } from '../../api/problems/faults.schema.js';
import { importLimits } from '../limits.js';

const Item = Type.Object(
  {
    key: Type.String({ minLength: 1, maxLength: 512 }),
    content: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'A model: JDM, or a document of DMN as `{contentType, xml}`',
    }),
  },
  { additionalProperties: false, title: 'KeyedModel' },
);
const model = { nodes: [{ id: 'in', type: 'inputNode', name: 'Request' }], edges: [] };
const examples = [{ decisions: [{ key: 'support/shelter.json', content: model }] }];
const decisions = Type.Array(Item, { maxItems: importLimits.files, description: 'Each key once' });

const options = {
  save: Type.Optional(
    Type.Boolean({ description: 'Save a version of each that has changed as well; needs `version:write` too' }),
  ),
  message: Type.Optional(nullable(Type.String({ maxLength: 4000, description: 'Of the versions' }))),
  base: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The `X-Workspace-Revision` that the import is made for; another one is 412',
    }),
  ),
  dryRun: Type.Optional(Type.Boolean({ description: 'Only tell what would be' })),
};

export const ImportRequest = Type.Object(
  { decisions, ...options },
  { additionalProperties: false, title: 'ImportRequest', examples },
);
export const ValidationRequest = Type.Object(
  { decisions },
  { additionalProperties: false, title: 'ValidationRequest', examples },
);

const parsed = Type.Array(Type.Unknown());
/** The body without its models, which worker threads have checked. */
export const ImportOptions = Type.Object({ decisions: parsed, ...options }, { additionalProperties: false });
export const ValidationOptions = Type.Object({ decisions: parsed }, { additionalProperties: false });

export const ImportReport = Type.Object(
  {
    revision: Type.Integer({ minimum: 0, description: "The workspace's, after the import" }),
    decisions: Type.Array(
      Type.Object(
        {
          id: nullable(Id),
          key: Type.String(),
          version: Type.Integer({
            minimum: 0,
            description: 'The saved version that holds the content; 0 without `save`',
          }),
          change: oneOf(['created', 'updated', 'unchanged']),
        },
        {
          title: 'ImportedDecision',
          description: 'In the order of the request; the id is null where it would be made',
        },
      ),
    ),
    faults: Type.Array(Fault, { description: 'Warnings; with `force` errors too' }),
  },
  { title: 'ImportReport' },
);

export const Validation = Type.Object(
  {
    faults: Type.Array(Fault, {
      description: 'Errors and warnings of all models; at most 10,000, and one that tells of others',
    }),
  },
  { title: 'Validation', examples: [{ faults: [] }] },
);
