import type { Operation } from '#openapi/operations.gen.js';
import type { ExitCode } from './failures.js';
import { count, recent, text, type Input, type Params } from './params.js';
import type { ConnectionOptions } from './remote/connection.js';
import { byName } from './remote/called.js';
import type { FilePieces, Listed, Operations, PageOf, Reply, Service } from './remote/service.js';
import type { Session } from './session.js';
import { fieldsOf, tableOf, type Columns } from './tableOf.js';

/** Some commands, and what the words before their last one mean, for --help. */
export interface CommandGroup {
  readonly groups: Readonly<Record<string, string>>;
  readonly commands: readonly Command[];
}

/**
 * Where a command works, which says whether it has the options `--profile`, `--url` and `--client-id`, and `--workspace`:
 * in a workspace by HTTP; in a tenant, by HTTP or, for operators, on the database; or on this machine and its database alone.
 */
export type Where = 'workspace' | 'tenant' | 'here';

/** One command: all that its --help says, what it does, and what it prints. */
export interface Command {
  /** All its words: `environment hosts set`. */
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
  /** Runs it and gives what it prints. */
  readonly run: (call: Call, input: never) => Promise<Printed>;
  /** Of a list, what it prints with --csv. */
  readonly file: ((call: Call, input: never) => Promise<FilePieces>) | undefined;
}

/** What a command leaves behind. */
export interface Printed {
  /** With --json. */
  readonly document: unknown;
  /** For people. */
  readonly text: () => string | Promise<string>;
  /** Called once it is printed; gives the exit code where that is not `done`. */
  readonly end: () => ExitCode | undefined;
}

/** What a command works with. */
export interface Call {
  readonly session: Session;
  /** The options that say which server, client and workspace are meant, as they were given. */
  readonly connection: ConnectionOptions;
  /** @throws NotSignedIn where nothing says which service */
  readonly service: Service;
  /** The same; of a command of a tenant, for an operator, its operations in this process. */
  readonly operations: () => Promise<Operations>;
  /**
   * Asks for an operation with the values of parameters, each where the API has it: in the path, the query or the body. What
   * people name otherwise is first resolved to an id.
   */
  readonly ask: <Body>(
    operation: Operation<Body>,
    values: Values,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply<Body> & { readonly asked: Values }>;
  /** The same for all items of a list. */
  readonly all: <Item extends object>(operation: Operation<PageOf<Item>>, values: Values) => Promise<Listed<Item>[]>;
  /** The list as a .csv file, piece by piece. */
  readonly file: (operation: Operation<unknown>, values: Values) => Promise<FilePieces>;
  /** The values as they are sent: keys and names are resolved to ids. */
  readonly resolved: (values: Values) => Promise<Values>;
}

/** By their names in the API; undefined ones are left out. */
export type Values = Readonly<Record<string, unknown>>;

interface Declared<A extends Params, O extends Params> {
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  readonly examples: readonly string[];
  /** `workspace` where it is left out. */
  readonly where?: Where;
  readonly args?: A;
  readonly options?: O;
  readonly secretArgument?: true;
  /** Finds what is wrong with the line before a service is looked for. @throws UsageError */
  readonly check?: (input: Input<A & O>) => void;
}

// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- no parameters are no members
type None = Readonly<Record<never, never>>;

/** A command that does more than the table can say. */
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
  /** What --json prints; else the result of `run`. */
  readonly document?: (result: Result, call: Call) => unknown;
  readonly text: (result: Result, call: Call) => string | Promise<string>;
  /** What follows once it is printed; gives the exit code where that is not `done`. */
  readonly end?: (result: Result, call: Call, input: Input<A & O>) => ExitCode | undefined;
  /** Of a list, what it prints with --csv. */
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

/** Fields that name who did something by the principal, or a decision or an environment by its id: tables have them by name. */
type Named<Item> = readonly (keyof Item & string)[];

/** A command that asks for one operation with its parameters, and shows the answer as fields with their names. */
export const show = <Body extends object, A extends Params = None, O extends Params = None>({
  operation,
  fields,
  named = [],
  ...declared
}: Declared<A, O> & {
  readonly operation: Operation<Body>;
  readonly fields: Columns<Body>;
  readonly named?: Named<Body>;
}): Command =>
  command({
    ...declared,
    run: async ({ ask }, input) => (await ask(operation, input)).body,
    text: async (body, call) => (await byName(call, [body], named)).map((each) => fieldsOf(fields, each)).join('\n'),
  });

/** The items of a list for --json: `data`, as HTTP names them, and the name that they had before. */
export const listed = <Item>(as: string, items: readonly Item[]) => ({ data: items, [as]: items });

/** A command that shows all items of a list as a table. */
export const list = <Item extends object, A extends Params = None, O extends Params = None>({
  operation,
  as,
  columns,
  fixed,
  named = [],
  sorted = (items) => items,
  ...declared
}: Declared<A, O> & {
  readonly operation: Operation<PageOf<Item>>;
  /** The name of the items in the document, beside `data`. */
  readonly as: string;
  readonly columns: Columns<Listed<Item>>;
  readonly named?: Named<Listed<Item>>;
  /** Values that are always sent. */
  readonly fixed?: Values;
  readonly sorted?: (items: Listed<Item>[]) => Listed<Item>[];
}): Command =>
  command({
    ...declared,
    run: async ({ all }, input) => sorted(await all(operation, { ...input, ...fixed })),
    document: (items) => listed(as, items),
    text: async (items, call) => tableOf(columns, await byName(call, items, named)),
    file: ({ file }, input) => file(operation, { ...input, ...fixed }),
  });

/** How many items a page has, where nothing is said. */
export const defaultSize = 50;

export const pageSize = count(
  '--size <n>',
  `how many at most, 1 to 5000; else ${defaultSize}, and with --csv all`,
  [1, 5000],
);

const paging = {
  ...recent,
  size: pageSize,
  after: text('--after <cursor>', 'the ones that follow, by the cursor that the list before this one ended with'),
};

/** A command that shows one page of a list, the newest items first, and says how it goes on. */
export const page = <Item extends object>({
  operation,
  as,
  columns,
  named = [],
  options,
  ...declared
}: Omit<Declared<None, Params>, 'check'> & {
  readonly operation: Operation<PageOf<Item>>;
  readonly as: string;
  readonly columns: Columns<Item>;
  readonly named?: Named<Item>;
}): Command =>
  command({
    ...declared,
    options: { ...paging, ...options, ...paging },
    run: async ({ ask }, { size = defaultSize, ...input }) =>
      (await ask(operation, { ...input, size, order: 'desc' })).body,
    document: ({ data, page }) => ({ ...listed(as, data), page }),
    text: async ({ data }, call) => tableOf(columns, await byName(call, data, named)),
    file: ({ file }, input) => file(operation, { ...input, order: 'desc' }),
    end({ data, page }, { session }, { size = defaultSize }) {
      if (!session.json && data.length === size) session.note(`More: --after ${page.after ?? ''}`);
      return undefined;
    },
  });
