import { expect } from 'chai';
import type { RawCase } from './site.js';

// A web page of a stranger can give its own name the address of this port (DNS rebinding), and then ask it as its own.

const request = (line: string, host: string, more = '', body = ''): string =>
  `${line} HTTP/1.1\r\n${host}${more}${body === '' ? '' : `Content-Length: ${body.length}\r\n`}\r\n${body}`;

const named = (host: string, line = 'GET /healthz', answers: RawCase['answers'] = ['forbidden']): RawCase => ({
  name: `${line} of the host ${JSON.stringify(host)} is ${answers[0] === 200 ? 'answered' : 'refused'}`,
  port: 'admin',
  send: () => [request(line, `Host: ${host}\r\n`)],
  answers,
  closes: false,
});

const strangers: readonly RawCase[] = [
  ...['/healthz', '/readyz', '/metrics', '/pool', '/nowhere'].map((path) => named('rebound.example', `GET ${path}`)),
  ...[
    'rebound.example:3001',
    'REBOUND.EXAMPLE',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    'rebound.example.',
    '127.0.0.1@rebound.example',
    'rebound.example#127.0.0.1',
    '[::1].rebound.example',
    'xlocal.rebound.example',
    'metrics.example.org.rebound.example',
    '.',
  ].map((host) => named(host)),
  {
    name: 'PATCH /pool of a host that is not ours changes nothing',
    port: 'admin',
    send: () => [
      request('PATCH /pool', 'Host: rebound.example\r\n', 'Content-Type: application/json\r\n', '{"maxQueue":7}'),
      request('GET /pool', 'Host: 127.0.0.1\r\n'),
    ],
    methods: ['PATCH', 'GET'],
    answers: ['forbidden', 200],
    check: ({ answers }) => expect(answers[1]?.body).to.contain('"maxQueue":1000,'),
  },
];

const ours: readonly RawCase[] = [
  ...['127.0.0.1', '127.0.0.1:3001', '10.1.2.3:3001', '[::1]:3001', '[fd00::1]', 'localhost:3001', 'LocalHost'].map(
    (host) => named(host, 'GET /healthz', [200]),
  ),
  // Names that nobody can register: of one label, as services of compose and Kubernetes have, or below a private end.
  ...['verdict:3001', 'verdict.prod.svc.cluster.local:3001', 'verdict.internal', 'v.localhost'].map((host) =>
    named(host, 'GET /healthz', [200]),
  ),
  named('metrics.example.org:3001', 'GET /metrics', [200]),
  named('Metrics.Example.org', 'GET /metrics', [200]),
  {
    name: 'a probe of HTTP/1.0 that names no host is answered',
    port: 'admin',
    send: () => ['GET /healthz HTTP/1.0\r\n\r\n'],
    answers: [200],
  },
];

/** What a form of any page can send without asking first. */
const forms: readonly RawCase[] = [
  '',
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'].map(
    (type) => `Content-Type: ${type}\r\n`,
  ),
].map((type) => ({
  name: `PATCH /pool ${type === '' ? 'without a content type' : `as ${type.slice(14, -2)}`} changes nothing`,
  port: 'admin',
  send: () => [
    request('PATCH /pool', 'Host: 127.0.0.1\r\n', type, '{"maxQueue":7}'),
    request('GET /pool', 'Host: 127.0.0.1\r\n'),
  ],
  methods: ['PATCH', 'GET'],
  answers: ['unsupported_media_type', 200],
  check: ({ answers }) => {
    expect(answers[1]?.body).to.contain('"maxQueue":1000,');
    for (const { headers } of answers) expect(headers).to.not.have.property('access-control-allow-origin');
  },
}));

export const adminCases: readonly RawCase[] = [...strangers, ...ours, ...forms];
