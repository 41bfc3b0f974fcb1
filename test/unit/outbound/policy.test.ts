import { expect } from 'chai';
import { OutboundRefused, checkTarget } from '../../../workers/outbound/policy.js';
import { cleanHeaders } from '../../../workers/outbound/headers.js';

const policy = {
  allow: [
    ...['api.example.com', 'ports.example.com:8443', '*.wild.example.com', '127.0.0.1', '[::1]', '[::ffff:7f00:1]'],
    ...['0.0.0.0', '8.8.8.8', 'Upper.Example.com'],
  ],
  allowPrivate: ['10.0.0.1:9000', 'gateway.internal:80', '[::1]:9001'],
};

describe('the outbound policy', () => {
  for (const url of [
    ...['https://api.example.com/x?y=1', 'http://API.example.com', 'https://api.example.com:443/'],
    ...['https://ports.example.com:8443/', 'https://a.wild.example.com/', 'https://a.b.wild.example.com/'],
    ...['https://upper.example.com/', 'http://8.8.8.8/', 'http://10.0.0.1:9000/', 'http://gateway.internal/'],
    'http://[::1]:9001/',
  ]) {
    it(`lets through ${url}`, () => {
      expect(checkTarget(url, policy).url.href).to.equal(new URL(url).href);
    });
  }

  for (const [url, why] of [
    ['https://other.example.com/', 'not on the list'],
    ['https://api.example.com.evil.test/', 'not on the list'],
    ['https://api.example.com:8080/', 'not on the list'],
    ['https://ports.example.com/', 'not on the list'],
    ['https://wild.example.com/', 'not on the list'],
    ['https://evilwild.example.com/', 'not on the list'],
    ['https://api.example.com./', 'not on the list'],
    ['http://10.0.0.1:9001/', 'not on the list'],
    ['http://10.0.0.1/', 'not on the list'],
    ['https://gateway.internal/', 'not on the list'],
    ['https://user:secret@api.example.com/', 'credentials'],
    ['https://user@api.example.com/', 'credentials'],
    ['ftp://api.example.com/', 'only http: and https:'],
    ['file:///etc/passwd', 'only http: and https:'],
    ['javascript:1', 'only http: and https:'],
    ['data:text/plain,x', 'only http: and https:'],
    ['//api.example.com/', 'not a URL'],
    ['', 'not a URL'],
    // Named by an operator in `allow`, yet private: that takes `allowPrivate`.
    ['http://127.0.0.1/', 'not a public address'],
    ['http://2130706433/', 'not a public address'],
    ['http://0x7f.1/', 'not a public address'],
    ['http://0177.0.0.1/', 'not a public address'],
    ['http://127.1/', 'not a public address'],
    ['http://[::1]/', 'not a public address'],
    ['http://[::ffff:127.0.0.1]/', 'not a public address'],
    ['http://0/', 'not a public address'],
  ] as const) {
    it(`refuses ${url}`, () => {
      expect(() => checkTarget(url, policy)).to.throw(OutboundRefused, why);
    });
  }

  it('refuses everything by default', () => {
    expect(() => checkTarget('https://example.com/', { allow: [] })).to.throw(OutboundRefused);
  });
});

describe('outbound headers', () => {
  it('keep what is the caller’s, in lower case', () => {
    expect(cleanHeaders({ Authorization: 'Bearer x', 'X-Tag': 'a b' })).to.deep.equal({
      authorization: 'Bearer x',
      'x-tag': 'a b',
    });
  });

  it('lose what is the connection’s', () => {
    const names = [
      ...['Host', 'Connection', 'Content-Length', 'Transfer-Encoding', 'TE', 'Trailer', 'Upgrade', 'Expect'],
      ...['Keep-Alive', 'Proxy-Authorization', 'Proxy-Connection', 'Accept-Encoding'],
    ];
    expect(cleanHeaders(Object.fromEntries(names.map((name) => [name, 'x'])))).to.deep.equal({});
  });

  for (const [name, value] of [
    ['x-a', 'b\r\nhost: evil'],
    ['x-a', 'b\nc'],
    ['x-a', 'b\0'],
    ['x-a', '\u2028'],
    ['x-a\r\nx-b', 'c'],
    ['x a', 'b'],
    ['', 'b'],
    ['x:a', 'b'],
  ] as const) {
    it(`refuse ${JSON.stringify([name, value])}`, () => {
      expect(() => cleanHeaders({ [name]: value })).to.throw(OutboundRefused);
    });
  }

  it('are refused when there are too many or they are too long', () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`x-${i}`, '1']));
    expect(() => cleanHeaders(many)).to.throw(OutboundRefused);
    expect(() => cleanHeaders({ 'x-a': 'x'.repeat(20_000) })).to.throw(OutboundRefused);
  });
});
