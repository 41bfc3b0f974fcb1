import { expect } from 'chai';
import { clientCredentials } from '../../../src/oauth/clientCredentials.js';
import type { Client } from '../../../src/oauth/clients.store.js';
import { OAuthError } from '../../../src/oauth/oauthError.js';

const issuer = 'https://verdict.example';
const client: Client = {
  id: '01900000-0000-7000-8000-000000000001',
  tenantId: '01900000-0000-7000-8000-000000000002',
  name: 'shelter',
  scopes: ['environments:read', 'environment:read', 'execution:write'],
  roles: new Map([
    ['reader', ['environments:read', 'environment:read']],
    ['wider', ['environment:read', 'evaluation:write']],
  ]),
  resources: ['https://other.example/api'],
  limit: null,
  bucketId: null,
  expiresAt: null,
  disabledAt: null,
  createdAt: '2026-01-31T09:30:00.000Z',
};

const ask = (form: Record<string, string>): ReturnType<typeof clientCredentials> =>
  clientCredentials(client, new Map(Object.entries(form)), issuer);

describe('clientCredentials', () => {
  const granted: [string, Record<string, string>, { scopes: string[]; role?: string; resource?: string }][] = [
    ['all scopes when none is asked for', {}, { scopes: [...client.scopes] }],
    ['a subset', { scope: 'execution:write' }, { scopes: ['execution:write'] }],
    [
      'a scope once, and blanks for nothing',
      { scope: ' execution:write  execution:write ' },
      { scopes: ['execution:write'] },
    ],
    ["a role's scopes", { role: 'reader' }, { scopes: ['environments:read', 'environment:read'], role: 'reader' }],
    [
      'a subset of a role',
      { role: 'reader', scope: 'environment:read' },
      { scopes: ['environment:read'], role: 'reader' },
    ],
    ['no more than client and role both have', { role: 'wider' }, { scopes: ['environment:read'], role: 'wider' }],
    [
      "a resource of the client's",
      { resource: 'https://other.example/api' },
      { scopes: [...client.scopes], resource: 'https://other.example/api' },
    ],
    ['the service itself by name', { resource: issuer }, { scopes: [...client.scopes] }],
  ];
  for (const [what, form, { scopes, role, resource = issuer }] of granted) {
    it(`gives ${what}`, () => expect(ask(form)).to.deep.equal({ client, scopes, role, resource }));
  }

  const refused: [Record<string, string>, string][] = [
    [{ scope: 'environment:write' }, 'invalid_scope'],
    [{ scope: 'environment' }, 'invalid_scope'],
    [{ scope: 'environment:rea' }, 'invalid_scope'],
    [{ scope: 'environment:read environment:write' }, 'invalid_scope'],
    [{ scope: 'environment:read,execution:write' }, 'invalid_scope'],
    [{ scope: 'Environment:read' }, 'invalid_scope'],
    [{ scope: '*' }, 'invalid_scope'],
    [{ scope: ' ' }, 'invalid_scope'],
    [{ role: 'reader', scope: 'execution:write' }, 'invalid_scope'],
    [{ role: 'wider', scope: 'evaluation:write' }, 'invalid_scope'],
    [{ role: 'admin' }, 'invalid_request'],
    [{ role: 'constructor' }, 'invalid_request'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
    [{ resource: 'https://other.example/api/' }, 'invalid_target'],
    [{ resource: 'other' }, 'invalid_target'],
  ];
  for (const [form, code] of refused) {
    it(`answers ${code} to ${JSON.stringify(form)}`, () => {
      expect(() => ask(form))
        .to.throw(OAuthError)
        .with.property('code', code);
    });
  }
});
