import type { OpenApi } from '../support/openapi.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

/** One operation of the document, with what is needed to make requests of it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media type and schema of the body; undefined for operations without one. */
  readonly body: { readonly type: string; readonly schema: Schema; readonly isRequired: boolean } | undefined;
  /** Ways to authenticate; none for what is public. */
  readonly security: readonly string[];
  /** One of which a bearer token needs. */
  readonly scopes: readonly string[];
}

/** Every operation that the document describes. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { operationId, parameters = [], requestBody, security = [] } = described as DescribedOperation;
      const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter) => resolved(document, parameter) as unknown as Parameter),
        body:
          type === undefined || media === undefined
            ? undefined
            : { type, schema: media.schema, isRequired: requestBody?.required === true },
        security: security.flatMap((way) => Object.keys(way)),
        scopes: security.flatMap(({ clientCredentials = [] }) => clientCredentials),
      };
    }),
  );
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Record<string, { readonly schema: Schema }>;
  };
  readonly security?: readonly Record<string, string[]>[];
}

/** What a `$ref` points to within the document; anything else as it is. */
export function resolved(document: OpenApi, part: Schema): Schema {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const [, , kind = '', name = ''] = reference.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`${reference} is not in the document`);
  return found;
}
