import Type, { type Static } from 'typebox';
import { Id, JsonPointer, Timestamp, exampleIds, nullable, oneOf } from '../api/fields.js';

/** Fields of a decision's results that can be measured. */
const maxPointers = 5;

const Pointer = JsonPointer({ minLength: 1, maxLength: 200 });

export const Measured = Type.Object(
  {
    pointers: Type.Array(Pointer, {
      maxItems: maxPointers,
      uniqueItems: true,
      description: 'JSON Pointers into results',
    }),
  },
  { title: 'Measured', additionalProperties: false, examples: [{ pointers: ['/decision', '/rate'] }] },
);
export type Measured = Static<typeof Measured>;

export const MeasuresQuery = Type.Object(
  {
    decisionId: Id,
    environmentId: Type.Optional(Id),
    from: Type.Optional(
      Type.String({ format: 'timestamp', description: 'From the hour or day of then on; else: one day' }),
    ),
    to: Type.Optional(
      Type.String({ format: 'timestamp', description: 'Before the hour or day of then; else: with the present one' }),
    ),
    step: Type.Optional(oneOf(['hour', 'day'], { default: 'hour', description: 'Days are those of UTC' })),
    pointer: Type.Optional({ ...Pointer, description: 'One of the measured fields' }),
  },
  { additionalProperties: false },
);
export type MeasuresQuery = Static<typeof MeasuresQuery>;

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = nullable(Type.Number({ minimum: 0 }));

const Field = Type.Object(
  {
    values: Type.Array(Type.Object({ value: Type.Unknown(), count: Count }), {
      description: 'The 20 most frequent texts, booleans and nulls',
    }),
    others: { ...Count, description: 'Results with another text, with a long one, or with a list or an object' },
    absent: { ...Count, description: 'Results without the field' },
    numbers: nullable(
      Type.Object({
        count: Count,
        ...Object.fromEntries(['p1', 'p5', 'p25', 'p50', 'p75', 'p95', 'p99'].map((name) => [name, Type.Number()])),
      }),
    ),
  },
  {
    description:
      'What stood in the field of results that completed; absent without `pointer`, null where it was not measured',
  },
);

export const Measurements = Type.Object(
  {
    decisionId: Id,
    measured: { ...Measured.properties.pointers, description: 'Fields that are measured now' },
    step: oneOf(['hour', 'day']),
    from: Timestamp,
    to: Timestamp,
    data: Type.Array(
      Type.Object({
        at: { ...Timestamp, description: 'When the hour or day began' },
        version: Type.Integer({ minimum: 0 }),
        count: { ...Count, description: 'Executions that were recorded' },
        failed: Count,
        warnings: { ...Count, description: 'Nulls of DMN models that executions told' },
        engine: Type.Object(
          { p50: Milliseconds, p99: Milliseconds },
          { description: 'Milliseconds in the engine, to 3 %' },
        ),
        field: Type.Optional(nullable(Field)),
      }),
    ),
  },
  {
    title: 'Measurements',
    examples: [
      {
        decisionId: exampleIds.decision,
        measured: ['/decision'],
        step: 'hour',
        from: '2026-01-31T09:00:00.000Z',
        to: '2026-01-31T10:00:00.000Z',
        data: [
          {
            at: '2026-01-31T09:00:00.000Z',
            version: 3,
            count: 1200,
            failed: 2,
            warnings: 0,
            engine: { p50: 0.021, p99: 0.063 },
            field: {
              values: [
                { value: 'granted', count: 900 },
                { value: 'refused', count: 298 },
              ],
              others: 0,
              absent: 0,
              numbers: null,
            },
          },
        ],
      },
    ],
  },
);
