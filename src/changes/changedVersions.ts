import type { ModelWork } from '../../workers/models/index.js';
import type { Reservation } from '../admission/byteBudget.js';
import { html, type Html } from '../api/printed.js';
import { changedDependencies, readVersionRunning, type ChangedDependency } from '../decisions/changedDependencies.js';
import { requireFinished } from '../decisions/programs/requireFinished.js';
import { decisionName } from '../decisions/decisionName.js';
import { contentBytes, type Reading } from '../decisions/readVersion.js';

export interface Comparing extends Reading {
  /** Threads that compare versions. */
  readonly models: ModelWork;
  readonly reservation: Pick<Reservation, 'grow'>;
}

interface Pair {
  readonly workspaceId: string;
  /** Of the decision. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** Decisions that a version runs of which is told what changed in them; others are named. */
const mostTold = 50;

/** What two versions differ in: their own contents, and those of the decisions that they run. */
export async function changedVersions(parts: Comparing, { from, to, ...decision }: Pair): Promise<Html[]> {
  const [before, after] = [
    await readVersionRunning(parts, { ...decision, version: from }),
    await readVersionRunning(parts, { ...decision, version: to }),
  ] as const;
  const changed = changedDependencies(before.dependencies, after.dependencies);
  const [old, young] = [before.version.contentHash, after.version.contentHash];
  const own = old === young ? [] : await changedContent(parts, decision.workspaceId, old, young);
  const called: Html[] = [];
  for (const [at, each] of changed.entries())
    called.push(await calledItem(parts, decision.workspaceId, each, at < mostTold));
  if (old !== young) return [...own, ...called];
  return changed.length === 0 ? [html` Both have the same content.`] : [html` Its own content is the same.`, ...called];
}

async function calledItem(
  parts: Comparing,
  workspaceId: string,
  { key, before, after }: ChangedDependency,
  isTold: boolean,
): Promise<Html> {
  const name = decisionName(key);
  if (before === null) return html`<p>It runs <em>${name}</em>, which the version before did not.</p>`;
  if (after === null) return html`<p>It does not run <em>${name}</em> any more.</p>`;
  if (!isTold) return html`<p><em>${name}</em>, which it runs, is another one, too.</p>`;
  return html`<p>In <em>${name}</em>, which it runs:</p>
    ${await changedContent(parts, workspaceId, before, after)}`;
}

/** What differs in two contents, by nodes. */
async function changedContent(
  { database, models, reservation }: Comparing,
  workspaceId: string,
  from: string,
  to: string,
): Promise<Html[]> {
  const bytesOf = await contentBytes(database, [from, to], reservation);
  const task = { kind: 'changesInWords', from: bytesOf(from), to: bytesOf(to) } as const;
  const answer = requireFinished(await models.work(workspaceId, task));
  const told = answer.changes.filter(({ sentences }) => sentences.length > 0);
  const items = told.map(
    ({ node, sentences }) =>
      html`<li>
        <em>${node}</em>
        <ul>
          ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </li>`,
  );
  return [
    html`<ul>
      ${items}
    </ul>`,
    ...(answer.left === 0 ? [] : [html`<p>and ${answer.left} more changes</p>`]),
  ];
}
