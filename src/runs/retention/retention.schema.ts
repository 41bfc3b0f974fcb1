import Type, { type Static } from 'typebox';
import { nullable } from '../../api/fields.js';

/** How long the executions of an environment are kept. */
export const Retention = Type.Object(
  {
    days: nullable(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Older executions are removed; null: none is' }),
    ),
  },
  { title: 'Retention', additionalProperties: false, examples: [{ days: 365 }, { days: null }] },
);
export type Retention = Static<typeof Retention>;
