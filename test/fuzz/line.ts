import { randomUUID } from 'node:crypto';
import type { Case } from './cases.js';
import { isInquiry, setHeader } from './credentials.js';
import type { Parameter } from './document.js';
import { makeValue } from './values.js';
import { oddHeaderValues, oddTexts } from './texts.js';

const collections: Readonly<Record<string, string>> = {
  environmentId: 'environments',
  deploymentId: 'deployments',
  decisionId: 'decisions',
  inquiryId: 'inquiries',
  prerequisiteId: 'prerequisites',
  policyId: 'policies',
};

/** The collection of ids that a path or a body names, by the name of the parameter or field. */
export const kindOf = (name: string, path: string): string | undefined =>
  name === 'id' ? /\/([a-z-]+)\/\{id\}/.exec(path)?.[1] : collections[name];

/** Mostly of one's own. What was planted is not changed by its own side, so that it can be looked at in the end. */
export function pickId(request: Case, kind: string): string {
  const { random, side, other, method } = request;
  const [planted = [], made = []] = [side.planted[kind], side.made[kind]];
  if (random.oneIn(8)) {
    const theirs = [...(other.planted[kind] ?? []), ...(other.made[kind] ?? [])];
    request.foreign = theirs.length > 0;
    if (request.foreign) return random.pick(theirs);
  }
  const changes = method === 'DELETE' || (['PATCH', 'PUT'].includes(method) && !isInquiry(request));
  const own = changes ? made : random.oneIn(2) ? [...planted, ...made.slice(-3)] : planted;
  return own.length === 0 || random.oneIn(15) ? randomUUID() : random.pick(own);
}

export function writePath(request: Case): void {
  const { operation } = request;
  request.path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const kind = kindOf(name, operation.path);
    return kind === undefined ? partOf(request, name) : pickId(request, kind);
  });
}

function partOf(request: Case, name: string): string {
  const parameter = request.operation.parameters.find((one) => one.in === 'path' && one.name === name);
  const { random, document } = request;
  if (['version', 'from', 'to'].includes(name) && !random.oneIn(4)) return random.pick(['0', '1']);
  if (name === 'nodeId' && !random.oneIn(4)) return 'table';
  if (name === 'file')
    return random.pick(['swagger-ui.css', 'swagger-ui-bundle.js', 'errors', 'none.js', 'notices.txt']);
  const value = makeValue({ document, random, mark: '', supply: () => undefined }, parameter?.schema ?? {});
  return encodeURIComponent(String(value));
}

export function writeQuery(request: Case): void {
  const { random, operation, side, document } = request;
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const names = parameters.map(({ name }) => name);
  if (names.includes('size') && random.oneIn(2)) {
    request.query.push(['size', String(random.oneIn(50) ? random.pick([1, 5000]) : random.int(1, 30))]);
  }
  if (names.includes('after') && side.cursors.length > 0 && random.oneIn(2)) {
    request.query.push([random.pick(['after', 'before']), random.pick(side.cursors)]);
  }
  for (const { name, schema } of parameters) {
    if (['size', 'after', 'before'].includes(name) || !random.oneIn(6)) continue;
    const kind = kindOf(name, '');
    const making = { document, random, mark: side.mark, supply: () => undefined };
    // To filter by what is another's finds nothing, and is no fault.
    const value = kind === undefined ? makeValue(making, schema, name) : pickId({ ...request }, kind);
    request.query.push([name, encodeURIComponent(String(value))]);
  }
}

export function spoilQuery(request: Case): void {
  const { random, side, other, operation, refusals } = request;
  const isKnown = operation.parameters.some((parameter) => parameter.in === 'query');
  const odd = encodeURIComponent(random.pick(oddTexts.map((text) => text.toWellFormed())).slice(0, 500));
  const cursor = random.pick([...side.cursors, ...other.cursors, 'AAAAAAAAAAAAAAAAAAAAAA']);
  const faults: [string, string][] = [
    ['size', random.pick(['0', '5001', '-1', '1.5', '1e2', '0x10', '', '%201', '%D9%A3', 'NaN', '99999999999'])],
    ['extra', odd],
    ['after', random.pick([odd || '%20', `${cursor}x`, cursor.slice(1), randomUUID()])],
    ['__proto__', '1'],
    ['size[]', '1'],
    ['%', '%'],
  ];
  request.query.push(random.pick(faults));
  if (operation.security.length === 0 || operation.id === 'issueToken') return;
  if (random.oneIn(4) && isKnown) {
    // Another's cursor names a place among ids, and nothing of theirs.
    request.query = [[random.pick(['after', 'before']), random.pick([cursor, mutated(request, cursor)])]];
    request.unsure = true;
  } else refusals.add('input');
}

function mutated({ random }: Case, cursor: string): string {
  const offset = random.int(0, cursor.length - 1);
  return cursor.slice(0, offset) + random.pick(['A', 'z', '_', '9']) + cursor.slice(offset + 1);
}

export function spoilPath(request: Case): void {
  const { random, path, operation } = request;
  const last = path.lastIndexOf('/');
  const id = /[0-9a-f-]{36}/.exec(path)?.[0];
  if (id !== undefined && random.oneIn(2)) {
    const bad = [
      'x',
      '0',
      `${id}0`,
      id.slice(1),
      `{${id}}`,
      '%00',
      '%ff',
      '%zz',
      'null',
      '..%2f..',
      `${id}%20`,
      `${id}%2F`,
    ];
    request.path = path.replace(id, random.pick(bad));
    // What is no UUID is refused; what is no path may have no route at all.
    request.unsure = true;
    return;
  }
  if (random.oneIn(3)) {
    request.method = random.pick(['PUT', 'OPTIONS', 'HEAD', 'TRACE', 'GET', 'POST', 'PATCH', 'DELETE', 'PROPFIND']);
    // An operation of another kind might change what was planted.
    if (operation.method !== request.method && id !== undefined) request.path = path.replaceAll(id, randomUUID());
  } else {
    request.path = random.pick([
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      `${path}/x`,
      `${path};v=1`,
      `${path}%20`,
      `${path.slice(0, last)}//${path.slice(last + 1)}`,
      `${path.slice(0, last)}/%2e%2e/${path.slice(last + 1)}`,
      `/${'x'.repeat(3000)}`,
      `${path}?`,
    ]);
  }
  request.unsure = true;
}

export function writeHeaders(request: Case): void {
  const { random, operation } = request;
  const optional = operation.parameters.filter((parameter) => parameter.in === 'header' && !parameter.required);
  for (const parameter of optional) if (random.oneIn(4)) writeHeader(request, parameter);
}

function writeHeader(request: Case, { name, schema }: Parameter): void {
  const { random, document, side } = request;
  const tags = ['"1"', '"2"', '*', 'W/"1"', '"1", "2"'];
  if (name.startsWith('If-')) setHeader(request, name, random.pick(tags));
  else if (name === 'Accept-Language') setHeader(request, name, random.pick(['fi', 'fi-FI, en;q=0.5', '*', 'x;q=2']));
  else if (name === 'Idempotency-Key') setHeader(request, name, `${side.mark}-${random.int(0, 400)}`);
  else setHeader(request, name, String(makeValue({ document, random, mark: '', supply: () => undefined }, schema)));
}

export function spoilHeaders(request: Case): void {
  const { random } = request;
  const name = random.pick([
    'X-Request-Id',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
    'Accept',
    'Cookie',
    'Range',
  ]);
  const more = ['Origin', 'X-HTTP-Method-Override', 'X-Forwarded-For', 'Forwarded', 'Traceparent', 'If-Modified-Since'];
  const value = random.pick([...oddHeaderValues, randomUUID()]);
  if (random.oneIn(3)) setHeader(request, random.pick(more), value);
  else if (random.oneIn(4)) request.headers.push([name, value], [name, value]);
  else setHeader(request, name, value);
  if (random.oneIn(10))
    for (let index = 0; index < 60; index++) request.headers.push([`X-Odd-${index}`, 'x'.repeat(50)]);
  const key = request.headers.filter(([header]) => header === 'Idempotency-Key');
  const isRead = request.operation.parameters.some((parameter) => parameter.name === 'Idempotency-Key');
  if (isRead && key.some(([, text]) => !/^[\x21-\x7e]{1,255}$/.test(text.trim()))) request.unsure = true;
  else if (isRead && key.length > 1) request.unsure = true;
}
