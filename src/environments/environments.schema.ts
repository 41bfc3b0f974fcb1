import Type, { type Static } from 'typebox';
import { Id, Name, Timestamp, nullable } from '../http/fields.js';

/** What an environment gets when the caller names no colour. */
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
});
const Description = nullable(Type.String({ maxLength: 4000 }));

export const Environment = Type.Object({
  id: Id,
  workspaceId: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  color: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Environment = Static<typeof Environment>;

export const CreateEnvironment = Type.Object(
  { name: Name, description: Type.Optional(Description), color: Type.Optional(Color) },
  { additionalProperties: false },
);
export type CreateEnvironment = Static<typeof CreateEnvironment>;

export const UpdateEnvironment = Type.Object(
  { name: Type.Optional(Name), description: Type.Optional(Description), color: Type.Optional(Color) },
  { additionalProperties: false, minProperties: 1 },
);
export type UpdateEnvironment = Static<typeof UpdateEnvironment>;
