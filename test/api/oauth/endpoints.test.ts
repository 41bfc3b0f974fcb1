import { request } from 'node:http';
import { expect } from 'chai';
import { oauthPaths } from '../../../src/oauth/oauth.routes.js';
import { bootApp, useApp } from '../../support/app.js';
import { buildClient, useStore } from '../../support/factories.js';
import { askToken, basic, tokenOf } from '../../support/tokens.js';

describe('the endpoints of the authorization server', () => {
  const app = useApp();
  const store = useStore();

  it('are at their very paths', async () => {
    for (const path of Object.values(oauthPaths)) {
      for (const other of [`${path}/`, path.toUpperCase()]) {
        expect((await fetch(`${app.baseUrl}${other}`, { method: 'POST' })).status, other).to.equal(404);
        expect((await fetch(`${app.baseUrl}${other}`)).status, other).to.equal(404);
      }
    }
  });

  it('refuse two Authorization headers, good ones too', async () => {
    const { id, secret } = await buildClient(store);
    const body = 'grant_type=client_credentials';
    const headers = ['Host', 'localhost', 'Connection', 'close', 'Content-Length', String(body.length)];
    headers.push('Content-Type', 'application/x-www-form-urlencoded');
    for (let time = 0; time < 2; time++) headers.push('Authorization', basic(id, secret));
    const answer = await new Promise<string>((resolve, reject) => {
      request(`${app.baseUrl}${oauthPaths.token}`, { method: 'POST', headers }, (response) => {
        let text = `${response.statusCode ?? 0} `;
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve(text));
      })
        .on('error', reject)
        .end(body);
    });
    expect(answer).to.match(/^400 /);
    expect(JSON.parse(answer.slice(4))).to.deep.equal({
      error: 'invalid_request',
      error_description: 'The Authorization header is repeated.',
    });
  });

  it('answer what is unforeseen with 500 server_error, and say why in the log alone', async () => {
    const client = await buildClient(store);
    await tokenOf(app.baseUrl, client);
    // It has begun, and has not read its signing keys yet.
    const begun = await bootApp();
    const keys = await store.database('signing_keys').select<Record<string, unknown>[]>('kid', 'private_jwk');
    await store.database('signing_keys').update({ private_jwk: Buffer.alloc(100) });
    const answer = await askToken(begun.baseUrl, client).finally(async () => {
      for (const { kid, private_jwk } of keys)
        await store.database('signing_keys').where({ kid }).update({ private_jwk });
      await begun.stop();
    });
    expect([answer.status, answer.body]).to.deep.equal([
      500,
      { error: 'server_error', error_description: 'Something unforeseen happened.' },
    ]);
    expect(begun.log()).to.match(/"code":"server_error".*Error/);
  });
});
