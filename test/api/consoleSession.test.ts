import { expect } from 'chai';
import { useApp } from '../support/app.js';

const own = { 'X-Verdict-Console': 'http:' };
const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

// Plain fetch: the session belongs to the console's pages, and is no part of the API.
describe('the console’s session', () => {
  const app = useApp();
  const ask = (method: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${app.baseUrl}/console/session`, { method, headers });

  it('keeps the token that a page carries in a cookie that no script reads and no other site sends', async () => {
    const kept = await ask('POST', { ...own, Authorization: `Bearer ${token}` });
    expect(kept.status).to.equal(204);
    expect(kept.headers.get('cache-control')).to.equal('no-store');
    expect(kept.headers.get('set-cookie')).to.equal(`verdict-console=${token}; HttpOnly; SameSite=Strict`);
    const found = await ask('GET', { ...own, Cookie: `verdict-console=${token}` });
    expect(found.status).to.equal(200);
    expect(found.headers.get('cache-control')).to.equal('no-store');
    expect(found.headers.get('access-control-allow-origin')).to.equal(null);
    expect(await found.json()).to.deep.equal({ token });
  });

  it('goes by https alone where the page came by https, whatever a proxy hides', async () => {
    const kept = await ask('POST', { 'X-Verdict-Console': 'https:', Authorization: `Bearer ${token}` });
    expect(kept.headers.get('set-cookie')).to.match(/; Secure$/);
  });

  it('ends', async () => {
    const ended = await ask('DELETE', own);
    expect(ended.status).to.equal(204);
    expect(ended.headers.get('set-cookie')).to.equal('verdict-console=; HttpOnly; SameSite=Strict; Max-Age=0');
    const none = await ask('GET', own);
    expect(none.status).to.equal(204);
  });

  for (const [what, headers] of [
    ['without the header that no form can send', {}],
    ['of another site', { ...own, 'Sec-Fetch-Site': 'cross-site' }],
    ['of another origin of the same site', { ...own, 'Sec-Fetch-Site': 'same-site' }],
  ] as const) {
    it(`gives nothing to a request ${what}`, async () => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await ask(method, {
          ...headers,
          Cookie: `verdict-console=${token}`,
          Authorization: `Bearer ${token}`,
        });
        expect(answer.status, method).to.equal(404);
        expect(answer.headers.get('set-cookie'), method).to.equal(null);
        expect(await answer.text(), method).to.not.include(token);
      }
    });
  }

  it('lets no other origin ask: a preflight is not answered with leave', async () => {
    const answer = await fetch(`${app.baseUrl}/console/session`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' },
    });
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
    expect(answer.headers.get('access-control-allow-headers')).to.equal(null);
  });

  it('keeps nothing that is no token', async () => {
    for (const carried of ['', 'Basic YTpi', 'Bearer a;b', `Bearer ${'a'.repeat(4000)}`]) {
      const answer = await ask('POST', { ...own, Authorization: carried });
      expect(answer.status, carried.slice(0, 20)).to.equal(401);
      expect(answer.headers.get('set-cookie')).to.equal(null);
    }
  });

  it('no operation of the API takes the cookie for a token', async () => {
    const answer = await fetch(`${app.baseUrl}/logic/workspaces`, { headers: { Cookie: `verdict-console=${token}` } });
    expect(answer.status).to.equal(401);
  });
});
