import { expect } from 'chai';
import { head, listPath, posting, type RawCase, type Wanted } from './site.js';

const small = '{"name":"x"}';
const refused = (name: string, lines: string, answers: readonly Wanted[] = [400]): RawCase => ({
  name,
  port: 'both',
  send: () => [`GET /nowhere HTTP/1.1\r\nHost: x\r\n${lines}\r\n`],
  answers,
  closes: true,
});
/** A good list but for header lines before or after the good ones. */
const listing = (name: string, lines: string, answers: readonly Wanted[], more: Partial<RawCase> = {}): RawCase => ({
  name,
  send: (site) => [head(site, `GET ${listPath}?size=1 HTTP/1.1`, lines)],
  answers,
  closes: false,
  ...more,
});

const sizes: readonly RawCase[] = [
  refused('one header of 17 KB', `x: ${'x'.repeat(17_000)}\r\n`, [431]),
  refused('a name of 17 KB', `${'x'.repeat(17_000)}: x\r\n`, [431]),
  refused('a megabyte of headers', `x: ${'x'.repeat(1000)}\r\n`.repeat(1000), [431]),
  refused('101 headers, none of which is left out in silence', 'x: x\r\n'.repeat(100), [431]),
  refused('2,000 headers', 'x: x\r\n'.repeat(2000), [431]),
  { ...refused('100 headers', 'x: x\r\n'.repeat(99), ['route_not_found']), closes: false },
];

const spellings: readonly RawCase[] = [
  refused('a space before the colon', 'X-A : b\r\n'),
  refused('a name with a space', 'X A: b\r\n'),
  refused('a line without colon', 'nonsense\r\n'),
  refused('an empty name', ': b\r\n'),
  refused('a folded line', 'X-A: b\r\n c\r\n'),
  refused('a NUL in a value', 'X-A: b\u0000c\r\n'),
  refused('a bare CR in a value', 'X-A: b\rX-B: c\r\n'),
  refused('a bare LF for CRLF', 'X-A: b\nX-B: c\r\n'),
  {
    ...refused('bytes of UTF-8 and none in a value', 'X-A: \u00c3\u00a9\u00ff\r\n', ['route_not_found']),
    closes: false,
  },
];

const meanings: readonly RawCase[] = [
  listing('two workspaces', `X-Workspace-Id: 01900000-0000-7000-8000-000000000000\r\n`, ['workspace_header_invalid']),
  listing('two Authorizations', 'Authorization: Bearer x\r\n', ['unauthorized']),
  ...['', '{id}', 'urn:uuid:id', 'id,id', 'id\u00a0', 'id\u00e9', '%69d', '0'].map((text): RawCase => ({
    name: `the workspace ${JSON.stringify(text)}`,
    send: ({ scene }) => [
      `GET ${listPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.token}\r\n` +
        `X-Workspace-Id: ${text.replaceAll('id', scene.workspaceId)}\r\n\r\n`,
    ],
    answers: ['workspace_header_invalid'],
    closes: false,
  })),
  listing('two Hosts are 400: the first was taken', 'Host: y\r\n', [400], { closes: true }),
  ...['x\u00ff', '1\r\nX-Request-Id: 2', '"', '00000000-0000-0000-0000-00000000000g'].map((id) =>
    listing(`the request id ${JSON.stringify(id)}, which is replaced`, `X-Request-Id: ${id}\r\n`, [200], {
      check: ({ answers }) => expect(answers[0]?.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/),
    }),
  ),
  listing('If-None-Match of 10 KB', `If-None-Match: ${'"x",'.repeat(2500)}\r\n`, [200]),
  listing('Range, which changes nothing', 'Range: bytes=0-1\r\n', [200]),
  listing('Accept of another kind, which changes nothing', 'Accept: text/html;q=0.1, image/*\r\n', [200]),
  listing('Forwarded headers, which are not believed', 'X-Forwarded-For: 1.2.3.4\r\nForwarded: for=x\r\n', [200]),
];

const expectations: readonly RawCase[] = [
  {
    name: 'Expect: 100-continue',
    send: (site) => [
      head(site, `POST ${listPath} HTTP/1.1`, `Content-Length: ${small.length}\r\nExpect: 100-continue\r\n`),
      50,
      small,
    ],
    answers: [100, 201],
    closes: false,
  },
  {
    name: 'Expect: 100-continue with credentials that are refused',
    send: () => [
      `POST ${listPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\nExpect: 100-continue\r\n\r\n`,
      50,
      small,
    ],
    answers: [100, 'unauthorized'],
    closes: false,
  },
  {
    name: 'an unknown Expect',
    send: (site) => [posting(site, small, 'Expect: the-moon\r\n')],
    answers: [417],
    closes: true,
  },
  listing('Upgrade to a WebSocket, which is left', 'Connection: Upgrade\r\nUpgrade: websocket\r\n', [200]),
  listing(
    'Upgrade to HTTP/2, which is left',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
    [200],
  ),
  {
    name: 'Upgrade with a body',
    send: (site) => [posting(site, small, 'Connection: Upgrade\r\nUpgrade: websocket\r\n')],
    answers: [201],
    closes: false,
  },
  {
    name: 'Connection naming the credentials',
    send: (site) => [head(site, `GET ${listPath}?size=1 HTTP/1.1`, 'Connection: Authorization, X-Workspace-Id\r\n')],
    answers: [200],
  },
];

export const headerCases: readonly RawCase[] = [...sizes, ...spellings, ...meanings, ...expectations];
