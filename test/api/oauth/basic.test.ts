import { expect } from 'chai';
import { Problem } from '../../../src/errors.js';
import { createAuthenticateClient, type AuthenticateClient } from '../../../src/oauth/authenticateClient.js';
import { verifyBasic } from '../../../src/oauth/verifyBasic.js';
import { buildClient, openStore, type Store } from '../../support/factories.js';
import { basic } from '../../support/tokens.js';

describe('verifyBasic', () => {
  let store: Store;
  let authenticateClient: AuthenticateClient;
  before(() => {
    store = openStore();
    authenticateClient = createAuthenticateClient(store);
  });
  after(() => store.close());

  const refusal = async (authorization: string, address = 'address'): Promise<Problem> => {
    const error: unknown = await verifyBasic(authenticateClient, { authorization, address }).catch(
      (thrown: unknown) => thrown,
    );
    return error instanceof Problem ? error : expect.fail(String(error));
  };

  it('gives the client with all of its scopes', async () => {
    const { id, secret, tenantId } = await buildClient(store, { scopes: 'inquiry:update environment:read' });
    const principal = await verifyBasic(authenticateClient, { authorization: basic(id, secret), address: 'address' });
    expect(principal).to.deep.equal({
      kind: 'client',
      id,
      tenantId,
      scopes: new Set(['inquiry:update', 'environment:read']),
      name: `client:${id}`,
    });
  });

  it('refuses as a problem with a Basic challenge', async () => {
    const { id } = await buildClient(store);
    for (const authorization of [basic(id, 'wrong'), 'Basic x', 'Bearer x']) {
      const problem = await refusal(authorization);
      expect(problem.code).to.equal('unauthorized');
      expect(problem.headers()).to.deep.equal({ 'WWW-Authenticate': 'Basic realm="verdict", charset="UTF-8"' });
    }
  });

  it('throttles an address that fails with ever other clients, and no other address', async () => {
    const codes: string[] = [];
    for (let attempt = 0; attempt < 110; attempt++) codes.push((await refusal('Basic x', 'noisy')).code);
    expect(codes.slice(0, 100)).to.deep.equal(Array(100).fill('unauthorized'));
    expect(codes.slice(105)).to.include('too_many_requests');
    const problem = await refusal('Basic x', 'noisy');
    if (problem.code === 'too_many_requests') expect(problem.headers()).to.deep.equal({ 'Retry-After': '1' });
    expect((await refusal('Basic x', 'quiet')).code).to.equal('unauthorized');
    const { id, secret } = await buildClient(store);
    const passed = await verifyBasic(authenticateClient, { authorization: basic(id, secret), address: 'noisy' });
    expect(passed.id).to.equal(id);
  });
});
