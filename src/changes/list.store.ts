import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { readPage, textsIn, type Page, type PageAccount, type PageRequest } from '../storage/pages.js';
import type { ChangeRequest } from './changes.schema.js';
import { chargeRequests } from './chargeRequests.js';
import { headColumns, heads, readWhole, type Reading, type State } from './requests.store.js';

/** Of 4,000 characters. */
const longestMessage = 16_000;

interface RequestFilter {
  readonly state?: State | undefined;
  readonly environmentId?: string | undefined;
  readonly decisionId?: string | undefined;
  readonly author?: string | undefined;
}

/** A page, on somebody's account; `total` counts all of the workspace, whatever the filter. */
export async function pageOfRequests(
  reading: Reading,
  workspaceId: string,
  filter: RequestFilter,
  request: PageRequest & { readonly account: PageAccount },
): Promise<Page<ChangeRequest>> {
  const { database } = reading;
  const workspace = idToBytes(workspaceId);
  const [rows, column] = filtered(database, workspace, filter);
  const counted = database('change_requests').where('workspace_id', workspace);
  const texts = textsIn(database, ['r.message'], longestMessage);
  const { data, page } = await readPage(rows.select(headColumns), request, heads.map, { column, counted, texts });
  await chargeRequests(database, { workspaceId, ids: data.map(({ id }) => id) }, request.account);
  return { data: (await readWhole(reading, workspaceId, data)).map(({ resource }) => resource), page };
}

/** Each filter is a range of one index, in the order of ids; of several the most selective one decides. */
function filtered(database: Connection, workspace: Buffer, filter: RequestFilter): [Knex.QueryBuilder, string] {
  const { state, environmentId, decisionId, author } = filter;
  const from = (index: string): Knex.Raw => database.raw('change_requests AS r FORCE INDEX (??)', [index]);
  const index =
    environmentId !== undefined
      ? 'change_requests_environment'
      : author !== undefined
        ? 'change_requests_author'
        : state !== undefined
          ? 'change_requests_state'
          : 'change_requests_workspace';
  const [rows, column] =
    decisionId === undefined
      ? [database(from(index)).where('r.workspace_id', workspace), 'r.id']
      : [
          database(database.raw('change_request_changes AS c FORCE INDEX (change_request_changes_decision)'))
            .joinRaw('STRAIGHT_JOIN change_requests AS r ON r.id = c.change_request_id')
            .where({ 'c.workspace_id': workspace, 'c.decision_id': idToBytes(decisionId) }),
          'c.change_request_id',
        ];
  if (state !== undefined) void rows.where('r.state', state);
  if (environmentId !== undefined) void rows.where('r.environment_id', idToBytes(environmentId));
  if (author !== undefined) void rows.where('r.author', author);
  return [rows, column];
}
