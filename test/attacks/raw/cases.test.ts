import { expect } from 'chai';
import { doubling } from '../../support/models.js';
import { connect } from '../../support/raw.js';
import { adminCases } from './admin.js';
import { bodyCases } from './bodies.js';
import { framingCases } from './framing.js';
import { headerCases } from './headers.js';
import { attackEach, head, listPath, useSite } from './site.js';
import { targetCases } from './targets.js';

describe('attacks by raw HTTP', () => {
  const site = useSite({ ADMIN_NAMES: 'metrics.example.org' });

  describe('on targets, methods and versions', () => attackEach(site, targetCases));
  describe('on headers', () => attackEach(site, headerCases));
  describe('on the framing of requests', () => attackEach(site, framingCases));
  describe('on bodies', () => attackEach(site, bodyCases));
  describe('on the admin port from a page in a browser', () => attackEach(site, adminCases));

  it('a fact with odd names, numbers and twice the same key is run and recorded as it was read', async () => {
    const { scene } = site;
    const { path } = await scene.deployed('odd.json', doubling(2));
    const bodies: readonly [string, number][] = [
      ['{"fact":{"x":1,"x":4}}', 8],
      ['{"fact":{"x":1},"fact":{"x":3}}', 6],
      ['{"fact":5,"fact":{"x":2}}', 4],
      ['{"f\\u0061ct":{"x":1},"fact":{"x":5}}', 10],
      ['{"fact":{"x":1e2,"constructor":1,"prototype":{},"toString":null,"":0}}', 200],
      [`{"fact":{"x":1,"deep":${'['.repeat(62)}${']'.repeat(62)}}}`, 2],
      ['{"fact":{"x":3,"long":12345678901234567890}}', 6],
    ];
    for (const [body, y] of bodies) {
      const answer = await scene.caller.post(path, body, { 'Content-Type': 'application/json' });
      expect(answer.status, answer.text).to.equal(201);
      expect((answer.body as { result: unknown }).result, body).to.deep.equal({ y });
    }
  });

  it('a body that never comes whole is no request', async () => {
    const before = await site.scene.caller.get(listPath);
    const socket = await connect(site.apiPort);
    socket.end(head(site, `POST ${listPath} HTTP/1.1`, 'Content-Length: 13\r\n') + '{"name":"x"}');
    await new Promise((resolve) => socket.resume().once('close', resolve));
    const after = await site.scene.caller.get(listPath);
    expect((after.body as { page: { total: number } }).page.total).to.equal(
      (before.body as { page: { total: number } }).page.total,
    );
  });
});
