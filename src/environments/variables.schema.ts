import Type from 'typebox';
import { Id, Timestamp } from '../api/fields.js';
import { variableName } from './variableRules.js';

export const VariableName = Type.String({ pattern: variableName });
const Value = Type.Unknown({ description: 'Any JSON' });
const Secret = Type.Boolean({ description: 'Never shown again; taken out of traces, errors, records and logs' });

export const Variable = Type.Object(
  {
    name: VariableName,
    value: Type.Optional(Value),
    unreadable: Type.Optional(
      Type.Literal(true, { description: 'No key of the server decrypts the value: set it again, or remove it' }),
    ),
    secret: Secret,
    updatedAt: Timestamp,
  },
  {
    title: 'Variable',
    description: '`value` is absent of secrets, and of what is unreadable',
    examples: [{ name: 'FREE_FROM', value: 50, secret: false, updatedAt: '2026-01-31T09:30:00.000Z' }],
  },
);

export const WriteVariable = Type.Object(
  { value: Value, secret: Type.Optional(Secret) },
  { additionalProperties: false, title: 'WriteVariable', examples: [{ value: 50 }, { value: 's3cr3t', secret: true }] },
);

export const VariableParams = Type.Object({ id: Id, name: VariableName }, { additionalProperties: false });

const Host = Type.String({ format: 'host', maxLength: 261, description: '`host`, `host:port` or `*.host`' });

const examples = [{ hosts: ['api.example.com', '*.example.org:8443'] }];

export const Hosts = Type.Object({ hosts: Type.Array(Type.String()) }, { title: 'Hosts', examples });

export const WriteHosts = Type.Object(
  { hosts: Type.Array(Host, { maxItems: 100 }) },
  { additionalProperties: false, title: 'WriteHosts', examples },
);
