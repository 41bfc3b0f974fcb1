import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Case } from './cases.js';
import { isToken, setHeader } from './credentials.js';
import { spoilJson, spoilValue } from './spoil.js';
import { kindOf, pickId } from './line.js';
import { expressing } from '../support/models.js';
import { tableModel } from './world.js';
import { oddTexts } from './texts.js';
import { makeJson, makeValue, type Making } from './values.js';

/** MAX_BODY_BYTES of the server under test. */
export const maxBodyBytes = 32_768;

const values = new WeakMap<Case, { readonly value: unknown; readonly validate: ValidateFunction }>();

/** A body as documented. */
export function writeBody(request: Case, validate: ValidateFunction | undefined): void {
  const { operation } = request;
  if (operation.body === undefined) {
    // Nobody reads it there.
    if (request.random.oneIn(30)) request.body = Buffer.from(request.random.pick(['{}', 'x', '{"a":']));
    return;
  }
  setHeader(request, 'Content-Type', operation.body.type);
  const files = request.side.files[operation.body.type];
  if (files !== undefined && !request.random.oneIn(4)) {
    request.body = request.random.pick(files);
    return;
  }
  const value = makeValue(makingOf(request), operation.body.schema, 'body');
  if (isToken(request) || validate === undefined) {
    request.body = Buffer.from(new URLSearchParams(value as Record<string, string>).toString());
    return;
  }
  if (!validate(value)) throw new Error(`made up against the schema: ${JSON.stringify([value, validate.errors])}`);
  values.set(request, { value, validate });
  request.body = Buffer.from(JSON.stringify(value));
  if (request.body.length > maxBodyBytes) request.refusals.add('size');
}

function makingOf(request: Case): Making {
  const { random, document, side } = request;
  return {
    document,
    random,
    mark: side.mark,
    supply(name) {
      const kind = kindOf(name, '');
      if (kind !== undefined) return pickId(request, kind);
      if (name === 'version' && !random.oneIn(4)) return random.pick([0, 1, 1, 1]);
      if (name === 'fact')
        return random.oneIn(2) ? { x: random.int(-5, 5) } : { x: makeJson(random), more: makeJson(random) };
      if (name === 'content' && random.oneIn(3)) return tableModel();
      if (name === 'content' && !random.oneIn(10)) return expressing({ y: random.pick(['x', '1', `'${side.mark}'`]) });
      if (name === 'digest') return random.pick(side.digests);
      if (name === 'scope' && isToken(request)) return random.oneIn(2) ? 'environments:read' : '';
      if (name === 'resource' || name === 'role') return random.oneIn(8) ? undefined : '';
      return undefined;
    },
  };
}

export function spoilBody(request: Case): void {
  const { random } = request;
  if (isToken(request)) spoilForm(request);
  // A file may hold anything; what is no file at all is told from what is none of a node that is there.
  else if (request.operation.body?.type !== 'application/json') request.unsure = true;
  else if (random.oneIn(4)) spoilMedia(request);
  else if (random.oneIn(3)) spoilText(request);
  else spoilContent(request);
}

function spoilContent(request: Case): void {
  const made = values.get(request);
  if (made === undefined) return;
  const value = spoilValue(request.random, made.value);
  const json = JSON.stringify(value);
  request.body = Buffer.from(json);
  if (request.body.length > maxBodyBytes) request.refusals.add('size');
  const isDocumented = made.validate(JSON.parse(json));
  // The schema can't say that white space around a text does not count, nor name every character that is refused.
  if (isDocumented || /"\s|\s"|\\[rnt]/.test(json)) request.unsure = true;
  else request.refusals.add('input');
}

function spoilText(request: Case): void {
  const { bytes } = spoilJson(request.random, (request.body ?? '{}').toString());
  request.body = bytes;
  if (bytes.length === 0 && request.operation.body?.isRequired === false) return;
  request.refusals.add(bytes.length > maxBodyBytes ? 'size' : 'input');
}

const otherTypes = [
  undefined,
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/problem+json',
  'application/json; charset=utf-16',
  'json',
  '\u00e9',
];
const sameTypes = [
  'APPLICATION/JSON',
  'application/json;charset="UTF-8"',
  'application/json ; profile=x',
  'application/json;',
];

function spoilMedia(request: Case): void {
  const { random, refusals, body = Buffer.alloc(0) } = request;
  switch (random.int(0, 4)) {
    case 0:
      setHeader(request, 'Content-Type', random.pick(sameTypes));
      return;
    case 1:
      request.body = Buffer.from(`{"fact":"${'x'.repeat(maxBodyBytes)}"}`);
      refusals.add('size');
      return;
    case 2: {
      const [encoding, compress] = random.pick([
        ['gzip', gzipSync],
        ['deflate', deflateSync],
        ['br', brotliCompressSync],
      ] as const);
      setHeader(request, 'Content-Encoding', encoding);
      if (random.oneIn(2)) request.body = compress(body);
      else if (random.oneIn(2)) refusals.add('input');
      else {
        request.body = compress(Buffer.alloc(3_000_000, ' '));
        refusals.add('size');
      }
      return;
    }
    case 3:
      setHeader(request, 'Content-Encoding', random.pick(['zip', 'gzip, gzip', 'x']));
      refusals.add('media');
      return;
    default:
      setHeader(request, 'Content-Type', random.pick(otherTypes));
      refusals.add('media');
  }
}

function spoilForm(request: Case): void {
  const { random } = request;
  const odd = encodeURIComponent(random.pick(oddTexts).toWellFormed());
  const text = (request.body ?? '').toString();
  request.body = Buffer.from(
    random.pick([
      '',
      text.replace('client_credentials', random.pick(['password', 'authorization_code', '', odd])),
      `${text}&scope=${odd}`,
      `${text}&grant_type=client_credentials`,
      `grant_type=client_credentials&scope=${odd}`,
      `grant_type=client_credentials&role=${odd}`,
      `grant_type=client_credentials&resource=${odd}`,
      `grant_type=client_credentials&client_secret=${odd}`,
      `grant_type=client_credentials&x=${'x'.repeat(20_000)}`,
      `grant_type=client_credentials&%=%zz&=&&`,
      '{"grant_type":"client_credentials"}',
    ]),
  );
  if (random.oneIn(4)) setHeader(request, 'Content-Type', random.pick(otherTypes));
}
