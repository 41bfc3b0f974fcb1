import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ProblemCode } from '../../../src/errors.js';
import { head, listPath, posting, type RawCase, type Site } from './site.js';

const small = '{"name":"x"}';
/** A good POST but for how its body is framed. */
const framed = (site: Site, framing: string, body: string): string =>
  head(site, `POST ${listPath} HTTP/1.1`, framing) + body;
const chunked = (site: Site, body: string, more = ''): string =>
  framed(site, `Transfer-Encoding: chunked\r\n${more}`, body);
/** What a smuggled request would look like; it must never be answered. */
const smuggled = 'GET /problems/forbidden HTTP/1.1\r\nHost: x\r\n\r\n';

const refused = (name: string, send: RawCase['send']): RawCase => ({ name, send, answers: [400], closes: true });

const lengths: readonly RawCase[] = [
  ['+12', '-1', '0x0c', '12x', '1 2', '1e1', '', '12,12', '12, 13', '99999999999999999999999', '\u00b2'].map((length) =>
    refused(`Content-Length of ${JSON.stringify(length)}`, (site) => [
      framed(site, `Content-Length: ${length}\r\n`, small + smuggled),
    ]),
  ),
  refused('two Content-Lengths that differ', (site) => [
    framed(site, 'Content-Length: 12\r\nContent-Length: 0\r\n', small + smuggled),
  ]),
  refused('two Content-Lengths that agree', (site) => [
    framed(site, 'Content-Length: 12\r\nContent-Length: 12\r\n', small + smuggled),
  ]),
  refused('Transfer-Encoding and Content-Length', (site) => [
    framed(site, 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${smuggled}`),
  ]),
  refused('Content-Length and Transfer-Encoding', (site) => [
    framed(site, 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`),
  ]),
].flat();

const encodings: readonly RawCase[] = [
  'gzip',
  'identity',
  'chunked, gzip',
  'chunked, identity',
  'xchunked',
  'chunked\u000b',
  'chun ked',
  '"chunked"',
].map((encoding) =>
  refused(`Transfer-Encoding of ${JSON.stringify(encoding)}`, (site) => [
    framed(site, `Transfer-Encoding: ${encoding}\r\n`, `c\r\n${small}\r\n0\r\n\r\n${smuggled}`),
  ]),
);

const chunks: readonly RawCase[] = [
  ...[
    ['no hex', 'zz\r\n'],
    ['negative', '-1\r\n'],
    ['with 0x', '0xc\r\n'],
    ['beyond 64 bits', 'ffffffffffffffffff\r\n'],
    ['followed by a bare LF', `c\n${small}\r\n0\r\n\r\n`],
    ['shorter than its data', `5\r\n${small}\r\n0\r\n\r\n`],
    ['without CRLF after its data', `c\r\n${small}0\r\n\r\n`],
    ['with a bare CR', `c\r${small}\r\n0\r\n\r\n`],
  ].map(([what = '', body = '']) => refused(`a chunk's size ${what}`, (site) => [chunked(site, body + smuggled)])),
  {
    name: 'chunks with extensions and trailers',
    send: (site) => [chunked(site, `5;a=b\r\n{"nam\r\n7\r\ne":"x"}\r\n0\r\nAuthorization: none\r\n\r\n`)],
    answers: [201],
    closes: false,
  },
  {
    name: "a chunk's extension of 20 KB",
    send: (site) => [chunked(site, `c;${'x'.repeat(20_000)}\r\n${small}\r\n0\r\n\r\n`)],
    answers: [400],
    closes: true,
  },
  {
    name: 'trailers of 100 KB',
    send: (site) => [chunked(site, `c\r\n${small}\r\n0\r\n${`x: ${'x'.repeat(1000)}\r\n`.repeat(100)}\r\n`)],
    answers: [431],
    closes: true,
  },
  {
    name: '500 chunks of one byte',
    send: (site) => [chunked(site, `${'1\r\n \r\n'.repeat(500)}c\r\n${small}\r\n0\r\n\r\n`)],
    answers: [201],
    closes: false,
  },
  {
    name: '3,000 chunks of one byte are too many',
    send: (site) => [chunked(site, `${'1\r\n \r\n'.repeat(2988)}c\r\n${small}\r\n0\r\n\r\n`)],
    answers: ['body_too_large'],
    closes: true,
  },
  {
    name: 'Transfer-Encoding in other letters',
    send: (site) => [framed(site, 'TRANSFER-encoding: CHUNKED\r\n', `C\r\n${small}\r\n0\r\n\r\n`)],
    answers: [201],
    closes: false,
  },
];

const pipelines: readonly RawCase[] = [
  {
    name: 'three good requests at once',
    send: (site) => [posting(site, small), head(site, `GET ${listPath}?size=1 HTTP/1.1`), posting(site, small)],
    answers: [201, 200, 201],
    closes: false,
  },
  {
    name: '200 requests at once',
    send: () => ['GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200)],
    port: 'both',
    answers: Array<'route_not_found'>(200).fill('route_not_found'),
    closes: false,
  },
  {
    name: 'a request after one that is refused with its body unread',
    send: () => [
      `POST ${listPath} HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
    ],
    answers: ['unauthorized', 'route_not_found'],
    closes: false,
  },
  {
    name: 'a body on a GET is no request of its own',
    send: (site) => [
      head(site, `GET ${listPath}?size=1 HTTP/1.1`, `Content-Length: ${smuggled.length}\r\n`) + smuggled,
    ],
    answers: [200],
    closes: false,
  },
  {
    name: 'the answer to a good request is not replaced by the refusal of the junk behind it',
    send: (site) => [framed(site, 'Content-Length: 12\r\n', `${small}{"name":"y"}\r\n\r\n`)],
    answers: [201, 400],
    closes: true,
  },
  {
    name: 'the answer to a good request with Connection: close is sent, whatever follows it',
    send: (site) => [head(site, `GET ${listPath}?size=1 HTTP/1.1`, 'Connection: close\r\n') + smuggled],
    answers: [200],
    closes: true,
  },
];

/** A refused body of which more is to come, and a good request behind it on the same connection, which is ended. */
const midway = (name: string, framing: string, body: readonly Buffer[], answer: ProblemCode): RawCase => ({
  name: `${name}: the answer can be read while the client sends on, and ends the connection`,
  send: (site) => [
    head(site, `POST ${listPath} HTTP/1.1`, framing),
    ...body,
    head(site, `GET ${listPath}?size=1 HTTP/1.1`),
  ],
  methods: ['POST', 'GET'],
  answers: [answer],
  closes: true,
});
const sized = (body: Buffer): string => `Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n`;
const spaces = Buffer.alloc(1_300_000, ' ');
const some = spaces.subarray(0, 1_000_000);
const incompressible = gzipSync(randomBytes(3 * 1024 * 1024));
const refusedMidway: readonly RawCase[] = [
  midway(
    'chunks beyond the limit',
    'Transfer-Encoding: chunked\r\n',
    [Buffer.from(`${spaces.length.toString(16)}\r\n`), spaces, Buffer.from('\r\n0\r\n\r\n')],
    'body_too_large',
  ),
  midway('gzip beyond the limit', sized(incompressible), [incompressible], 'body_too_large'),
  midway('gzip that is none', sized(some), [some], 'malformed_json'),
  midway('gzip that is none beyond the limit', sized(spaces), [spaces], 'body_too_large'),
];

export const framingCases: readonly RawCase[] = [...lengths, ...encodings, ...chunks, ...pipelines, ...refusedMidway];
