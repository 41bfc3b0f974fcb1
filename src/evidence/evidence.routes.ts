import { IdParams } from '../api/fields.js';
import { logicRoute, type LogicRoute } from '../api/logicRoute.js';
import { broken } from '../http/body/violations.js';
import type { HttpContext } from '../http/server/context.js';
import type { Route } from '../http/server/router.js';
import { sendText } from '../http/server/response.js';
import type { Connection } from '../storage/database.js';
import { keyPublishDelayS, signCheckpoint } from './checkpoint.js';
import { checkedAt, pageOfFindings } from './checks/findings.store.js';
import { PageQuery } from '../api/paginate.js';
import { listOf } from '../resource/lists.js';
import {
  ConsistencyQuery,
  EvidenceCheckpoint,
  EvidenceFinding,
  EvidenceConsistency,
  ExecutionProof,
} from './evidence.schema.js';
import type { EvidenceKeys } from './keys.js';
import { createReadNode } from './nodes.js';
import type { KeptHeads } from './keptHeads.js';
import { consistencyPath } from './paths.js';
import { prove, requireNotBehind } from './prove.js';
import type { Records } from './records.js';
import { emptyRoot } from './tree.js';
import { findTree } from './trees.store.js';

interface Dependencies {
  readonly database: Connection;
  readonly records: Records;
  readonly keys: EvidenceKeys;
  readonly originOf: (workspaceId: string) => string;
  readonly kept: Pick<KeptHeads, 'ahead'>;
}

const findings = listOf(EvidenceFinding);

/** The head of a workspace's tree, how it grew, and proofs of executions. */
export function evidenceRoutes({ evidence }: { readonly evidence: Dependencies }): LogicRoute[] {
  const { database } = evidence;
  const scope = 'evidence:read';
  return [
    logicRoute({
      method: 'GET',
      path: '/logic/evidence/checkpoint',
      operationId: 'getEvidenceCheckpoint',
      tag: 'History',
      summary: "Get the signed head of the workspace's tree of records",
      scope,
      replies: { 200: EvidenceCheckpoint },
      problems: ['evidence_behind'],
      async handle({ workspaceId }) {
        const { checkpoint } = await headOf(evidence, workspaceId);
        return { status: 200, body: { checkpoint, checkedAt: await checkedAt(database, workspaceId) } };
      },
    }),
    logicRoute({
      method: 'GET',
      path: '/logic/evidence/findings',
      operationId: 'listEvidenceFindings',
      tag: 'History',
      summary: 'List what checks have found that is not as it was recorded',
      description:
        'Each workspace is checked twice a day. What a later check does not find any more stays, with `clearedAt`.',
      scope,
      query: PageQuery,
      ...findings.declared,
      problems: ['overloaded'],
      handle: (request) => findings.answer(request, (wanted) => pageOfFindings(database, request.workspaceId, wanted)),
    }),
    logicRoute({
      method: 'GET',
      path: '/logic/evidence/consistency',
      operationId: 'getEvidenceConsistency',
      tag: 'History',
      summary: 'Get what shows that the tree began as it was at an earlier size',
      scope,
      query: ConsistencyQuery,
      replies: { 200: EvidenceConsistency },
      problems: ['evidence_behind'],
      async handle({ workspaceId, query }) {
        const from = Number(query.from);
        const { size, checkpoint } = await headOf(evidence, workspaceId);
        if (from > size)
          throw broken([{ in: 'query', pointer: 'from', message: `must be at most the size of the tree, ${size}` }]);
        const path = await consistencyPath(createReadNode(database, workspaceId), from, size);
        return { status: 200, body: { from, path: path.map((hash) => hash.toString('base64')), checkpoint } };
      },
    }),
    logicRoute({
      method: 'GET',
      path: '/logic/executions/{id}/proof',
      operationId: 'proveExecution',
      tag: 'History',
      summary: 'Get the proof of a recorded execution: record, place in the tree, head, and model',
      description: 'There is one within seconds after the answer.',
      scope,
      params: IdParams,
      replies: { 200: ExecutionProof },
      problems: [
        'execution_not_found',
        'evidence_behind',
        'evidence_pending',
        'record_erased',
        'record_altered',
        'model_too_large',
        'overloaded',
      ],
      async handle({ workspaceId, params: { id }, reservation }) {
        return { status: 200, body: await prove(evidence, { workspaceId, id, reservation }) };
      },
    }),
  ];
}

/** That of a tree without leaves is signed when it is asked for. @throws Problem `evidence_behind` */
async function headOf(
  { database, keys, originOf, kept }: Dependencies,
  workspaceId: string,
): Promise<{ readonly size: number; readonly checkpoint: string }> {
  const tree = await findTree(database, workspaceId);
  await requireNotBehind({ database, kept }, workspaceId, tree);
  if (tree !== undefined && tree.size > 0) return tree;
  const head = { size: 0, root: emptyRoot };
  return { size: 0, checkpoint: signCheckpoint(originOf(workspaceId), head, await keys.signing()) };
}

/** Where the public keys of heads are published, for anybody. */
export const evidenceKeysRoute = ({ keys }: Pick<Dependencies, 'keys'>): Route => ({
  method: 'GET',
  path: '/.well-known/verdict-evidence.json',
  async handle(ctx: HttpContext) {
    // Others may cache them for half the time for which a new key is published before it signs.
    const headers = { 'Cache-Control': `public, max-age=${Math.floor(keyPublishDelayS / 2)}` };
    sendText(ctx, { status: 200, headers }, JSON.stringify({ keys: await keys.published() }));
  },
});
