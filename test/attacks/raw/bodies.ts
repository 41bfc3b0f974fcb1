import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { listPath, posting, type RawCase, type Wanted } from './site.js';

const creating = (
  name: string,
  body: string | Buffer,
  answers: readonly Wanted[],
  more: Partial<RawCase> & { readonly headers?: string } = {},
): RawCase => ({ name, send: (site) => [posting(site, body, more.headers)], answers, closes: false, ...more });

const valued = (text: string): string => `{"name":${text}}`;
/** What came back of a created environment. */
const named =
  (expected: string): NonNullable<RawCase['check']> =>
  ({ answers }) => {
    const { name } = JSON.parse(Buffer.from(answers[0]?.body ?? '', 'latin1').toString()) as { name: string };
    expect(name).to.equal(expected);
  };

const texts: readonly RawCase[] = [
  creating('a byte order mark', Buffer.from(`\ufeff${valued('"x"')}`), ['malformed_json']),
  creating('UTF-16', Buffer.from(`\ufeff${valued('"x"')}`, 'utf16le'), ['malformed_json']),
  creating('bad UTF-8 in a name', Buffer.from('{"n\xffme":"x"}', 'latin1'), ['malformed_json']),
  creating('UTF-8 beyond Unicode', Buffer.from('{"name":"\xf4\x90\x80\x80"}', 'latin1'), ['malformed_json']),
  creating('a cut character at the end', Buffer.from('{"name":"x\xc3', 'latin1'), ['malformed_json']),
  creating('astral characters', Buffer.from(valued('"🦊\u0301"')), [201], { check: named('🦊\u0301') }),
  creating('duplicate keys, of which the last counts', '{"name":"a","name":"b"}', [201], { check: named('b') }),
  creating('a duplicate key that is bad first', '{"name":5,"name":"b"}', [201], { check: named('b') }),
  creating('a duplicate key in other letters', '{"name":"a","n\\u0061me":"b"}', [201], { check: named('b') }),
  creating('__proto__ of a duplicate', '{"__proto__":1,"name":"x","__proto__":{}}', ['validation_failed']),
  creating('constructor', '{"name":"x","constructor":{"prototype":{"a":1}}}', ['validation_failed']),
  creating('a list', '[]', ['validation_failed']),
  creating('null', 'null', ['validation_failed']),
  creating('a number', '-0', ['validation_failed']),
  creating('a huge number', `{"name":${'9'.repeat(400)}}`, ['validation_failed']),
  creating('a number too small to be', '{"name":1e-999}', ['validation_failed']),
  creating('a comment', '{"name":"x"/**/}', ['malformed_json']),
  creating('single quotes', "{'name':'x'}", ['malformed_json']),
  creating('hexadecimal', '{"name":0x1}', ['malformed_json']),
  creating('a NUL after the end', `${valued('"x"')}\u0000`, ['malformed_json']),
  creating('a lone surrogate as a name', '{"\\udead":1,"name":"x"}', ['validation_failed']),
  creating('a pair of surrogates, escaped', valued('"\\ud83e\\udd8a"'), [201], { check: named('🦊') }),
  creating('a million brackets', '['.repeat(1_000_000), ['malformed_json']),
  creating('a million closing brackets', ']'.repeat(1_000_000), ['malformed_json']),
  creating('a million quotes', '"'.repeat(1_000_000), ['malformed_json']),
  creating('a million backslashes in a string', `{"name":"${'\\'.repeat(1_000_000)}"}`, ['validation_failed']),
  creating('an open string of backslashes', `{"name":"${'\\'.repeat(1_000_001)}`, ['malformed_json']),
  creating(
    'a hundred thousand unknown fields',
    `{${Array.from({ length: 90_000 }, (_, at) => `"${at}":0`).join()}}`,
    ['validation_failed'],
    { check: ({ answers }) => expect(answers[0]?.body.length).to.be.below(20_000) },
  ),
  creating('a name of 900 KB', valued(`"${'x'.repeat(900_000)}"`), ['validation_failed']),
  creating('one byte above the limit', valued(`"${'x'.repeat(1_048_576 - 10)}"`), ['body_too_large'], { closes: true }),
];

const short: RawCase['check'] = ({ answers }) => expect(answers[0]?.body.length).to.be.below(20_000);
/** Members of an object, so many; `at` makes their names differ. */
const members = (count: number, member: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => member(at)).join();

/** What is wrong with a body may be said in far more bytes than the body has. */
const talkative: readonly RawCase[] = [
  creating(
    '9,000 bad names below one of 900 KB, each with its pointer: the process ended for want of memory',
    `{"fact":{"${'k'.repeat(900_000)}":{${members(9000, (at) => `"\\ud800${at}":0`)}}}}`,
    ['validation_failed'],
    { check: short },
  ),
  creating(
    '65,000 bad texts below a name of 400 KB: the same, or an answer longer than the longest string',
    `{"fact":{"${'k'.repeat(400_000)}":[${members(65_000, () => '"\\u0000"')}]}}`,
    ['validation_failed'],
    { check: short },
  ),
  creating(
    'fifty unknown fields with names of 20 KB, which all came back',
    `{${members(50, (at) => `"${at}${'k'.repeat(20_000)}":0`)}}`,
    ['validation_failed'],
    { check: short },
  ),
];

const mebibyte = 1024 * 1024;
const bomb = Buffer.alloc(100 * mebibyte, ' ');
const coded = (coding: string, body: Buffer, answers: readonly Wanted[], name = ''): RawCase =>
  creating(`${coding}${name}`, body, answers, {
    headers: `Content-Encoding: ${coding}\r\n`,
    // What is left of a long body is not read.
    closes: body.length > 65_536,
  });

const compressed: readonly RawCase[] = [
  coded('gzip', gzipSync(bomb), ['body_too_large'], ' of 100 MB'),
  coded('deflate', deflateSync(bomb), ['body_too_large'], ' of 100 MB'),
  coded('br', brotliCompressSync(bomb), ['body_too_large'], ' of 100 MB'),
  coded('GZIP', gzipSync(valued('"x"')), [201], ' in capitals, which was 415'),
  coded('deflate', deflateSync(valued('"x"')), [201]),
  coded('br', brotliCompressSync(valued('"x"')), [201]),
  coded('deflate', deflateRawSync(valued('"x"')), ['malformed_json'], ' without its head'),
  coded('gzip', gzipSync(valued('"x"')).subarray(0, 20), ['malformed_json'], ' cut short'),
  coded('gzip', Buffer.from(valued('"x"')), ['malformed_json'], ' that is none'),
  coded(
    'gzip',
    Buffer.concat([gzipSync(valued('"x"')), Buffer.from('junk')]),
    ['malformed_json'],
    ' and junk behind it',
  ),
  coded('gzip', gzipSync(''), ['malformed_json'], ' of nothing'),
  coded('gzip, gzip', gzipSync(gzipSync(valued('"x"'))), ['unsupported_media_type']),
  coded('gzip, identity', gzipSync(valued('"x"')), ['unsupported_media_type']),
  coded('zstd', Buffer.from('x'), ['unsupported_media_type']),
  coded('', Buffer.from(valued('"x"')), [201], ' (an empty coding)'),
];

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = constants;
/** So many spaces, and then a block that can't be (of all ones). */
const spoilt = {
  gzip: (spaces: number) => gzipSync(Buffer.alloc(spaces, ' '), { finishFlush: Z_SYNC_FLUSH }),
  deflate: (spaces: number) => deflateSync(Buffer.alloc(spaces, ' '), { finishFlush: Z_SYNC_FLUSH }),
  br: (spaces: number) => brotliCompressSync(Buffer.alloc(spaces, ' '), { finishFlush: BROTLI_OPERATION_FLUSH }),
};

/** The bytes that are too many are found, and then the fault, which nobody waited for any more: the process ended. */
const spoiltBehindTheLimit: readonly RawCase[] = Object.entries(spoilt).flatMap(([coding, compress]) => {
  const body = (spaces: number): Buffer => Buffer.concat([compress(spaces), Buffer.alloc(64, 0xff)]);
  const name = ' too long and spoilt directly behind the limit: the process ended';
  // Brotli comes upon the fault before it hands over what was before it.
  const answers: Wanted[] = [coding === 'br' ? 'malformed_json' : 'body_too_large'];
  return [
    coded(coding, body(mebibyte + 20_000), answers, name),
    coded(coding, body(1000), ['malformed_json'], ' spoilt within the limit'),
    {
      name: `PATCH /pool with ${coding}${name}`,
      port: 'admin',
      send: () => [
        `PATCH /pool HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: ${coding}\r\n` +
          `Content-Length: ${body(36_000).length}\r\n\r\n`,
        body(36_000),
      ],
      answers,
      closes: false,
    },
  ];
});

const typed = (name: string, type: string, answers: readonly Wanted[]): RawCase => ({
  name: `Content-Type ${name}`,
  send: ({ scene }) => [
    `POST ${listPath} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${scene.token}\r\n` +
      `X-Workspace-Id: ${scene.workspaceId}\r\n${type}Content-Length: 12\r\n\r\n{"name":"x"}`,
  ],
  answers,
  closes: false,
});

const types: readonly RawCase[] = [
  ...[
    '',
    'Content-Type:\r\n',
    'Content-Type: json\r\n',
    'Content-Type: application/json, text/plain\r\n',
    'Content-Type: application/problem+json\r\n',
    'Content-Type: application/jsonp\r\n',
    'Content-Type: application/json; charset=utf-16\r\n',
    'Content-Type: application/json; charset=utf-7; charset=utf-8\r\n',
    'Content-Type: text/json; x="application/json"\r\n',
    'Content-Type: multipart/form-data; boundary=x\r\n',
    'Content-Type: application/json\u00ff\r\n',
    'Content-Type: text/plain\r\nContent-Type: application/json\r\n',
  ].map((type) => typed(JSON.stringify(type.slice(14).trim()), type, ['unsupported_media_type'])),
  ...[
    'application/json;',
    'application/json ; x=y',
    'APPLICATION/JSON;CHARSET=Utf-8',
    'application/json; charset=UTF8',
  ].map((type) => typed(JSON.stringify(type), `Content-Type: ${type}\r\n`, [201])),
];

const settings = (name: string, body: string, answers: readonly Wanted[], type = 'application/json'): RawCase => ({
  name: `PATCH /pool with ${name}`,
  port: 'admin',
  send: () => [
    `PATCH /pool HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ],
  answers,
  closes: false,
});

const admin: readonly RawCase[] = [
  settings('nothing', '', ['malformed_json']),
  settings('nothing in it', '{}', ['validation_failed']),
  settings('an unknown field', '{"heap":1}', ['validation_failed']),
  settings('no threads', '{"minThreads":0}', ['validation_failed']),
  settings('more threads at least than at most', '{"minThreads":9,"maxThreads":1}', ['validation_failed']),
  settings('a number as text', '{"maxThreads":"2"}', ['validation_failed']),
  settings('a fraction', '{"maxThreads":1.5}', ['validation_failed']),
  settings('a million threads', '{"maxThreads":1000000}', ['validation_failed']),
  settings('nine levels', `${'['.repeat(9)}${']'.repeat(9)}`, ['malformed_json']),
  settings('20 KB', `{"maxThreads":${' '.repeat(20_000)}2}`, ['body_too_large']),
  settings('a form', 'maxThreads=2', ['unsupported_media_type'], 'application/x-www-form-urlencoded'),
  settings(
    'what a page of another site may send without asking',
    '{"maxThreads":2}',
    ['unsupported_media_type'],
    'text/plain',
  ),
];

export const bodyCases: readonly RawCase[] = [
  ...texts,
  ...talkative,
  ...compressed,
  ...spoiltBehindTheLimit,
  ...types,
  ...admin,
];
