import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { ProblemCode } from '../../../src/errors.js';
import { expectProblem } from '../asserts.js';
import { call, type Answer } from '../http.js';
import type { OpenApi } from '../openapi.js';
import { plans, type Plan } from './plans.js';
import type { Named } from './reach.js';

/** What tests read of a JSON schema of the document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly minProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly schema: Schema;
}

/** A protected operation of the OpenAPI document. */
export interface Described {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  /** Each of which is enough; `scope` is the first of them. */
  readonly scopes: readonly string[];
  /** Whether the operation is about a workspace, or about the client's tenant. */
  readonly inWorkspace: boolean;
  readonly parameters: readonly Parameter[];
  /** Those that it reads, besides those of every request. */
  readonly headers: readonly string[];
  /** Of its body, where that may be JSON. */
  readonly body: Schema | undefined;
  /** The first type that it may be of; none where it has no body. */
  readonly bodyType: string | undefined;
  readonly needsBody: boolean;
}

/** Who asks, in which workspace: two headers. */
export interface As {
  readonly authorization: string | undefined;
  readonly workspaceId: string | undefined;
}

/** The OpenAPI document as it was built; a test of the contract holds the served one against it. */
export const document = JSON.parse(
  readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'),
) as OpenApi;

/** By operationId; those that ask for a scope. */
export const operations: ReadonlyMap<string, Described> = operationsOf();

function operationsOf(): ReadonlyMap<string, Described> {
  const found = new Map<string, Described>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const security = operation['security'] as Record<string, string[]>[];
      const scopes = security.flatMap((one) => one['bearer'] ?? []);
      const [scope] = scopes;
      if (scope === undefined) continue;
      const { requestBody, parameters = [] } = operation as {
        requestBody?: { content: Record<string, { schema: Schema }>; required?: boolean };
        parameters?: readonly (Parameter & { $ref?: string })[];
      };
      const headers = parameters.flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
      const id = operation.operationId;
      found.set(id, {
        ...{ id, method: method.toUpperCase(), path, scope, scopes, headers },
        inWorkspace: headers.includes('X-Workspace-Id'),
        parameters: parameters.filter(({ $ref }) => $ref === undefined),
        body: requestBody?.content['application/json']?.schema,
        bodyType: Object.keys(requestBody?.content ?? {})[0],
        needsBody: requestBody?.required === true,
      });
    }
  }
  return found;
}

/** Every operation must have a plan: what has none fails each rule that is asked of it. */
export const planOf = ({ id }: Described): Plan => plans[id] ?? expect.fail(`${id} has no plan`);

export const pathOf = ({ path }: Pick<Described, 'path'>, params: Named['params'] = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? expect.fail(`${name} of ${path} is not named`));

/** Sends a request of an operation, as a plan names it. */
export function send(baseUrl: string, operation: Described, named: Named, as: As): Promise<Answer> {
  const { params = {}, query = '', body, headers = {} } = named;
  return call(baseUrl + pathOf(operation, params) + query, {
    method: operation.method,
    headers: {
      ...(as.authorization === undefined ? {} : { Authorization: as.authorization }),
      ...(operation.inWorkspace && as.workspaceId !== undefined ? { 'X-Workspace-Id': as.workspaceId } : {}),
      ...headers,
    },
    body,
  });
}

/** The answer is that problem, whole, whatever it says of its places. */
export function refused(
  answer: Answer,
  code: ProblemCode,
  path: string,
  headers: Readonly<Record<string, string | RegExp>> = {},
): void {
  const { errors, faults } = answer.body as { errors?: []; faults?: [] };
  expectProblem(answer, code, {
    instance: path,
    headers,
    ...(errors === undefined ? {} : { errors }),
    ...(faults === undefined ? {} : { extensions: { faults } }),
  });
}
