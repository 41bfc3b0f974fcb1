import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { ModelSchemas } from '../../workers/engine/index.js';
import { formatJson, parseExactly } from '../../workers/json/index.js';
import type { LogicRequest, LogicRoute } from '../api/logicRoute.js';
import { createFinder } from '../api/validate.js';
import { Problem, type Violation } from '../errors.js';
import { textBytes } from '../admission/byteBudget.js';
import { openSchemas } from '../decisions/programs/schemas.js';
import { broken } from '../http/body/violations.js';
import { embedded } from '../runs/describeExecution.js';
import { requireScope } from '../workspaces/access.js';
import { answerOf, executionAnswer, problemAnswer } from './answers.js';
import type { DeployedDecision } from './deployed.store.js';

/** A request of an agent's program. */
export type AgentRequest = LogicRequest<{ readonly environmentId: string }, unknown, object>;

/** The operations that tools call, by operationId. */
export type Operations = ReadonlyMap<string, LogicRoute>;

/** What the caller of an operation needs, who calls it as a tool. */
export function scopeOf(operations: Operations, operationId: string): LogicRoute['scope'] {
  const operation = operations.get(operationId);
  if (operation === undefined) throw new Error(`no operation ${operationId}`);
  return operation.scope;
}

/** The operation that tools of decisions call. */
export const executing = 'execute';

const jsonObject = { type: 'object' } as const;
const text = (description: string) => ({ type: 'string', description });

/** Tools beside the decisions: each is an operation of the API, with its scope. */
export const fixedTools = [
  {
    operationId: 'explainExecution',
    tool: {
      name: 'explain_execution',
      description:
        'Run a recorded execution again and tell how its result came about: what each node of the model got, gave and matched.',
      inputSchema: {
        ...jsonObject,
        properties: { executionId: { ...text('As a decision answered it'), format: 'uuid' } },
        required: ['executionId'],
      },
      annotations: { readOnlyHint: true },
    },
    named: ({ executionId }: Arguments) => ({ params: { id: executionId } }),
  },
  {
    operationId: 'listExecutions',
    tool: {
      name: 'find_executions',
      description: 'List what was executed in this environment, the newest first, without facts and results.',
      inputSchema: {
        ...jsonObject,
        properties: {
          decisionId: { ...text('Of this decision alone'), format: 'uuid' },
          status: { type: 'string', enum: ['COMPLETED', 'FAILED'] },
          reference: text("The caller's own id"),
          from: text('From then on: 2026-01-31, or with time and zone'),
          to: text('Before then'),
          size: { type: 'integer', minimum: 1, maximum: 100, description: 'How many, 20 unless given' },
          after: text('The cursor of the page before'),
        },
      },
      annotations: { readOnlyHint: true },
    },
    named: ({ size = 20, ...filters }: Arguments, environmentId: string) => ({
      query: { ...filters, environmentId, size: formatJson(size), order: 'desc' },
    }),
  },
  {
    operationId: 'validateModels',
    tool: {
      name: 'validate_draft',
      description: 'Find the faults of a model, JDM, as if it were in the workspace under the key. Nothing is stored.',
      inputSchema: {
        ...jsonObject,
        properties: { key: text('Such as shop/discount.json'), content: { ...jsonObject, description: 'The model' } },
        required: ['key', 'content'],
      },
      annotations: { readOnlyHint: true },
    },
    named: ({ key, content }: Arguments) => ({ bodyBytes: shared(formatJson({ decisions: [{ key, content }] })) }),
  },
] as const;

/** What is wrong with the arguments of each, by its name. */
const finders = new Map<string, ReturnType<typeof createFinder>>(
  fixedTools.map(({ tool }) => [tool.name, createFinder(tool.inputSchema, 'body')]),
);

export const fixedNames: ReadonlySet<string> = new Set(fixedTools.map(({ tool }) => tool.name));

type Arguments = Readonly<Record<string, unknown>>;

/** In the memory in which large bodies are: threads read it. */
function shared(json: string): Uint8Array {
  const bytes = Buffer.from(json);
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return memory;
}

/** Most characters of a decision's schemas that a tool has: more than an agent's model can make use of. */
const maxSchemas = 64 * 1024;

/** The schemas of a version, as `ReadSchemas` gives them; ones that are too long to be of use allow everything. */
export const readableSchemas = (schemas: string): string => (schemas.length <= maxSchemas ? schemas : openSchemas);

/** The tool of a decision. @param schemas of the version in force */
export function decisionTool(name: string, { key, version }: DeployedDecision, schemas: string): Tool {
  const { input, output, inferred, about } = JSON.parse(schemas) as ModelSchemas;
  const fact = embedded(input, '#') as { description?: unknown; properties?: Record<string, unknown> } | boolean;
  const described = typeof fact === 'object' && typeof fact.description === 'string' ? [fact.description] : [];
  return {
    name,
    title: key,
    description: [`Executes the decision ${key}, version ${version}.`, about, ...described].filter(Boolean).join(' '),
    inputSchema: { ...(typeof fact === 'object' ? asked(withObjects(fact), inferred) : {}), ...jsonObject },
    outputSchema: {
      ...jsonObject,
      properties: {
        executionId: text('By which the execution is found again and explained'),
        status: { type: 'string', enum: ['COMPLETED', 'FAILED'] },
        // What is inferred may say less than what comes, and an agent's program would refuse the answer.
        result: inferred ? {} : { $ref: '#/$defs/Result' },
      },
      required: ['executionId', 'status'],
      ...(inferred ? {} : { $defs: { Result: embedded(output, '#/$defs/Result') } }),
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  };
}

interface FactSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

const takesNull = (schema: object): boolean => !('type' in schema) || [schema.type].flat().includes('null');

/** A field that the model reads, of a kind that was inferred: one that is not there is null to it. */
const orNull = (schema: object): object =>
  'type' in schema && !takesNull(schema) ? { ...schema, type: [schema.type, 'null'].flat() } : schema;

/**
 * The same with all fields required that may be null: an agent then says each, and null for what it does not know, where it
 * would leave out what it overlooks. To the model both are the same. A field that a declared schema has without null stays as
 * it was declared.
 */
function asked({ properties, required = [], ...rest }: FactSchema, inferred: boolean): object {
  if (properties === undefined) return { ...rest, ...(required.length === 0 ? {} : { required }) };
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, inferred && required.length === 0 ? orNull(schema) : schema] as const,
  );
  const nullable = fields.filter(([, schema]) => takesNull(schema)).map(([name]) => name);
  const names = [...new Set([...required, ...nullable])];
  return { ...rest, properties: Object.fromEntries(fields), ...(names.length === 0 ? {} : { required: names }) };
}

/** The protocol wants the schema of each property to be an object, where JSON Schema also has `true` and `false`. */
function withObjects(schema: { readonly properties?: Readonly<Record<string, unknown>> }): FactSchema {
  if (schema.properties === undefined) return schema as FactSchema;
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    typeof property === 'boolean' ? (property ? {} : { not: {} }) : property,
  ]);
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, object> };
}

/** Executes a decision, as its operation does. */
export async function callDecision(
  operations: Operations,
  request: AgentRequest,
  { decisionId }: DeployedDecision,
): Promise<CallToolResult> {
  const fact = formatJson(argumentsOf(request));
  const bodyText = `{"fact":${fact}}`;
  request.reservation.grow(textBytes(bodyText));
  const params = { ...request.params, decisionId };
  return call(operations, request, executing, { params, bodyText, body: {} }, executionAnswer);
}

/** Calls one of the fixed tools. */
export function callFixed(
  operations: Operations,
  request: AgentRequest,
  { operationId, tool, named }: (typeof fixedTools)[number],
): Promise<CallToolResult> {
  const parts = named(argumentsOf(request), request.params.environmentId);
  const { params } = request.body as { readonly params: { readonly arguments?: object } };
  const violations = finders.get(tool.name)?.(params.arguments ?? {}) ?? [];
  return call(operations, request, operationId, { ...parts, violations }, answerOf);
}

/** With every digit that was sent. */
function argumentsOf({ bodyText, body }: AgentRequest): Arguments {
  const { params } = parseExactly(bodyText, body) as { params: { arguments?: Arguments } };
  return params.arguments ?? {};
}

interface Named {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
  readonly bodyText?: string;
  readonly bodyBytes?: Uint8Array;
  /** What is wrong with the arguments already, seen from them. */
  readonly violations?: readonly Violation[];
}

/**
 * What the operation answers to the same caller. Its refusals are answers of the tool, which an agent's model reads;
 * rejects with what is not foreseen.
 */
async function call(
  operations: Operations,
  request: AgentRequest,
  operationId: string,
  { params = {}, query = {}, violations = [], ...rest }: Named,
  answer: (body: string) => CallToolResult,
): Promise<CallToolResult> {
  const operation = operations.get(operationId);
  if (operation === undefined) throw new Error(`no operation ${operationId}`);
  try {
    requireScope(request.scopes, operation.scope);
    if (violations.length > 0) throw broken(violations);
    check(operation, params, query);
    const reply = await operation.handle({
      ...request,
      params,
      query,
      ...rest,
      header: () => undefined,
      wants: () => false,
    });
    if ('write' in reply || 'texts' in reply) throw new Error(`${operationId} answers a stream`);
    return answer(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errors } = error.options;
    const told = errors === undefined ? error : broken(errors.map(ofArgument));
    return problemAnswer(told, request.path, request.requestId);
  }
}

/** Arguments stand elsewhere in the operation that a tool calls: of that its agent knows nothing. */
function ofArgument({ in: place, pointer, message }: Violation): Violation {
  const inner = place === 'body' ? pointer.replace(/^\/(decisions\/0|fact)(?=\/|$)/, '') : `/${pointer}`;
  return { in: 'body', pointer: `/params/arguments${inner}`, message };
}

/** Throws `validation_failed`. */
function check(operation: LogicRoute, params: object, query: Readonly<Record<string, unknown>>): void {
  const inPath = operation.params === undefined ? [] : createFinder(operation.params, 'path')(params);
  const inQuery = operation.query === undefined ? [] : createFinder(operation.query, 'query')(query);
  const violations = [...inPath, ...inQuery, ...(operation.findQueryViolations?.(query) ?? [])];
  if (violations.length > 0) throw broken(violations);
}
