import { expect } from 'chai';
import { problems, type ProblemCode } from '../../src/errors.js';
import { readExplanation } from '../../src/api/problems/explanation.js';
import { useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { call, type Answer } from '../support/http.js';

/** As browsers send it. */
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const codes = Object.keys(problems) as ProblemCode[];

/** The codes of contract.md, section 1. */
const contract = `malformed_json validation_failed workspace_header_invalid unauthorized forbidden insufficient_scope
  route_not_found environment_not_found deployment_not_found decision_not_found version_not_found routing_not_found
  inquiry_not_found method_not_allowed execution_history_exists evidence_pending record_erased record_altered idempotency_in_progress idempotency_key_reused
  precondition_failed body_too_large unsupported_media_type reference_not_found too_many_requests engine_failure
  internal_error overloaded dependency_unavailable engine_timeout key_taken decision_in_use
  model_has_faults execution_not_found replay_not_found shadow_not_found monitor_not_found model_too_large workspace_full
  prerequisite_not_found client_not_found workspace_not_found policy_not_found exceeds_own_rights last_client_writer
  rate_limited approval_required not_protected change_request_ended protection_not_found change_request_not_found
  callback_not_found node_not_found selection_unknown evidence_behind erasure_not_found`.split(/\s+/);

describe('GET /problems', () => {
  const app = useApp();

  const get = (path: string, accept?: string): Promise<Answer> =>
    call(`${app.baseUrl}${path}`, accept === undefined ? {} : { headers: { Accept: accept } });

  it('has a page for every code of the contract', async () => {
    // The contract leaves open what a request is answered that is not HTTP.
    expect(codes).to.have.members([...contract, 'malformed_request']);
    for (const code of contract) expect((await get(`/problems/${code}`)).status, code).to.equal(200);
  });

  it('gives HTML to browsers and text to all others', async () => {
    for (const path of ['/problems', '/problems/overloaded']) {
      for (const accept of [browser, 'text/html', 'text/html;q=0.9, text/plain;q=0.1']) {
        const answer = await get(path, accept);
        expect(answer.headers['content-type'], accept).to.equal('text/html; charset=utf-8');
        expect(answer.headers['vary']).to.equal('Accept');
        expect(answer.text).to.match(/^<!doctype html>/);
      }
      for (const accept of [undefined, '*/*', 'text/plain', 'application/json', 'text/html;q=0, */*']) {
        const answer = await get(path, accept);
        expect(answer.headers['content-type'], accept).to.equal('text/plain; charset=utf-8');
        expect(answer.text).to.not.include('<p>');
      }
    }
  });

  for (const code of codes) {
    it(`says of ${code} when it happens and what to do, with an example`, async () => {
      const { status, title } = problems[code];
      for (const accept of [browser, '*/*']) {
        const { text } = await get(`/problems/${code}`, accept);
        for (const part of [code, title, String(status), 'When it happens', 'What to do', `HTTP/1.1 ${status} `]) {
          expect(text).to.include(part);
        }
        const example: unknown = JSON.parse(/HTTP\/1\.1[^{]*(\{\n[^]*?\n {0,2}\})/.exec(text)?.[1] ?? '');
        expect(example).to.deep.include({ type: `/problems/${code}`, title, status, code });
        expect(example).to.include.all.keys('detail', 'instance', 'requestId');
      }
    });
  }

  it('lists every code, and links its pages with one another', async () => {
    const index = await get('/problems', browser);
    const listed = [...index.text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    expect(listed).to.deep.equal(codes.map((code) => `problems/${code}`));
    for (const code of codes) {
      const { text } = await get(`/problems/${code}`, browser);
      const links = [...text.matchAll(/href="([^"]+)"/g)].map(
        ([, path = '']) => new URL(path, `${app.baseUrl}/problems/${code}`).pathname,
      );
      expect(links).to.deep.equal(['/problems', ...readExplanation(code).related.map((other) => `/problems/${other}`)]);
      expect(links, 'no link to itself').to.not.include(`/problems/${code}`);
    }
    expect((await get('/problems')).text.split('\n')).to.have.length.of.at.least(codes.length);
  });

  it('runs no script and asks nobody for anything', async () => {
    const { text, headers } = await get('/problems/forbidden', browser);
    expect(headers['content-security-policy']).to.match(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
    expect(text).to.not.match(/<script|src=|@import|url\(|https?:/);
  });

  it('knows no other code, and no other method', async () => {
    const path = '/problems/nothing';
    for (const accept of [browser, '*/*'])
      expectProblem(await get(path, accept), 'route_not_found', { instance: path });
    expectProblem(await call(`${app.baseUrl}/problems/forbidden`, { method: 'POST' }), 'method_not_allowed', {
      instance: '/problems/forbidden',
      headers: { Allow: 'GET, HEAD' },
    });
  });
});
