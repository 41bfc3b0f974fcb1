import type { Operation } from '#openapi/operations.gen.js';
import type { ExitCode } from './failures.js';
import { count, recent, text, type Input, type Params } from './params.js';
import type { ConnectionOptions } from './remote/connection.js';
import type { FilePieces, Listed, Operations, PageOf, Reply, Service } from './remote/service.js';
import type { Session } from './session.js';
import { fieldsOf, tableOf, type Columns } from './tableOf.js';

export interface CommandGroup {
  readonly groups: Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
}

/** In a workspace by HTTP; in a tenant, by HTTP or on the database; or on this machine and its database alone. */
export type Where = 'workspace' | 'tenant' | 'here';

export interface Command {
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  /** Each is what follows `verdict`. */
  readonly examples: readonly string[];
  readonly where: Where;
  readonly args: Params;
  readonly options: Params;
  /** An argument may begin with dashes, and is never repeated in an error: it may be a secret. */
  readonly secretArgument: boolean;
  readonly run: (call: Call, input: never) => Promise<Printed>;
  readonly file: ((call: Call, input: never) => Promise<FilePieces>) | undefined;
}

export interface Printed {
  readonly document: unknown;
  readonly text: () => string | Promise<string>;
  readonly end: () => ExitCode | undefined;
}

export interface Call {
  readonly session: Session;
  /** The options that say which server, client and workspace are meant, as they were given. */
  readonly connection: ConnectionOptions;
  readonly service: Service;
  readonly operations: () => Promise<Operations>;
  /** Asks for an operation, with each value where the API has it: in the path, the query or the body. */
  readonly ask: <Body>(
    operation: Operation<Body>,
    values: Values,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply<Body> & { readonly asked: Values }>;
  readonly all: <Item extends object>(operation: Operation<PageOf<Item>>, values: Values) => Promise<Listed<Item>[]>;
  readonly file: (operation: Operation<unknown>, values: Values) => Promise<FilePieces>;
  readonly resolved: (values: Values) => Promise<Values>;
}

/** By their names in the API; undefined ones are left out. */
export type Values = Readonly<Record<string, unknown>>;

interface Declared<A extends Params, O extends Params> {
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  readonly examples: readonly string[];
  readonly where?: Where;
  readonly args?: A;
  readonly options?: O;
  readonly secretArgument?: true;
  /** Finds what is wrong with the line before a service is looked for. @throws UsageError */
  readonly check?: (input: Input<A & O>) => void;
}

// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- no parameters are no members
type None = Readonly<Record<never, never>>;

export function command<Result, A extends Params = None, O extends Params = None>({
  check = () => undefined,
  run,
  document = (result) => result,
  text,
  end = () => undefined,
  file,
  ...declared
}: Declared<A, O> & {
  readonly run: (call: Call, input: Input<A & O>) => Promise<Result> | Result;
  readonly document?: (result: Result, call: Call) => unknown;
  readonly text: (result: Result, call: Call) => string | Promise<string>;
  readonly end?: (result: Result, call: Call, input: Input<A & O>) => ExitCode | undefined;
  readonly file?: (call: Call, input: Input<A & O>) => Promise<FilePieces>;
}): Command {
  return {
    where: 'workspace',
    args: {},
    options: {},
    ...declared,
    secretArgument: declared.secretArgument === true,
    async run(call, input: Input<A & O>) {
      check(input);
      const result = await run(call, input);
      return {
        document: document(result, call),
        text: () => text(result, call),
        end: () => end(result, call, input),
      };
    },
    file,
  };
}

/** A command that asks for one operation with its parameters, and shows the answer as fields with their names. */
export const show = <Body extends object, A extends Params = None, O extends Params = None>({
  operation,
  fields,
  ...declared
}: Declared<A, O> & {
  readonly operation: Operation<Body>;
  readonly fields: Columns<Body>;
}): Command =>
  command({
    ...declared,
    run: async ({ ask }, input) => (await ask(operation, input)).body,
    text: (body) => fieldsOf(fields, body),
  });

/** The items of a list for --json: `data`, as HTTP names them, and the name that they had before. */
export const listed = <Item>(as: string, items: readonly Item[]) => ({ data: items, [as]: items });

export const list = <Item extends object, A extends Params = None, O extends Params = None>({
  operation,
  as,
  columns,
  fixed,
  sorted = (items) => items,
  ...declared
}: Declared<A, O> & {
  readonly operation: Operation<PageOf<Item>>;
  readonly as: string;
  readonly columns: Columns<Listed<Item>>;
  /** Values that are always sent. */
  readonly fixed?: Values;
  readonly sorted?: (items: Listed<Item>[]) => Listed<Item>[];
}): Command =>
  command({
    ...declared,
    run: async ({ all }, input) => sorted(await all(operation, { ...input, ...fixed })),
    document: (items) => listed(as, items),
    text: (items) => tableOf(columns, items),
    file: ({ file }, input) => file(operation, { ...input, ...fixed }),
  });

const defaultSize = 50;

const paging = {
  ...recent,
  size: count('--size <n>', `how many at most, 1 to 5000; else ${defaultSize}, and with --csv all`, [1, 5000]),
  after: text('--after <cursor>', 'the ones that follow, by the cursor that the list before this one ended with'),
};

/** A command that shows one page of a list, the newest items first, and says how it goes on. */
export const page = <Item extends object>({
  operation,
  as,
  columns,
  options,
  ...declared
}: Omit<Declared<None, Params>, 'check'> & {
  readonly operation: Operation<PageOf<Item>>;
  readonly as: string;
  readonly columns: Columns<Item>;
}): Command =>
  command({
    ...declared,
    options: { ...paging, ...options, ...paging },
    run: async ({ ask }, { size = defaultSize, ...input }) =>
      (await ask(operation, { ...input, size, order: 'desc' })).body,
    document: ({ data, page }) => ({ ...listed(as, data), page }),
    text: ({ data }) => tableOf(columns, data),
    file: ({ file }, input) => file(operation, { ...input, order: 'desc' }),
    end({ data, page }, { session }, { size = defaultSize }) {
      if (!session.json && data.length === size) session.note(`More: --after ${page.after ?? ''}`);
      return undefined;
    },
  });
