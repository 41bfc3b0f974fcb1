import type { Routes } from '#openapi/operations.gen.js';
import { scopesOf } from '#openapi/scopes.gen.js';
import { ApiError, type Answer, type Call, type CallOptions, type Query } from './client.js';
import { contentOf, faultsOf, modelOf } from './contents.js';
import { untilAnswered } from './tries.js';
import { createTurns } from './turns.js';
import type {
  Analysis,
  Conversion,
  Decision,
  Evaluation,
  Execution,
  Explanation,
  Fault,
  FilePart,
  Model,
  Page,
  Suggestions,
  TableImport,
  VersionWithContent,
} from './types.js';

type Signal = AbortSignal | undefined;
/** By which another's change is noticed. */
type Tag = string | null;

export type Route = keyof Routes;
type Data<R extends Route> = Routes[R]['data'];
type PathOf<D> = D extends { path: infer Path extends object } ? Path : unknown;
type QueryOf<D> = D extends { query?: infer Asked }
  ? [NonNullable<Asked>] extends [never]
    ? unknown
    : { readonly [Name in keyof NonNullable<Asked>]?: string | number | null | undefined }
  : unknown;

/** What stands in the path and in the query of an operation. */
export type Given<R extends Route> = PathOf<Data<R>> & QueryOf<Data<R>>;

/** The body that goes into it. */
export type BodyOf<R extends Route> = Data<R> extends { body: infer Body } ? Body : unknown;

/** What goes into an operation: names of its path, of its query, and its body. */
type Fields<R extends Route> = Given<R> & (Data<R> extends { body: infer Body } ? { readonly body: Body } : unknown);

/** What it answers, as far as it is no file. */
export type Reply<R extends Route> = Exclude<Routes[R]['reply'], Blob | File>;
/** Of a list: what stands in it. */
export type ItemOf<R extends Route> = Reply<R> extends { data: readonly (infer Item)[] } ? Item : never;

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Systems differ in what they say of a file's type; its name tells it. */
export const sheetOf = (file: File): Blob =>
  new Blob([file], { type: file.name.toLowerCase().endsWith('.csv') ? 'text/csv' : sheetType });

const refused = { status: 403, code: 'insufficient_scope' } as const;

interface AnalysisFields {
  readonly content?: Model;
  readonly [name: string]: unknown;
}

/** Lists are read in pages of this size, the largest there is. */
const pageSize = 5000;

/**
 * The operations of the API, as its document types them, and those to which the console adds something.
 * @param scopes what the token may do; null where it does not say it
 */
export function createOperations(call: Call, scopes: ReadonlySet<string> | null = null) {
  /** @param fields what stands in the path, `body`, and the query */
  async function send(route: Route, fields: unknown, options: CallOptions): Promise<Answer> {
    // What the token has no scope for is refused here, in the words of the service, which is not asked.
    const needed = scopesOf[route];
    if (scopes && needed?.split(' ').some((scope) => scopes.has(scope)) === false)
      throw new ApiError(`This operation needs the scope ${needed}.`, refused);
    const [method = '', template = ''] = route.split(' ');
    const { body, ...query } = fields as Query & { readonly body?: object | string };
    const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
      const value = query[name];
      delete (query as Record<string, unknown>)[name];
      return encodeURIComponent(String(value));
    });
    return call(method, path, { query, body, ...options });
  }
  // What the service promises of its answers is checked by its own tests, not by every browser again.
  const ask = async <R extends Route>(route: R, fields: Fields<R>, signal?: Signal): Promise<Reply<R>> =>
    (await send(route, fields, { signal })).body as Reply<R>;
  /** The same, where the console knows more of the answer than the document says. */
  const read = async <Body>(route: Route, fields: object, signal?: Signal): Promise<Body> =>
    (await send(route, fields, { signal })).body as Body;
  const turns = createTurns();
  /** Of a draft, which is not stored: what a person saves goes first. */
  const check = <Body>(route: Route, body: object | string, signal?: Signal): Promise<Body> =>
    turns.check((own) => read<Body>(route, { body }, own), signal);
  /** A page of a list. */
  const page = async <R extends Route>(route: R, fields: unknown, signal?: Signal): Promise<Page<ItemOf<R>>> =>
    (await send(route, fields, { signal })).body as Page<ItemOf<R>>;

  /** All of a list, page by page. */
  async function all<R extends Route>(route: R, fields: Given<R>, signal?: Signal): Promise<ItemOf<R>[]> {
    const items: ItemOf<R>[] = [];
    for (let after: string | null = null; ;) {
      const found: Page<ItemOf<R>> = await page(route, { ...(fields as object), size: pageSize, after }, signal);
      items.push(...found.data);
      after = found.page.after;
      if (found.data.length < pageSize || after === null) return items;
    }
  }

  return {
    /** The whole answer. */
    send,
    ask,
    all,
    page,
    /** All of a list, or what has another form, as a file. */
    listFile: async (route: Route, fields: unknown, Accept = 'text/csv') =>
      (await send(route, fields, { isFile: true, headers: { Accept } })).body as Blob,
    /** What the service shows of something on paper: a page of its own. */
    paper: async (path: string) =>
      (await call('GET', path, { isFile: true, headers: { Accept: 'text/html' } })).body as Blob,
    decisions: (signal?: Signal) => all('GET /logic/decisions', { order: 'key' }, signal),
    createDecision: async (key: string, content: Model) =>
      read<Decision>('POST /logic/decisions', { body: { key, content: await contentOf(content) } }),
    /** A model made of a plain spreadsheet, which is stored nowhere. @param sides which columns are what; null lets the service guess */
    convertTable: async (
      file: File,
      sides: Readonly<Record<'inputs' | 'outputs', readonly string[]>> | null,
      part: FilePart,
    ) => {
      const query = { inputs: sides?.inputs.join(','), outputs: sides?.outputs.join(','), ...part };
      const { body } = await call('POST', '/logic/conversions/table', { query, body: sheetOf(file) });
      return body as Conversion & { readonly content: Model };
    },
    /** With the tag by which `updateDecision` notices another's change. */
    decisionWithTag: async (id: string, signal?: Signal) =>
      tagged(await send('GET /logic/decisions/{id}', { id }, { signal })),
    updateDecision: async (
      id: string,
      content: Model,
      { force, tag }: { readonly force: boolean; readonly tag: Tag },
    ) => {
      const query = { force: force ? 'true' : undefined };
      const body = { content: await contentOf(content) };
      const options = { query, body, headers: ifMatch(tag) };
      return tagged(await turns.write(() => call('PATCH', `/logic/decisions/${id}`, options)));
    },
    version: async (id: string, version: number, signal?: Signal): Promise<VersionWithContent> => {
      const route = 'GET /logic/decisions/{id}/versions/{version}';
      const found = await read<VersionWithContent>(route, { id, version }, signal);
      return { ...found, content: await modelOf(found.content) };
    },
    /** @param tag the decision's, so that what is saved is what the person saw */
    saveVersion: (id: string, { message, tag }: { readonly message: string; readonly tag: Tag }) =>
      turns.write(() => call('POST', `/logic/decisions/${id}/versions`, { body: { message }, headers: ifMatch(tag) })),
    /** Of the working copy. */
    suggestTests: (id: string) =>
      read<Suggestions>('POST /logic/decisions/{id}/tests/suggestions', { id, body: { version: 0 } }),
    /** A table of the working copy as a spreadsheet. */
    tableFile: async (id: string, nodeId: string, format: 'xlsx' | 'csv') => {
      const path = `/logic/decisions/${id}/versions/0/tables/${encodeURIComponent(nodeId)}.${format}`;
      const { body, name } = await call('GET', path, { isFile: true });
      return { file: body as Blob, name: name ?? `table.${format}` };
    },
    /** What a spreadsheet would make of a table of the working copy; nothing is stored. */
    importTable: async (
      id: string,
      nodeId: string,
      { file, tag, part }: { readonly file: File; readonly tag: Tag; readonly part: FilePart },
    ) => {
      const answer = await call('PUT', `/logic/decisions/${id}/tables/${encodeURIComponent(nodeId)}`, {
        query: { dryRun: 'true', ...part },
        body: sheetOf(file),
        headers: ifMatch(tag),
      });
      const { content, faults, ...found } = answer.body as TableImport;
      return { ...found, faults: await faultsOf(content, faults), content: await modelOf(content) };
    },
    /** Asked again by itself where the service refuses it for a moment. */
    analyse: async ({ content, ...fields }: AnalysisFields, signal?: Signal) => {
      const body = { ...fields, ...(content === undefined ? {} : { content: await contentOf(content) }) };
      return untilAnswered(() => check<Analysis>('POST /logic/analyses', body, signal), signal);
    },
    validate: async (key: string, model: Model, signal?: Signal) => {
      const content = await contentOf(model);
      const body = { decisions: [{ key, content }] };
      const { faults } = await check<{ faults: readonly Fault[] }>('POST /logic/validations', body, signal);
      return faultsOf(content, faults, model);
    },

    // Facts go out as the person wrote them, with every digit.
    evaluate: (id: string, version: number, fact: string, signal?: Signal) =>
      read<Evaluation>(
        'POST /logic/decisions/{decisionId}/evaluations',
        { decisionId: id, body: `{"version":${version},"fact":${fact}}` },
        signal,
      ),
    evaluateDraft: async (key: string, model: Model, fact: string, signal?: Signal) =>
      check<Evaluation>(
        'POST /logic/evaluations',
        `{"key":${JSON.stringify(key)},"content":${JSON.stringify(await contentOf(model))},"fact":${fact}}`,
        signal,
      ),

    execution: (id: string, signal?: Signal) => read<Execution>('GET /logic/executions/{id}', { id }, signal),
    /** @param steps whether it is told in sentences, too */
    explain: (id: string, { signal, steps }: { readonly signal?: AbortSignal; readonly steps?: 'true' }) =>
      read<Explanation>('GET /logic/executions/{id}/explanation', { id, steps }, signal),
  };
}

const tagged = ({ body, tag }: Answer) => ({ decision: body as Decision, tag });

const ifMatch = (tag: Tag): Readonly<Record<string, string>> => (tag === null ? {} : { 'If-Match': tag });

export type Operations = ReturnType<typeof createOperations>;
