import { formatJson } from '../../workers/json/index.js';
import type { Reply } from '../http/server/response.js';
import { html, namedValues, printedReply, timeText, valueTold, type Html } from '../api/printed.js';
import { decisionName, inNames } from '../decisions/decisionName.js';
import type { DecisionEntry } from '../decisions/decisionIndex.js';
import { findDecision } from '../decisions/decisions.store.js';
import { environments } from '../environments/environments.store.js';
import { named, namesOf } from '../workspaces/names.store.js';
import { changedVersions, type Comparing } from './changedVersions.js';
import type { Change, ChangeRequest, Review } from './changes.schema.js';

/**
 * A change request on paper: who asked, what changes, checks, reviews, digest, who applied it.
 * @param uncounted why each review does not count
 */
export async function requestPage(
  parts: Comparing,
  request: ChangeRequest,
  uncounted: readonly (string | undefined)[],
): Promise<Reply> {
  const { workspaceId, environmentId, title, changes, checks, reviews } = request;
  const environment = (await environments.find(parts.database, { workspaceId, id: environmentId }))?.name;
  const people = [request.author, request.appliedBy, ...reviews.map(({ principal }) => principal)];
  const names = await namesOf(parts.database, workspaceId, people);
  const told: Html[] = [];
  const deployed: DecisionEntry[] = [];
  for (const change of changes) {
    const { decisionId } = change;
    const decision = decisionId === undefined ? undefined : await findDecision(parts.database, workspaceId, decisionId);
    if (decision !== undefined) deployed.push(decision);
    told.push(await changeItem(parts, workspaceId, change, decision));
  }
  const body = html`<h1>${title}</h1>
    <p class="under">Change request for ${environment ?? environmentId}</p>
    ${request.notice === undefined ? [] : [html`<p class="mark">${inNames(request.notice, deployed)}</p>`]}
    ${namedValues([
      ['State', states[request.state]],
      ['Asked by', named(names, request.author)],
      ['Asked at', timeText(request.createdAt)],
      ['Message', request.message],
      ['Applied by', request.appliedBy && named(names, request.appliedBy)],
      ['Applied at', request.appliedAt && timeText(request.appliedAt)],
    ])}
    <h2>What changes</h2>
    <ol>
      ${told}
    </ol>
    <h2>Checks</h2>
    ${
      checks.length === 0
        ? html`<p>None are asked for.</p>`
        : html`<ul>
            ${checks.map((check) => checkItem(check, deployed))}
          </ul>`
    }
    <h2>Reviews</h2>
    ${
      reviews.length === 0
        ? html`<p>Nobody has reviewed it.</p>`
        : html`<ol>
            ${reviews.map((each, at) => reviewItem(each, named(names, each.principal), uncounted[at]))}
          </ol>`
    }
    <h2>Record</h2>
    ${namedValues([
      ['Request', request.id],
      ['Environment', environmentId],
      ['Digest', html`<code>${request.digest}</code>`],
      ['Deployments', request.deploymentIds.length === 0 ? null : request.deploymentIds.join(', ')],
      ['Last change', timeText(request.updatedAt)],
    ])}`;
  return printedReply(`${title}: change request`, body);
}

const states: Readonly<Record<ChangeRequest['state'], string>> = {
  OPEN: 'open',
  APPROVED: 'approved, not applied',
  APPLIED: 'applied',
  REJECTED: 'rejected',
  CLOSED: 'closed',
};

async function changeItem(
  parts: Comparing,
  workspaceId: string,
  change: Change,
  decision: DecisionEntry | undefined,
): Promise<Html> {
  const { type, name = '', version = 0, decisionId = '', hosts = [], replaces } = change;
  switch (type) {
    case 'deploy': {
      const key = decision?.key ?? decisionId;
      const before = replaces?.version;
      const instead = before === undefined ? 'for the first time' : `in place of version ${before}`;
      const details =
        before === undefined
          ? []
          : await changedVersions(parts, { workspaceId, id: decisionId, from: before, to: version });
      return html`<li>
        Deploy version ${version} of <em title="${key}">${decisionName(key)}</em>, ${instead}.${details}
      </li>`;
    }
    case 'variable':
      return html`<li>Set the variable <em>${name}</em> to ${valueText(change)}, ${insteadOf(replaces)}.</li>`;
    case 'variable.delete':
      return html`<li>Remove the variable <em>${name}</em>, ${insteadOf(replaces)}.</li>`;
    case 'hosts':
      return html`<li>
        Function nodes may call ${hostsText(hosts)}, in place of ${hostsText(replaces?.hosts ?? [])}.
      </li>`;
  }
}

const hostsText = (hosts: readonly string[]): string => (hosts.length === 0 ? 'no host' : hosts.join(', '));

const valueText = ({ secret, value }: Pick<Change, 'secret' | 'value'>): string =>
  secret === true ? 'a secret value' : valueTold(formatJson(value));

const insteadOf = (replaces: Change['replaces']): string =>
  replaces === null ? 'which is new' : `which is ${valueText(replaces)} now, or was before it`;

const checkItem = (
  { name, state, detail }: ChangeRequest['checks'][number],
  deployed: readonly DecisionEntry[],
): Html =>
  html`<li><em>${name}</em>: ${state.toLowerCase()}${detail === null ? '' : `. ${inNames(detail, deployed)}`}</li>`;

const verdicts: Readonly<Record<Review['verdict'], string>> = {
  approve: 'approved',
  reject: 'rejected',
  comment: 'commented',
};

const reviewItem = ({ verdict, digest, message, at }: Review, who: string, reason: string | undefined): Html =>
  html`<li>
    ${who} ${verdicts[verdict]} on
    ${timeText(at)}${message === null ? '' : `: ${message}`}${
      reason === undefined || verdict === 'comment' ? '' : html` <em>It does not count: ${reason}.</em>`
    }
    Of <code>${digest}</code>
  </li>`;
