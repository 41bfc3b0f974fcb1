import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { isScope } from '../../src/oauth/scopes.js';
import type { OpenApi } from '../support/openapi.js';
import { spoilBody, writeBody } from './body.js';
import { spoilCredentials, writeCredentials } from './credentials.js';
import { operationsOf, type Operation } from './document.js';
import { spoilHeaders, spoilPath, spoilQuery, writeHeaders, writePath, writeQuery } from './line.js';
import { createRandom, type Random } from './random.js';
import type { Caller, Side, World } from './world.js';

/** Why a request must be refused, in the order of the contract's checks; `input` is body, query or path. */
export type Refusal = 'unauthorized' | 'workspace' | 'forbidden' | 'media' | 'size' | 'input';

/** A request that is being made up, and what is known of the answer that it must get. */
export interface Case {
  readonly index: number;
  readonly random: Random;
  readonly document: OpenApi;
  readonly operation: Operation;
  readonly side: Side;
  readonly other: Side;
  readonly caller: Caller;
  method: string;
  path: string;
  /** Names and values, in order, raw. */
  query: [string, string][];
  headers: [string, string][];
  body: Buffer | undefined;
  /** Sent in pieces, without a length. */
  chunked: boolean;
  readonly refusals: Set<Refusal>;
  /** Something of the other side is named as if it were one's own. */
  foreign: boolean;
  /** Nothing is refused that the document allows. */
  readonly strict: boolean;
  /** What is odd here may be refused or not. */
  unsure: boolean;
}

export interface Cases {
  readonly operations: readonly Operation[];
  /** The same world, seed and index give the same request, as far as the ids in it are the same. */
  make(world: World, seed: number, index: number): Case;
}

/** What a request is made up by: each writes its part as it should be, or spoils it. */
const spoilers = [
  { weight: 3, spoil: spoilCredentials, concerns: ({ operation }: Case) => operation.security.length > 0 },
  { weight: 2, spoil: spoilPath, concerns: () => true },
  { weight: 2, spoil: spoilQuery, concerns: () => true },
  { weight: 2, spoil: spoilHeaders, concerns: () => true },
  { weight: 8, spoil: spoilBody, concerns: ({ operation }: Case) => operation.body !== undefined },
];

/**
 * What the rules of the judge describe whole. Elsewhere what the document allows may be refused all the same, such as a key
 * with `..` in it or the cursor of another list.
 */
const described =
  /^\/(?!logic\/)|^\/logic\/(?:environments|deployments)(?:\/\{id\})?$|^\/logic\/(?:\{environmentId\}\/)?decisions\/\{decisionId\}\/(?:evaluations|executions)$/;

export function createCases(document: OpenApi): Cases {
  const operations = operationsOf(document);
  const chosen = operations.flatMap((operation) => Array<Operation>(weightOf(operation)).fill(operation));
  const validators = createValidators(document);
  return {
    operations,
    make(world, seed, index) {
      const random = createRandom(seed, index);
      // Each once at first: a few thousand requests drawn at random would leave some operation out.
      const drawn = random.pick(chosen);
      const operation = operations[index] ?? drawn;
      const [side, other] = random.oneIn(2) ? world.sides : ([world.sides[1], world.sides[0]] as const);
      const request: Case = {
        index,
        random,
        document,
        operation,
        side,
        other,
        caller: callerFor(random, side, operation),
        method: operation.method,
        path: operation.path,
        query: [],
        headers: [],
        body: undefined,
        chunked: random.oneIn(25),
        refusals: new Set(),
        foreign: false,
        strict: described.test(operation.path),
        unsure: false,
      };
      for (const write of [writeCredentials, writePath, writeQuery, writeHeaders]) write(request);
      writeBody(request, validators(operation));
      spoil(request);
      return request;
    },
  };
}

function weightOf({ id, security }: Operation): number {
  if (security.length === 0) return 1;
  if (id.startsWith('delete')) return 6;
  return id.startsWith('list') ? 3 : 5;
}

/** Half of the requests stay as they should be; the others get one fault, or two. */
function spoil(request: Case): void {
  const { random } = request;
  let possible = spoilers
    .filter(({ concerns }) => concerns(request))
    .flatMap(({ weight, spoil }) => Array<(request: Case) => void>(weight).fill(spoil));
  for (let faults = random.pick([0, 0, 0, 1, 1, 2]); faults > 0; faults--) {
    const chosen = random.pick(possible);
    chosen(request);
    // A second fault of the same kind could undo the first.
    possible = possible.filter((one) => one !== chosen);
  }
}

/** Mostly somebody who may do it. */
function callerFor(random: Random, { callers }: Side, { scopes: needed, security }: Operation): Caller {
  const able = callers.filter(
    ({ kind, scopes, authorization }) =>
      kind !== 'stranger' &&
      needed.some((scope) => scopes.has(scope)) &&
      (security.includes('basic') || !authorization.startsWith('Basic')),
  );
  return random.pick(able.length > 0 && !random.oneIn(8) ? able : callers);
}

/** Of each operation's body: is it as documented? */
function createValidators(document: OpenApi): (operation: Operation) => ValidateFunction | undefined {
  const ajv = new Ajv2020({ strict: false });
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('scope', isScope);
  ajv.addFormat('email', /^[^@\s]+@[^@\s]+\.[^@\s]+$/);
  ajv.addSchema(document, 'openapi');
  const known = new Map<string, ValidateFunction>();
  return ({ id, body }) => {
    if (body?.type !== 'application/json') return undefined;
    const reference = body.schema['$ref'];
    const schema = typeof reference === 'string' ? { $ref: `openapi${reference}` } : body.schema;
    const validate = known.get(id) ?? ajv.compile(schema);
    known.set(id, validate);
    return validate;
  };
}
