import { openApiFile } from '../api/docs/builtPages.js';
import type { Json } from '../api/openapi/schema.js';
import { readBuiltFile } from '../http/server/builtFile.js';

interface DescribedExecution {
  readonly environmentId: string;
  readonly decisionId: string;
  readonly key: string;
  readonly version: number;
  /** `{input, output}`: JSON Schemas, as JSON. */
  readonly schemas: string;
}

/** The OpenAPI document reduced to executions of one decision, with that decision's schemas for fact and result. */
export function describeExecution({ environmentId, decisionId, key, version, schemas }: DescribedExecution): Json {
  const document = JSON.parse(readBuiltFile(openApiFile).toString()) as OpenApi;
  const { post } = document.paths[executions] ?? {};
  const { input, output } = JSON.parse(schemas) as { input: unknown; output: unknown };
  const components = document.components.schemas;
  const own = executions.replace('{environmentId}', environmentId).replace('{decisionId}', decisionId);
  const paths = {
    [own]: { post: { ...post, parameters: post?.parameters.filter((parameter) => parameter.in !== 'path') } },
  };
  return {
    ...document,
    info: { ...document.info, title: key, version: String(version) },
    tags: document.tags.filter(({ name }) => name === 'Runs'),
    paths,
    webhooks: {},
    components: {
      ...document.components,
      schemas: {
        ...used(components, [paths, document.components.responses]),
        Fact: embedded(input, '#/components/schemas/Fact'),
        Result: embedded(output, '#/components/schemas/Result'),
        Failure: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
        ExecutionRequest: withProperty(components['ExecutionRequest'], 'fact', { $ref: '#/components/schemas/Fact' }),
        Execution: withProperty(components['Execution'], 'result', {
          description: 'A `Failure` where `status` is FAILED',
          anyOf: [{ $ref: '#/components/schemas/Result' }, { $ref: '#/components/schemas/Failure' }],
        }),
      },
    },
  };
}

const executions = '/logic/{environmentId}/decisions/{decisionId}/executions';

/** The schemas that those parts of a document refer to, directly or through other schemas. */
function used(schemas: Readonly<Record<string, Json>>, parts: unknown): Record<string, Json> {
  const found: Record<string, Json> = {};
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const schema = schemas[name];
      if (schema === undefined || found[name] !== undefined) continue;
      found[name] = schema;
      follow(schema);
    }
  };
  follow(parts);
  return found;
}

/** The parts of the document that are used here. */
type OpenApi = Json & {
  readonly info: Json;
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, { readonly post?: Json & { readonly parameters: readonly Json[] } }>>;
  readonly components: Json & { readonly schemas: Readonly<Record<string, Json>>; readonly responses: Json };
};

/** Drops the examples, which are of another decision. */
function withProperty(schema: Json = {}, name: string, property: Json): Json {
  const { examples: _, properties, ...rest } = schema;
  return { ...rest, properties: { ...(properties as Json), [name]: property } };
}

/** A schema as a part of a document, with its internal references moved there. @param pointer such as `#/$defs/Result` */
export function embedded(schema: unknown, pointer: string): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $schema: _, $id: __, ...rest } = moved(schema, pointer) as Json;
  return rest;
}

function moved(part: unknown, to: string): unknown {
  if (Array.isArray(part)) return part.map((item) => moved(item, to));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      const isOwn = key === '$ref' && typeof value === 'string' && value.startsWith('#');
      return [key, isOwn ? to + value.slice(1) : moved(value, to)];
    }),
  );
}
