import Type, { type Static } from 'typebox';
import { Id, Name, Timestamp, exampleIds, nullable } from '../api/fields.js';

/** Colours from which one is chosen where the caller gives none. */
export const palette = [
  '#E11D48',
  '#EA580C',
  '#D97706',
  '#65A30D',
  '#059669',
  '#0D9488',
  '#0284C7',
  '#2563EB',
  '#4F46E5',
  '#7C3AED',
  '#C026D3',
  '#475569',
] as const;

const Color = Type.String({
  pattern: '^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
  description: `#RGB or #RRGGBB. Omitted on POST: one of ${palette.join(', ')}`,
  examples: [...palette],
});
const Description = nullable(Type.String({ maxLength: 4000 }));

export const Environment = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    color: Type.String(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'Environment',
    examples: [
      {
        id: exampleIds.environment,
        workspaceId: exampleIds.workspace,
        name: 'Production',
        description: 'What the shop uses',
        color: palette[5],
        createdAt: '2026-01-31T09:30:00.000Z',
        updatedAt: '2026-01-31T09:30:00.000Z',
      },
    ],
  },
);
export type Environment = Static<typeof Environment>;

export const CreateEnvironment = Type.Object(
  { name: Name, description: Type.Optional(Description), color: Type.Optional(Color) },
  {
    additionalProperties: false,
    title: 'CreateEnvironment',
    examples: [{ name: 'Production', description: 'What the shop uses', color: palette[5] }],
  },
);

export const UpdateEnvironment = Type.Object(Type.Partial(CreateEnvironment).properties, {
  additionalProperties: false,
  minProperties: 1,
  title: 'UpdateEnvironment',
  examples: [{ name: 'Production (EU)' }],
});
export type UpdateEnvironment = Static<typeof UpdateEnvironment>;
