import type { OpenApi } from '../../support/openapi.js';
import { plainFile, xlsxType } from '../../support/sheets.js';
import { basic } from '../../support/tokens.js';
import { plans } from '../../support/operations/plans.js';
import type { World } from '../../support/operations/world.js';

/** One request that is good, of one operation with one kind of body. */
export interface RawRequest {
  readonly name: string;
  readonly port: 'api' | 'admin';
  readonly line: string;
  readonly headers: string;
  readonly body: Buffer;
  /** Whether the body may be packed. */
  readonly packed: boolean;
}

export const linesType = 'application/x-ndjson';
const form = 'application/x-www-form-urlencoded';

/** A good request of each operation, and of each kind of body that it takes, as a client of the world. */
export function requestsOf(document: OpenApi, world: World): RawRequest[] {
  const requests: RawRequest[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      const { content = {} } = (requestBody ?? {}) as { content?: Record<string, unknown> };
      const { params = {}, body, headers = {} } = plans[operationId]?.own(world) ?? {};
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? 'none');
      const types = Object.keys(content);
      for (const type of types.length === 0 ? [''] : types) {
        const authorization = type === form ? basic(world.client.id, world.client.secret) : `Bearer ${world.token}`;
        const all = {
          Authorization: authorization,
          'X-Workspace-Id': world.workspaceId,
          ...headers,
          ...(type === '' ? {} : { 'Content-Type': type }),
        };
        requests.push({
          name: `${operationId} ${type}`,
          port: 'api',
          line: `${method.toUpperCase()} ${target}`,
          headers: Object.entries(all)
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join(''),
          body: type === '' ? Buffer.alloc(0) : bodyOf(type, body),
          packed: type !== form,
        });
      }
    }
  }
  return requests;
}

function bodyOf(type: string, body: object = {}): Buffer {
  if (type === form) return Buffer.from('grant_type=client_credentials');
  if (type === linesType) return Buffer.from('{"fact":{"x":1}}\n{"fact":{"x":2}}\n');
  const file = body instanceof Uint8Array ? Buffer.from(body) : Buffer.from('x\n1\n');
  const isXlsx = file.toString('latin1').startsWith('PK');
  if (type === 'text/csv' || (type === xlsxType && isXlsx)) return file;
  if (type === xlsxType) return Buffer.from(plainFile(rowsOf(file.toString())));
  return Buffer.from(JSON.stringify(body));
}

const rowsOf = (csv: string): string[][] =>
  csv
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
