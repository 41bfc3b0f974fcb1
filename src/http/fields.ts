import Type from 'typebox';

/** Schemas of the fields that several resources share. */
export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ description: 'ISO 8601, UTC, milliseconds' });
export const IdParams = Type.Object({ id: Id }, { additionalProperties: false });
export const nullable = <T extends Type.TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> =>
  Type.Union([schema, Type.Null()]);

/** 1 to 255 characters once trimmed. */
export const Name = Type.String({ trimmedLength: [1, 255] });
