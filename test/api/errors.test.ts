import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { call } from '../support/http.js';
import { useScene } from '../support/scene.js';

const path = '/logic/environments';

describe('errors of every route', () => {
  const app = useApp();
  const scene = useScene(app);

  const authorized = (more: Record<string, string> = {}): Record<string, string> => ({
    Authorization: `Bearer ${scene.token}`,
    'X-Workspace-Id': scene.workspaceId,
    'Content-Type': 'application/json',
    ...more,
  });
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}): ReturnType<typeof call> =>
    call(`${app.baseUrl}${path}`, { method: 'POST', headers: authorized(headers), body });

  it('an unknown path is 404 without credentials too', async () => {
    for (const unknown of [
      '/logic',
      '/logic/environment',
      '/logic/environments/',
      '/LOGIC/environments',
      '/favicon.ico',
    ]) {
      expectProblem(await call(`${app.baseUrl}${unknown}`), 'route_not_found', { instance: unknown });
    }
  });

  it('an own X-Request-Id is kept when it is a UUID, else replaced', async () => {
    const id = randomUUID();
    const kept = await call(`${app.baseUrl}/nowhere`, { headers: { 'X-Request-Id': id } });
    expect(kept.headers['x-request-id']).to.equal(id);
    expect(kept.body).to.include({ requestId: id });
    const replaced = await call(`${app.baseUrl}/nowhere`, { headers: { 'X-Request-Id': 'mine' } });
    expect(replaced.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(app.log()).to.include(id);
  });

  it('violations of body, query and path are listed together', async () => {
    const answer = await scene.caller.patch(`${path}/7?size=2`, { name: '', tint: 1 });
    expectProblem(answer, 'validation_failed', {
      instance: `${path}/7`,
      errors: [
        { in: 'body', pointer: '/tint', message: 'is not a known field' },
        { in: 'body', pointer: '/name', message: 'must have 1 to 255 characters besides surrounding white space' },
        { in: 'query', pointer: 'size', message: 'is not a known field' },
        { in: 'path', pointer: 'id', message: 'must be a UUID' },
      ],
    });
    expect(answer.body).to.include({ detail: 'The body and the query and the path break their schemas.' });
  });

  // What is no JSON, and what no text or number may hold, are tests of `unit/json/check`.
  const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1);
  for (const [what, body] of [
    ['a raw control character', '{"name":"a\u0001b"}'],
    ['an overlong encoding', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
    ['65 levels', nested(65)],
  ] as const) {
    it(`a body with ${what} is malformed_json`, async () => {
      expectProblem(await post(body), 'malformed_json', { instance: path });
    });
  }

  it('64 levels are still read', async () => {
    expectProblem(await post(nested(64)), 'validation_failed', {
      instance: path,
      errors: [
        { in: 'body', pointer: '/name', message: 'is required' },
        { in: 'body', pointer: '/a', message: 'is not a known field' },
      ],
    });
  });

  for (const [what, body, pointer, message] of [
    ['a lone high surrogate', '{"name":"\\ud800"}', '/name', 'must not contain a lone surrogate'],
    ['an escaped __proto__', '{"name":"x","\\u005f_proto__":1}', '/__proto__', 'is not allowed as a name'],
    ['a number beyond doubles', '{"name":1e999}', '/name', 'is beyond the range of a number'],
  ] as const) {
    it(`${what} is refused with its place`, async () => {
      expectProblem(await post(body), 'validation_failed', {
        instance: path,
        errors: [{ in: 'body', pointer, message }],
      });
    });
  }
});
