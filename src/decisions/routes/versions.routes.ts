import type { Knex } from 'knex';
import { actorOf } from '../../api/actor.js';
import { emptyToNull, IdParams } from '../../api/fields.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { PageQuery, type CursorKind } from '../../api/paginate.js';
import { contentTag, isCurrent } from '../../api/preconditions.js';
import { conditionalGet } from '../../resource/answers.js';
import { List } from '../../resource/lists.js';
import type { Reply } from '../../http/server/response.js';
import type { Page, PageRequest } from '../../storage/pages.js';
import { namesIn } from '../../workspaces/names.store.js';
import type { ModelWork } from '../../../workers/models/index.js';
import {
  CreateVersion,
  DependencyParams,
  DifferencesParams,
  DifferencesQuery,
  PinnedDecision,
  Version,
  VersionParams,
  VersionWithContent,
} from './decisions.schema.js';
import { Differences } from './differences.schema.js';
import { createVersion, type Editing } from '../writing/oneDecision.js';
import { changedDependencies, readVersionRunning, requireDependency } from '../changedDependencies.js';
import { listVersionPage } from '../decisionLists.js';
import type { Programs } from '../programs/programs.js';
import { versionDocument, type AnyVersion } from './representation.js';
import type { Dependency } from '../versions.store.js';
import { requireFinished } from '../programs/requireFinished.js';
import { contentBytes, contentText, type Reading } from '../readVersion.js';

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

/** The operations on the versions of a decision. */
export function versionRoutes(parts: VersionDependencies): LogicRoute[] {
  const { database, programs } = parts;
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
        return {
          status: 201,
          body: versionDocument(version),
          headers: { ETag: contentTag(JSON.stringify(shownVersion(version))) },
        };
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
        const { id, version } = params;
        const found = await readVersionRunning(parts, { workspaceId, id, version: Number(version) });
        const shown = shownVersion({ ...found.version, dependencies: found.dependencies });
        return withContent(database, shown, { ifNoneMatch: header('If-None-Match'), reservation });
      },
    }),
    dependencyRoute(parts),
    differencesRoute(parts),
  ];
}

const dependencyRoute = (parts: VersionDependencies): LogicRoute =>
  logicRoute({
    method: 'GET',
    path: `${onePath}/dependencies/{dependencyId}`,
    operationId: 'getDependency',
    tag: 'Decisions',
    summary: 'Get a decision that a version runs, with the content that it runs',
    scope: 'decision:read',
    params: DependencyParams,
    ...conditionalGet(PinnedDecision),
    problems: ['decision_not_found', 'version_not_found', 'overloaded'],
    async handle({ workspaceId, params: { id, version, dependencyId }, header, reservation }) {
      const found = await readVersionRunning(parts, { workspaceId, id, version: Number(version) });
      const pinned = requireDependency(found, dependencyId.toLowerCase());
      return withContent(parts.database, pinned, { ifNoneMatch: header('If-None-Match'), reservation });
    },
  });

/** Threads compare: a large model would hold up everybody else for as long as it takes to parse it. */
function differencesRoute(parts: VersionDependencies): LogicRoute {
  const { database, models } = parts;
  return logicRoute({
    method: 'GET',
    path: `${path}/{from}/differences/{to}`,
    operationId: 'compareVersions',
    tag: 'Decisions',
    summary: 'Compare two versions, or a decision as both run it, by the ids of nodes, edges and table rows',
    scope: 'decision:read',
    params: DifferencesParams,
    query: DifferencesQuery,
    replies: { 200: Differences },
    problems: ['decision_not_found', 'version_not_found', 'engine_failure', 'engine_timeout', 'overloaded'],
    async handle({ workspaceId, params: { id, ...numbers }, query: { dependency }, reservation }) {
      const read = (version: string) => readVersionRunning(parts, { workspaceId, id, version: Number(version) });
      const [from, to] = [await read(numbers.from), await read(numbers.to)] as const;
      const hashOf = (side: typeof from): string =>
        (dependency === undefined ? side.version : requireDependency(side, dependency.toLowerCase())).contentHash;
      const [before, after] = [hashOf(from), hashOf(to)];
      const bytesOf = await contentBytes(database, [before, after], reservation);
      const answer = requireFinished(
        await models.work(workspaceId, {
          kind: 'differences',
          from: { version: from.version.version, text: bytesOf(before) },
          to: { version: to.version.version, text: bytesOf(after) },
        }),
      );
      // Both texts, of which it holds parts, were reserved before a thread was taken for it: nothing is refused after that.
      reservation.resize(reservation.bytes + answer.differences.length);
      const changed = dependency === undefined ? changedDependencies(from.dependencies, to.dependencies) : [];
      if (changed.length === 0) return { status: 200, body: answer.differences };
      const rest = Buffer.from(`,"dependencies":${JSON.stringify(changed)}}`);
      return { status: 200, body: Buffer.concat([answer.differences.subarray(0, -1), rest]) };
    },
  });
}

interface ContentWanted {
  readonly ifNoneMatch: string | undefined;
  readonly reservation: Pick<Reservation, 'grow'>;
}

/** What is known of a content, and the content, whose hash stands for it in the tag. */
async function withContent(
  database: Knex,
  shown: { readonly contentHash: string },
  { ifNoneMatch, reservation }: ContentWanted,
): Promise<Reply> {
  const head = JSON.stringify(shown);
  const headers = { ETag: contentTag(head) };
  if (isCurrent(ifNoneMatch, headers.ETag)) return { status: 304, headers };
  // The stored text as it is: a parser would lose digits.
  const content = await contentText(database, shown.contentHash, reservation);
  return { status: 200, body: `${head.slice(0, -1)},"content":${content}}`, headers };
}

/** A version without its content, for which the hash stands. */
const shownVersion = (version: AnyVersion & { readonly dependencies: readonly Dependency[] }) => ({
  ...versionDocument(version),
  dependencies: version.dependencies,
});
