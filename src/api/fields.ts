import Type from 'typebox';

/** Schemas of the fields that several resources share. */
export const Id = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  description: 'ISO 8601, UTC, milliseconds',
});
export const IdParams = Type.Object({ id: Id }, { additionalProperties: false });
export const nullable = <T extends Type.TSchema>(schema: T): Type.TUnion<[T, Type.TNull]> =>
  Type.Union([schema, Type.Null()]);

/** One of some texts. */
export const oneOf = <T extends string>(values: readonly T[], options: Type.TSchemaOptions = {}): Type.TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });

/** A flag in a query, where everything is text. */
export const flag = ({ default: fallback, ...options }: Type.TSchemaOptions = {}): Type.TUnsafe<'true' | 'false'> =>
  oneOf(['true', 'false'], {
    ...options,
    documentedAs: { type: 'boolean', ...(fallback === undefined ? {} : { default: fallback }) },
  });

/** Who did something, as records call them; a list's file has their name beside it. */
export const Principal = (description = "The token's principal"): Type.TString =>
  Type.String({ format: 'principal', description });

/** 1 to 255 characters once trimmed. */
export const Name = Type.String({ trimmedLength: [1, 255] });

/** RFC 6901. */
export const JsonPointer = (options: Type.TStringOptions & { maxLength: number }): Type.TString =>
  Type.String({ format: 'json-pointer', ...options });

/** Ids of the documentation's examples. */
export const exampleIds = {
  workspace: '01934f5e-7a00-7c3d-9f21-5b0c8e4d1a01',
  environment: '01934f5e-7a10-7b52-8d44-0f6e2c9b7a02',
  decision: '01934f5e-7a20-7e91-a5c7-3d8f1b6e4c03',
  deployment: '01934f5e-7a30-7d07-b618-9e2a5c7f0d04',
  run: '01934f5e-7a40-7a6f-9b03-6c1d4e8f2b05',
} as const;

/** A text field that PATCH and POST clear by null or by the empty string. */
export const emptyToNull = (text: string | null): string | null => (text === '' ? null : text);
