import Type from 'typebox';
import { nullable, oneOf } from '../fields.js';

const text = nullable(Type.String());

/** One error or warning of a model, or what is not known of it; null where something does not apply. */
export const Fault = Type.Object(
  {
    severity: oneOf(['error', 'warning', 'unknown'], {
      description: 'Only an error refuses anything; `unknown` is what a limit of the check left open',
    }),
    key: Type.String({ description: "The decision's" }),
    nodeId: text,
    node: nullable(Type.String({ description: "The node's name" })),
    field: nullable(Type.String({ description: 'For people: `rule 3, output fee.amount`' })),
    pointer: nullable(Type.String({ description: 'A JSON Pointer (RFC 6901) into `content`' })),
    message: Type.String(),
    hint: text,
    repair: Type.Optional(
      Type.String({
        description: 'Of FEEL: what can stand in place of the whole expression, where that has one reading',
      }),
    ),
    readings: Type.Optional(
      Type.Array(Type.String(), { description: 'The same where it has several, of which a person has to choose' }),
    ),
    line: nullable(Type.Integer({ minimum: 1, description: 'Within the expression' })),
    column: nullable(Type.Integer({ minimum: 1 })),
    excerpt: nullable(Type.String({ description: 'That line' })),
  },
  { title: 'Fault' },
);
