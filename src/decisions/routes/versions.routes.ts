import type { Knex } from 'knex';
import { actorOf } from '../../api/actor.js';
import { emptyToNull, IdParams } from '../../api/fields.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { PageQuery, type CursorKind } from '../../api/paginate.js';
import { contentTag, isCurrent } from '../../api/preconditions.js';
import { conditionalGet } from '../../resource/answers.js';
import { List } from '../../resource/lists.js';
import type { Page, PageRequest } from '../../storage/pages.js';
import { namesIn } from '../../workspaces/names.store.js';
import type { ModelWork } from '../../../workers/models/index.js';
import { CreateVersion, DifferencesParams, Version, VersionParams, VersionWithContent } from './decisions.schema.js';
import { Differences } from './differences.schema.js';
import { createVersion, type Editing } from '../writing/oneDecision.js';
import { listVersionPage } from '../decisionLists.js';
import type { Programs } from '../programs/programs.js';
import { versionDocument, type AnyVersion } from './representation.js';
import type { Dependency } from '../versions.store.js';
import { requireFinished } from '../programs/requireFinished.js';
import { contentBytes, contentText, readDependencies, readVersion, type Reading } from '../readVersion.js';

const path = '/logic/decisions/{id}/versions';
const onePath = '/logic/decisions/{id}/versions/{version}';

/** The cursors of a list of versions: the number in 4 bytes. */
const byVersion: CursorKind<number> = {
  fromBytes: (bytes) => (bytes.length === 4 ? bytes.readUInt32BE() : -1),
  isCursor: (version) => version >= 0,
};

const list = new List(Version, byVersion);

interface VersionDependencies extends Editing, Reading {
  readonly models: ModelWork;
  readonly programs: Pick<Programs, 'written'>;
}

/** The four operations on the versions of a decision. */
export function versionRoutes(parts: VersionDependencies): LogicRoute[] {
  const { database, models, programs } = parts;
  return [
    logicRoute({
      method: 'POST',
      path,
      operationId: 'createVersion',
      tag: 'Decisions',
      summary: 'Save the working copy, and all that it can reach, as the next version',
      scope: 'version:write',
      params: IdParams,
      body: CreateVersion,
      requestHeaders: ['If-Match'],
      replies: { 201: Version },
      replyHeaders: ['ETag'],
      problems: [
        'decision_not_found',
        'precondition_failed',
        { code: 'model_has_faults', status: 409 },
        'model_too_large',
        'overloaded',
      ],
      async handle(request) {
        const { workspaceId, params, body, header } = request;
        const version = await createVersion(
          parts,
          { ...request, actor: actorOf(request) },
          {
            id: params.id,
            message: emptyToNull(body.message ?? null),
            ifMatch: header('If-Match'),
          },
        );
        programs.written(workspaceId);
        return { status: 201, body: versionDocument(version), headers: { ETag: tagOf(version) } };
      },
    }),
    logicRoute({
      method: 'GET',
      path,
      operationId: 'listVersions',
      tag: 'Decisions',
      summary: 'List the saved versions of a decision, without their contents',
      scope: 'decision:read',
      params: IdParams,
      query: PageQuery,
      ...list.declared,
      problems: ['decision_not_found', 'overloaded'],
      handle(request) {
        const { workspaceId, params } = request;
        const read = (wanted: PageRequest<number>): Promise<Page<AnyVersion>> =>
          listVersionPage(database, { workspaceId, decisionId: params.id }, wanted);
        return list.answer(request, read, versionDocument, namesIn(database, workspaceId));
      },
    }),
    logicRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getVersion',
      tag: 'Decisions',
      summary: 'Get a saved version, or the working copy as version 0, with content and dependencies',
      scope: 'decision:read',
      params: VersionParams,
      ...conditionalGet(VersionWithContent),
      problems: ['decision_not_found', 'version_not_found', 'overloaded'],
      async handle({ workspaceId, params, header, reservation }) {
        const found = await readVersion(database, { workspaceId, id: params.id, version: Number(params.version) });
        const dependencies = await readDependencies(parts, workspaceId, found);
        const headers = { ETag: tagOf({ ...found, dependencies }) };
        if (isCurrent(header('If-None-Match'), headers.ETag)) return { status: 304, headers };
        const head = JSON.stringify({ ...versionDocument(found), dependencies });
        // The stored text as it is: a parser would lose digits.
        const content = await contentText(database, found.contentHash, reservation);
        return { status: 200, body: `${head.slice(0, -1)},"content":${content}}`, headers };
      },
    }),
    differencesRoute(database, models),
  ];
}

/** Threads compare: a large model would hold up everybody else for as long as it takes to parse it. */
function differencesRoute(database: Knex, models: ModelWork): LogicRoute {
  return logicRoute({
    method: 'GET',
    path: `${path}/{from}/differences/{to}`,
    operationId: 'compareVersions',
    tag: 'Decisions',
    summary: 'Compare two versions by the ids of their nodes, edges and table rows',
    scope: 'decision:read',
    params: DifferencesParams,
    replies: { 200: Differences },
    problems: ['decision_not_found', 'version_not_found', 'engine_failure', 'engine_timeout', 'overloaded'],
    async handle({ workspaceId, params: { id, ...numbers }, reservation }) {
      const versionOf = (version: string): Promise<AnyVersion> =>
        readVersion(database, { workspaceId, id, version: Number(version) });
      const [from, to] = [await versionOf(numbers.from), await versionOf(numbers.to)] as const;
      const bytesOf = await contentBytes(database, [from.contentHash, to.contentHash], reservation);
      const numbered = ({ version, contentHash }: AnyVersion) => ({ version, text: bytesOf(contentHash) });
      const answer = requireFinished(
        await models.work(workspaceId, { kind: 'differences', from: numbered(from), to: numbered(to) }),
      );
      // Both texts, of which it holds parts, were reserved before a thread was taken for it: nothing is refused after that.
      reservation.resize(reservation.bytes + answer.differences.length);
      return { status: 200, body: answer.differences };
    },
  });
}

/** Names the state of a version without its content, for which the hash stands. */
const tagOf = (version: AnyVersion & { readonly dependencies: readonly Dependency[] }): string =>
  contentTag(JSON.stringify([versionDocument(version), version.dependencies]));
