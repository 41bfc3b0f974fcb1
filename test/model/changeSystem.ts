import { expect } from 'chai';
import type { ChangeRequest } from '../../src/changes/changes.schema.js';
import { readItems, replacedBy } from '../../src/changes/items.store.js';
import { digestOf } from '../../src/changes/subject.js';
import type { Protection } from '../../src/protections/protections.schema.js';
import { idFromBytes, idToBytes } from '../../src/storage/ids.js';
import { all, buildPerson, requestsPath } from '../support/changes.js';
import { eventually } from '../support/eventually.js';
import { callerOf, NoAnswer, type Answer, type Caller } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene, testStore, type Scene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import type { Step } from './changeStep.js';

const versions = 4;
const roles = ['authors', 'authors', 'approvers', 'approvers', 'applier', 'intruder'] as const;

/** Somebody, at either process. */
interface Person {
  readonly principal: string;
  readonly at: (server: 0 | 1) => Caller;
}

/** The protections that change places: who approved under one has not approved under the other. */
const protections = [1, 2].map((approvals): Protection => ({
  approvals,
  authorMayApprove: false,
  requires: { tests: false, analysis: false, replay: null, coverage: null },
  override: true,
}));

/** The real thing, and what is known of it: every answer that promised something. */
export class ChangeSystem {
  readonly counts = { applied: 0, overridden: 0, refused: 0, rolledBack: 0, lost: 0 };
  readonly #servers: ServerProcess[];
  readonly #scene: Scene;
  readonly #environmentId: string;
  readonly #decisionId: string;
  readonly #people: Readonly<Record<(typeof roles)[number], readonly Person[]>>;
  readonly #requests: string[] = [];
  /** Acknowledged, by request. */
  readonly #approved: { readonly id: string; readonly principal: string; readonly digest: string }[] = [];
  readonly #overridden: { readonly id: string; readonly reason: string }[] = [];
  readonly #deployments = new Set<string>();
  readonly #down = new Set<number>();
  /** A connection that broke may have done what was asked: then nothing is promised, and nothing excluded. */
  #uncertain = 0;

  private constructor(parts: {
    servers: ServerProcess[];
    scene: Scene;
    environmentId: string;
    decisionId: string;
    people: Readonly<Record<(typeof roles)[number], readonly Person[]>>;
  }) {
    this.#servers = parts.servers;
    this.#scene = parts.scene;
    this.#environmentId = parts.environmentId;
    this.#decisionId = parts.decisionId;
    this.#people = parts.people;
  }

  static async build(servers: ServerProcess[]): Promise<ChangeSystem> {
    const [first] = servers as [ServerProcess, ServerProcess];
    const scene = await buildScene(first);
    const { decisionId, environmentId, deploymentId } = await scene.deployed('factor.json', doubling(1));
    for (let factor = 2; factor <= versions; factor++) await scene.decision('factor.json', doubling(factor));
    await scene.variable(environmentId, 'V', 0);
    const people: Record<(typeof roles)[number], Person[]> = { authors: [], approvers: [], applier: [], intruder: [] };
    for (const role of roles) people[role].push(await personOf(servers, scene));
    const system = new ChangeSystem({ servers, scene, environmentId, decisionId, people });
    system.#deployments.add(deploymentId);
    const answer = await scene.caller.put(system.#path('/protection'), protections[0]);
    expect(answer.status, answer.text).to.equal(200);
    return system;
  }

  #path(rest: string): string {
    return `/logic/environments/${this.#environmentId}${rest}`;
  }

  #person(role: (typeof roles)[number], { choice }: Step): Person {
    const people = this.#people[role];
    return people[choice % people.length]!;
  }

  /** Does it; what was asked of a process that went down meanwhile has no answer. */
  async take(step: Step): Promise<void> {
    if (step.kind === 'crash') return this.#crash(step.server);
    try {
      await this.#do(step);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#uncertain++;
      this.counts.lost++;
    }
  }

  async #crash(server: 0 | 1): Promise<void> {
    this.#down.add(server);
    await this.#servers[server]!.kill();
  }

  /** Starts those processes again that went down. */
  async recover(): Promise<void> {
    for (const server of this.#down) this.#servers[server] = await startServer(longTimeouts);
    this.#down.clear();
  }

  #chosen({ choice }: Step): string | undefined {
    // The newest are those that are still open.
    return this.#requests.at(-1 - (choice % 6));
  }

  async #do(step: Step): Promise<void> {
    const { kind, choice, server } = step;
    if (kind === 'ask') return this.#ask(step);
    if (kind === 'protect') {
      await this.#callerAt(server).put(this.#path('/protection'), protections[choice % 2]);
      return;
    }
    if (['deploy', 'patch', 'variable', 'hosts', 'remove', 'rollback'].includes(kind)) return this.#intrude(step);
    const id = this.#chosen(step);
    if (id === undefined) return;
    const role = kind === 'approve' && choice % 5 === 0 ? 'authors' : kind === 'approve' ? 'approvers' : 'applier';
    const person = this.#person(role, { ...step, choice: Math.floor(choice / 7) });
    const caller = person.at(server);
    if (kind === 'apply') this.#applied(await caller.post(`${requestsPath}/${id}/apply`, {}));
    else if (kind === 'override') await this.#override(caller, id, choice);
    else if (kind === 'close') await caller.post(`${requestsPath}/${id}/close`, undefined);
    else await this.#review(step, person, id);
  }

  async #review({ kind, choice, server }: Step, person: Person, id: string): Promise<void> {
    const caller = person.at(server);
    const shown = (await caller.get(`${requestsPath}/${id}`)).body as ChangeRequest;
    const digest = kind === 'unknownDigest' ? '00'.repeat(32) : shown.digest;
    const verdict = kind === 'reject' && choice % 4 === 0 ? 'reject' : kind === 'reject' ? 'comment' : 'approve';
    const answer = await caller.post(`${requestsPath}/${id}/reviews`, { verdict, digest });
    expect(answer.status, answer.text).to.be.oneOf([201, 409, 412, 429, 503]);
    if (answer.status === 201 && verdict === 'approve') {
      expect(kind).to.equal('approve');
      this.#approved.push({ id, principal: person.principal, digest });
    }
  }

  #callerAt(server: 0 | 1): Caller {
    return callerOf(this.#servers[server]!.baseUrl, this.#scene.token, this.#scene.workspaceId);
  }

  async #ask(step: Step): Promise<void> {
    const version = 1 + (step.choice % versions);
    const answer = await this.#person('authors', step)
      .at(step.server)
      .post(requestsPath, {
        environmentId: this.#environmentId,
        title: 'T',
        changes: [
          { type: 'deploy', decisionId: this.#decisionId, version },
          { type: 'variable', name: 'V', value: version },
        ],
      });
    // The environment has room for a hundred open ones.
    expect(answer.status, answer.text).to.be.oneOf([201, 429, 503]);
    if (answer.status === 201) this.#requests.push((answer.body as ChangeRequest).id);
  }

  #applied(answer: Answer): void {
    expect(answer.status, answer.text).to.be.oneOf([200, 409, 503]);
    if (answer.status !== 200) this.counts.refused++;
    else this.counts.applied++;
  }

  async #override(caller: Caller, id: string, choice: number): Promise<void> {
    if (choice % 3 > 0) return;
    const reason = `reason ${choice}`;
    const answer = await caller.post(`${requestsPath}/${id}/apply`, { override: { reason } });
    expect(answer.status, answer.text).to.be.oneOf([200, 409, 503]);
    if (answer.status !== 200) return;
    this.counts.overridden++;
    this.#overridden.push({ id, reason });
  }

  /** Somebody with every scope writes directly: it is refused, unless it goes back to what was in force. */
  async #intrude(step: Step): Promise<void> {
    const { kind, choice, server } = step;
    const caller = this.#person('intruder', step).at(server);
    const [deploymentId] = [...this.#deployments];
    const version = 1 + (choice % versions);
    const target = { decisionId: this.#decisionId, environmentId: this.#environmentId };
    const fields = { ...target, name: 'D', deployedBy: 'x' };
    const answer = await {
      deploy: () => caller.post('/logic/deployments', { ...fields, version: 0 }),
      patch: () => caller.patch(`/logic/deployments/${deploymentId}`, { version: 1 + version }),
      variable: () => caller.put(this.#path('/variables/V'), { value: -1 }),
      hosts: () => caller.put(this.#path('/hosts'), { hosts: ['evil.example'] }),
      remove: () => caller.delete(`/logic/deployments/${deploymentId}`),
      rollback: () => caller.post('/logic/deployments', { ...fields, version }),
    }[kind as 'deploy' | 'patch' | 'variable' | 'hosts' | 'remove' | 'rollback']();
    if (kind === 'rollback' && answer.status === 201) {
      this.counts.rolledBack++;
      this.#deployments.add((answer.body as { id: string }).id);
      return;
    }
    if (answer.status === 503) return;
    expect(answer.status, `${kind}: ${answer.text}`).to.equal(409);
    expect(answer.body, kind).to.include({ code: 'approval_required' });
  }

  /** No state in force that was not approved with its exact digest; no approval lost; every override audited. */
  async expectSound(): Promise<void> {
    const caller = this.#callerAt(0);
    const requests = await all<ChangeRequest>(caller, `${requestsPath}?environmentId=${this.#environmentId}`);
    const byId = new Map(requests.map((request) => [request.id, request]));
    for (const { id, principal, digest } of this.#approved) {
      const kept = byId.get(id)?.reviews.some((one) => one.principal === principal && one.digest === digest);
      expect(kept, `the approval of ${id} by ${principal}`).to.equal(true);
    }
    const overrides = await all<{ resource: { id: string }; after: { override: { reason: string } } }>(
      caller,
      '/logic/audit-entries?action=change_request.override',
    );
    const audited = overrides.map(({ resource, after }) => `${resource.id} ${after.override.reason}`);
    for (const { id, reason } of this.#overridden) expect(audited).to.include(`${id} ${reason}`);
    const overridden = new Set(overrides.map(({ resource }) => resource.id));
    for (const request of requests) {
      if (request.state === 'APPLIED' && !overridden.has(request.id)) await this.#expectApproved(request);
      else if (request.state !== 'APPLIED') expect(request.deploymentIds).to.deep.equal([]);
    }
    await this.#expectInForce(requests);
  }

  /** By its digest it is known under which protection it was applied, and so how many had to approve. */
  async #expectApproved(request: ChangeRequest): Promise<void> {
    const { database, encryption } = testStore();
    const items = (await readItems(database, request.workspaceId, [request.id])).get(request.id) ?? [];
    const replaced = items.flatMap((item) => replacedBy(encryption, item) ?? []);
    const under = (protection: Protection) => ({ ...request, items, replaced, protection });
    const digests = await Promise.all(protections.map((one) => digestOf({ database, encryption }, under(one))));
    expect(digests, 'its digest is that of one of the protections').to.include(request.digest);
    const approvers = request.reviews
      .filter(({ verdict, digest }) => verdict === 'approve' && digest === request.digest)
      .map(({ principal }) => principal)
      .filter((principal) => principal !== request.author);
    expect(new Set(approvers).size, request.id).to.be.at.least(protections[digests.indexOf(request.digest)]!.approvals);
  }

  /** The deployments in the order in which they came into force. */
  async #routed(): Promise<string[]> {
    const rows = (await testStore()
      .database('routings')
      .select('deployment_id')
      .where('environment_id', idToBytes(this.#environmentId))
      .orderBy('seq')) as { deployment_id: Buffer }[];
    return rows.map((row) => idFromBytes(row.deployment_id));
  }

  async #expectInForce(requests: readonly ChangeRequest[]): Promise<void> {
    // The scene's own goes to a process that may have died.
    const caller = this.#callerAt(0);
    const deployments = await all<{ id: string; version: number }>(caller, '/logic/deployments');
    const allowed = new Set([...this.#deployments, ...requests.flatMap(({ deploymentIds }) => deploymentIds)]);
    const strangers = deployments.filter(({ id }) => !allowed.has(id));
    expect(strangers.length, 'deployments that nobody asked for').to.be.at.most(this.#uncertain);
    const routed = await this.#routed();
    for (const request of requests) {
      const [change] = request.changes;
      const own = deployments.find(({ id }) => request.deploymentIds.includes(id));
      if (request.state !== 'APPLIED') continue;
      expect(own?.version).to.equal(change?.version);
      expect(routed[routed.indexOf(own!.id) - 1]).to.equal(change?.replaces?.deploymentId);
    }
    const newest = deployments.find(({ id }) => id === routed.at(-1));
    for (const server of [0, 1] as const) {
      await eventually(async () => {
        const path = `/logic/${this.#environmentId}/decisions/${this.#decisionId}/executions`;
        const { body } = await this.#callerAt(server).post(path, { fact: { x: 1 } });
        return (body as { result?: { y?: number } }).result?.y === newest?.version;
      });
    }
    const { data } = (await caller.get(this.#path('/variables'))).body as { data: { value: number }[] };
    const applied = requests.filter(({ state }) => state === 'APPLIED');
    const last = applied.find(({ deploymentIds }) => deploymentIds.includes(newestOf(routed, applied)));
    expect(data.map(({ value }) => value)).to.deep.equal([last?.changes[1]?.value ?? 0]);
  }
}

/** The newest deployment that a request made. */
const newestOf = (routed: readonly string[], applied: readonly ChangeRequest[]): string => {
  const made = new Set(applied.flatMap(({ deploymentIds }) => deploymentIds));
  return routed.filter((id) => made.has(id)).at(-1) ?? '';
};

async function personOf(servers: readonly ServerProcess[], scene: Scene): Promise<Person> {
  const { principal, token } = await buildPerson(servers[0]!, scene);
  return { principal, at: (server) => callerOf(servers[server]!.baseUrl, token, scene.workspaceId) };
}
