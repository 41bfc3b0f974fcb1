import { expect } from 'chai';
import { changeWorkspace, setPolicy } from '../../../src/access/workspaces.service.js';
import { bootApp, type TestApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { buildWorkspace, useStore } from '../../support/factories.js';
import { call, type Answer } from '../../support/http.js';
import { startIssuer, type Issuer } from '../../support/issuer.js';
import { sign } from '../../support/tokens.js';

const path = '/logic/environments';
const issuer = 'https://id.example';

describe('end users', () => {
  let app: TestApp;
  const store = useStore();
  let trusted: Issuer;
  let workspaceId: string;

  before(async () => {
    trusted = await startIssuer(issuer);
    const gone = { ...trusted.setting, issuer: 'https://gone.example', jwksUri: 'http://127.0.0.1:1/jwks' };
    app = await bootApp({ TRUSTED_ISSUERS: JSON.stringify([trusted.setting, gone]) });
  });
  after(async () => {
    trusted.close();
    await app.stop();
  });
  beforeEach(async () => {
    workspaceId = await buildWorkspace(store);
  });

  const userToken = (claims: Record<string, unknown> = {}): Promise<string> => trusted.tokenOf('alice', claims);
  const list = (token: string): Promise<Answer> =>
    call(`${app.baseUrl}${path}`, { headers: { Authorization: `Bearer ${token}`, 'X-Workspace-Id': workspaceId } });
  const allow = (fields: {
    subjects?: string[];
    roles?: string[];
    effect?: 'deny';
    scopes?: string[];
  }): Promise<unknown> => {
    const usual = { effect: 'allow', subjects: [], roles: [], scopes: ['environments:read'] } as const;
    return setPolicy(store, { workspaceId }, { ...usual, ...fields });
  };

  it('may do what a policy of the workspace allows their subject, and no more', async () => {
    await allow({ subjects: [`${issuer}#alice`] });
    expect((await list(await userToken())).status).to.equal(200);
    expectProblem(await list(await userToken({ sub: 'bob' })), 'forbidden', { instance: path });
    workspaceId = await buildWorkspace(store);
    expectProblem(await list(await userToken()), 'forbidden', { instance: path });
  });

  it('are held to the limit of a workspace where no client has asked', async () => {
    await changeWorkspace(store, { workspaceId }, () => ({ limit: { perSecond: 1, burst: 1 } }));
    await allow({ subjects: ['*'] });
    const token = await userToken();
    // More than a slow machine takes seconds for.
    const answers = await Promise.all(Array.from({ length: 50 }, () => list(token)));
    expect(answers.map(({ status }) => status)).to.include.members([200, 429]);
  });

  it('may do what a policy allows their role, given as a list or as text', async () => {
    await allow({ roles: ['editor'] });
    for (const roles of [['staff', 'editor'], 'staff editor', 'editor', [5, 'editor']]) {
      expect((await list(await userToken({ roles }))).status).to.equal(200);
    }
    for (const roles of [[], ['Editor'], 'editors', { editor: true }, undefined]) {
      expectProblem(await list(await userToken({ roles })), 'forbidden', { instance: path });
    }
  });

  const refused: [string, Record<string, unknown>][] = [
    ['for another audience', { aud: 'other' }],
    ['that says it is of this service', { iss: 'http://localhost:3000', aud: 'http://localhost:3000' }],
  ];
  for (const [what, claims] of refused) {
    it(`are refused with a token ${what}`, async () => {
      await allow({ subjects: ['*'] });
      const answer = await list(await userToken(claims));
      expectProblem(answer, 'unauthorized', {
        instance: path,
        headers: { 'WWW-Authenticate': /^Bearer realm="verdict", error="invalid_token", error_description=/ },
      });
    });
  }

  it('are not taken at their word: a token signed by a stranger, or with a shared secret', async () => {
    await allow({ subjects: ['*'] });
    const stranger = await startIssuer(issuer);
    expect((await list(await stranger.tokenOf('alice'))).status).to.equal(401);
    stranger.close();
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: trusted.setting.audience, sub: 'alice', iat: now, exp: now + 60 };
    const { keys } = (await call(trusted.setting.jwksUri)).body as { keys: object[] };
    const secret = Buffer.from(JSON.stringify(keys[0]));
    expect((await list(await sign(secret, claims, { alg: 'HS256', kid: 'k' }))).status).to.equal(401);
  });

  it('are answered 503 while the keys of their issuer cannot be fetched', async () => {
    const answer = await list(await userToken({ iss: 'https://gone.example' }));
    expectProblem(answer, 'dependency_unavailable', { instance: path, headers: { 'Retry-After': '1' } });
  });
});
