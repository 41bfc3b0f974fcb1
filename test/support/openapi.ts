import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isScope } from '../../src/oauth/scopes.js';
import type { Answer } from './http.js';

type Json = Record<string, unknown>;
interface Operation extends Json {
  readonly operationId: string;
  readonly responses: Record<string, Json>;
}
export interface OpenApi extends Json {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, Json>>;
}

/** What an answer has that the document does not allow; nothing when they agree. */
export type Comparison = (method: string, path: string, answer: Answer) => readonly string[];

const shared = ['route_not_found', 'method_not_allowed'];

/** Holds answers against the document. Objects with declared properties may have no others. */
export function compareWith(document: OpenApi): Comparison {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('scope', isScope);
  ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'http://host'));
  const closed = close(document, '') as OpenApi;
  ajv.addSchema(closed, 'openapi');
  const templates = Object.keys(document.paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
    // A literal path wins over a template.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

  return (method, path, answer) => {
    const template = templates.find(({ pattern }) => pattern.test(path))?.path;
    const { code } = (answer.body ?? {}) as { code?: unknown };
    if (shared.includes(String(code))) return [];
    if (template === undefined) return [`${path} is not in the document`];
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const response = document.paths[template]?.[verb]?.responses[answer.status];
    if (response === undefined) return [`${method} ${template} declares no ${answer.status}`];
    const pointer = `#/paths/${escape(template)}/${verb}/responses/${answer.status}`;
    return [
      ...headerFaults(document, resolve(document, response), answer),
      ...(method === 'HEAD' ? [] : bodyFaults(resolve(document, response), locate(response, pointer), answer, ajv)),
    ].map((fault) => `${method} ${template} ${answer.status}: ${fault}`);
  };
}

function headerFaults(document: OpenApi, response: Json, { headers }: Answer): string[] {
  const declared = new Set(Object.keys(response['headers'] ?? {}));
  const known = Object.entries(document.components['headers'] ?? {});
  return known.flatMap(([name, { required }]) => {
    const present = headers[name.toLowerCase()] !== undefined;
    if (present && !declared.has(name)) return [`${name} is not declared`];
    return !present && declared.has(name) && required === true ? [`${name} is missing`] : [];
  });
}

function bodyFaults(response: Json, pointer: string, answer: Answer, ajv: Ajv2020): string[] {
  const content = response['content'] as Record<string, Json> | undefined;
  if (content === undefined) return answer.text === '' ? [] : ['a body is not declared'];
  const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (content[type] === undefined) return [`${type} is not declared`];
  if (!type.endsWith('json')) return [];
  const described = content[type]['schema'] as Json;
  const lines = type === 'application/x-ndjson' ? `${String(described['$ref'])}/contentSchema` : undefined;
  const validate: ValidateFunction | undefined = ajv.getSchema(
    `openapi${lines ?? `${pointer}/content/${escape(type)}/schema`}`,
  );
  if (validate === undefined) return ['the schema cannot be compiled'];
  return bodiesOf(answer, type).flatMap((body) => {
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  });
}

/** Of lines each is held against the schema. */
const bodiesOf = ({ body, text }: Answer, type: string): unknown[] =>
  type === 'application/x-ndjson'
    ? text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as unknown)
    : [body];

const escape = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

function resolve(document: OpenApi, part: Json): Json {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const [, , kind = '', name = ''] = reference.split('/');
  return document.components[kind]?.[name] ?? {};
}

const locate = (part: Json, pointer: string): string => (typeof part['$ref'] === 'string' ? part['$ref'] : pointer);

/** The same with `additionalProperties: false` wherever properties are declared and nothing is said. */
function close(part: unknown, parent: string): unknown {
  if (Array.isArray(part)) return part.map((item) => close(item, parent));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => [name, close(value, name)]);
  const open = 'type' in part && part.type === 'object' && 'properties' in part && !('additionalProperties' in part);
  return Object.fromEntries([...entries, ...(open && parent !== 'allOf' ? [['additionalProperties', false]] : [])]);
}

const ours = /^\/(logic|core|fuse|problems|docs|openapi\.json|\.well-known)(\/|$)/;
let comparison: Comparison | undefined;

/** Throws where an answer of the API under test is not as its document says. The document is fetched once a run. */
export async function requireDocumented(url: string, method: string, answer: Answer): Promise<void> {
  const { origin, pathname } = new URL(url);
  if (!ours.test(pathname) || answer.headers['x-request-id'] === undefined) return;
  comparison ??= await fetchDocument(origin);
  const faults = comparison?.(method, pathname, answer) ?? [];
  if (faults.length > 0) throw new Error(`The answer is not as documented:\n${faults.join('\n')}\n${answer.text}`);
}

async function fetchDocument(origin: string): Promise<Comparison | undefined> {
  const response = await fetch(`${origin}/openapi.json`).catch(() => undefined);
  return response?.status === 200 ? compareWith((await response.json()) as OpenApi) : undefined;
}
