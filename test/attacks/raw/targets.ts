import { expect } from 'chai';
import { head, listPath, type RawCase, type Wanted } from './site.js';

const one = `${listPath}/01900000-0000-7000-8000-000000000000`;
const get = (target: string, more = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const closed = (name: string, text: string, answers: readonly Wanted[] = [400]): RawCase => ({
  name,
  port: 'both',
  send: () => [text],
  answers,
  closes: true,
});

const paths: readonly RawCase[] = [
  ...['a\u00e9b', 'a\u0000b', 'a\rb', 'a\u0001b', 'a b', 'a\u007fb'].map((name) =>
    closed(`a raw ${JSON.stringify(name)} in the path`, get(`/${name}`)),
  ),
  ...['/%', '/%zz', '/%ff%fe', '/%00', '/%0d%0aSet-Cookie:%20x', '/..%2f..%2fetc%2fpasswd', '/"<script>'].map(
    (target): RawCase => ({
      name: `the path ${target}`,
      port: 'both',
      send: () => [get(target)],
      answers: ['route_not_found'],
      closes: false,
      check: ({ answers }) => {
        expect(answers[0]?.headers).to.not.have.property('set-cookie');
        expect(answers[0]?.headers['content-type']).to.equal('application/problem+json');
      },
    }),
  ),
  ...['%', '%zz', '%00', '%0d%0a', '%ff', '..', '%2e%2e', '__proto__', 'x'.repeat(5000)].map((id): RawCase => ({
    name: `the id ${id.slice(0, 20)}`,
    send: (site) => [head(site, `GET ${listPath}/${id} HTTP/1.1`)],
    answers: ['validation_failed'],
    closes: false,
  })),
  ...['/logic//environments', '//logic/environments', '/./logic/environments', '/logic/environments;x=1'].map(
    (target): RawCase => ({
      name: `the path ${target}, which is another`,
      send: (site) => [head(site, `GET ${target} HTTP/1.1`)],
      answers: ['route_not_found'],
      closes: false,
    }),
  ),
  closed('a path of 100 KB', get(`/${'x'.repeat(100_000)}`), [431]),
  {
    name: 'a path of 15 KB',
    port: 'both',
    send: () => [get(`/${'x'.repeat(15_000)}`)],
    answers: ['route_not_found'],
    closes: false,
  },
];

/** What a parser may take for more or fewer words, or for another character, than the next one does. */
const oddLines: readonly RawCase[] = [
  'GET /a b HTTP/1.1',
  'GET\t/tab HTTP/1.1',
  'GET /tab\tHTTP/1.1',
  ' GET /before HTTP/1.1',
  'GET /after HTTP/1.1 ',
  'GET  HTTP/1.1',
  'GET /?q=a b HTTP/1.1',
  'GET /latin\u00e9 HTTP/1.1',
  'GET /utf\u00c3\u00a9 HTTP/1.1',
  'GET /?q=\u00c3\u00a9 HTTP/1.1',
  'GET /nbsp\u00a0b HTTP/1.1',
  'GET \u00ef\u00bb\u00bf/bom HTTP/1.1',
  'GET http://h\u00c3\u00b6st/nowhere HTTP/1.1',
  'G\u00c9T / HTTP/1.1',
  'GET / HTTP/1.\u00b9',
  'GET / HTT\u00d0/1.1',
].map((line) => ({
  name: `after a good request on the same connection, the line ${JSON.stringify(line)} is refused, and it is no 500`,
  port: 'both',
  send: () => [get('/nowhere'), `${line}\r\nHost: x\r\n\r\n`, get('/nowhere')],
  answers: ['route_not_found', 400],
  closes: true,
}));

// RFC 9112, section 3, lets a server read words apart at any white space.
const doubleSpaces: readonly RawCase[] = ['GET  /double HTTP/1.1', 'GET /double  HTTP/1.1'].map((line) => ({
  name: `after a good request on the same connection, the line ${JSON.stringify(line)} is read as if its spaces were one`,
  port: 'both',
  send: () => [get('/nowhere'), `${line}\r\nHost: x\r\n\r\n`, get('/nowhere')],
  answers: ['route_not_found', 'route_not_found', 'route_not_found'],
  closes: false,
  check: ({ answers }) => expect(answers[1]?.body).to.contain('"instance":"/double"'),
}));

const queries: readonly RawCase[] = [
  'size=1&size=2',
  'size[]=1',
  'size=1&__proto__=x',
  'constructor=1',
  '%zz=%zz',
  'size=%00',
  'after=%ff',
  'after=AAAA',
  'size=1;after=x',
  `size=${'9'.repeat(400)}`,
  'size=1e3',
  'size=-0',
  'x&'.repeat(2000),
].map((query) => ({
  name: `the query ${query.slice(0, 24)}`,
  send: (site) => [head(site, `GET ${listPath}?${query} HTTP/1.1`)],
  answers: ['validation_failed'],
  closes: false,
}));

const forms: readonly RawCase[] = [
  {
    name: 'an absolute target (RFC 9112, section 3.2.2)',
    send: (site) => [head(site, `GET http://anywhere.example${listPath}?size=1 HTTP/1.1`)],
    answers: [200],
  },
  {
    name: 'an absolute target of nothing',
    port: 'both',
    send: () => [get('http://anywhere.example/nowhere')],
    answers: ['route_not_found'],
  },
  ...['http:', 'http://', 'http://[::', 'http://x:99999/', 'http://a%00b/', '?', '#'].map((target) =>
    closed(`a target that cannot be parsed is 400 with a request id, and no bare 500: ${target}`, get(target)),
  ),
  ...['file:///etc/passwd', '/#', '/?#', '//[::#'].flatMap((target) =>
    (['api', 'admin'] as const).map((port): RawCase => ({
      name: `the target ${target}`,
      port,
      send: () => [get(target)],
      // The API's root has links.
      answers: [port === 'api' && /^\/\??#$/.test(target) ? 200 : 'route_not_found'],
      closes: false,
    })),
  ),
  closed('CONNECT', 'CONNECT host:80 HTTP/1.1\r\nHost: host:80\r\n\r\n', []),
  {
    name: 'OPTIONS *',
    port: 'both',
    send: () => ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
    answers: ['route_not_found'],
  },
];

const methods: readonly RawCase[] = [
  ...['OPTIONS', 'TRACE', 'PUT', 'PROPFIND', 'PURGE', 'M-SEARCH'].map((method): RawCase => ({
    name: `${method} on a known path`,
    send: (site) => [head(site, `${method} ${listPath} HTTP/1.1`)],
    answers: ['method_not_allowed'],
    closes: false,
    check: ({ answers }, site) => {
      expect(answers[0]?.headers['allow']).to.equal('GET, HEAD, POST');
      expect(answers[0]?.body, 'TRACE must not echo').to.not.include(site.scene.token);
    },
  })),
  ...['PUT', 'POST', 'DELETE', 'OPTIONS', 'TRACE'].map((method): RawCase => ({
    name: `${method} /pool`,
    port: 'admin',
    send: () => [`${method} /pool HTTP/1.1\r\nHost: x\r\n\r\n`],
    answers: ['method_not_allowed'],
    check: ({ answers }) => expect(answers[0]?.headers['allow']).to.equal('GET, HEAD, PATCH'),
  })),
  ...['FOO', 'get', 'G\u0000T', ''].map((method) =>
    closed(`the method ${JSON.stringify(method)}`, `${method} / HTTP/1.1\r\nHost: x\r\n\r\n`),
  ),
  {
    name: 'HEAD of a list, which has its headers and no body',
    send: (site) => [head(site, `HEAD ${listPath} HTTP/1.1`), head(site, `GET ${listPath} HTTP/1.1`)],
    methods: ['HEAD', 'GET'],
    answers: [200, 200],
    check: ({ answers }) => {
      for (const name of ['content-type', 'content-length'])
        expect(answers[0]?.headers[name]).to.equal(answers[1]?.headers[name]);
    },
  },
  {
    name: 'HEAD of a refusal, in which nothing follows the headers',
    send: (site) => [head(site, `HEAD ${one} HTTP/1.1`), get('/nowhere')],
    methods: ['HEAD', 'GET'],
    answers: [404, 'route_not_found'],
  },
  {
    name: 'X-HTTP-Method-Override, which changes nothing',
    send: (site) => [head(site, `GET ${listPath}?size=1 HTTP/1.1`, 'X-HTTP-Method-Override: DELETE\r\n')],
    answers: [200],
  },
];

const versions: readonly RawCase[] = [
  {
    name: 'HTTP/1.0, closed after its answer',
    port: 'both',
    send: () => ['GET /nowhere HTTP/1.0\r\n\r\n'],
    answers: ['route_not_found'],
    closes: true,
  },
  {
    name: 'HTTP/1.0 with keep-alive',
    send: () => ['GET /nowhere HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    answers: ['route_not_found'],
    closes: false,
  },
  closed('HTTP/1.1 without Host', 'GET / HTTP/1.1\r\n\r\n'),
  closed('HTTP/0.9', 'GET /\r\n\r\n'),
  closed('HTTP/1.2', 'GET / HTTP/1.2\r\nHost: x\r\n\r\n'),
  closed('HTTP/9.9', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'),
  closed('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  closed('a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + '\x00'.repeat(60)),
  closed('bytes of nothing', '\xff\xfe\xfd\xfc\r\n\r\n'),
  // Some of them are still being sent when they are refused, and are to get to the answer all the same.
  ...Array.from({ length: 6 }, (_, at) => closed(`a megabyte of nothing, ${at + 1} of 6`, 'x'.repeat(1_000_000))),
];

export const targetCases: readonly RawCase[] = [
  ...paths,
  ...oddLines,
  ...doubleSpaces,
  ...queries,
  ...forms,
  ...methods,
  ...versions,
];
