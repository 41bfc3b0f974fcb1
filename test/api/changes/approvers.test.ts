import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { ChangeRequest } from '../../../src/changes/changes.schema.js';
import { pause } from '../../../src/clock/timers.js';
import { findTree } from '../../../src/evidence/trees.store.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { useApp } from '../../support/app.js';
import { expectProblem } from '../../support/asserts.js';
import { apply, ask, buildPerson, protect, requestsPath, reread, review, type Person } from '../../support/changes.js';
import { verdict } from '../../support/cli.js';
import { eventually } from '../../support/eventually.js';
import { makeDue } from '../../support/jobs.js';
import { calling, doubling } from '../../support/models.js';
import { testDatabase, useScene } from '../../support/scene.js';

describe('a change request', () => {
  const app = useApp();
  const scene = useScene(app);
  let ann: Person;
  let bob: Person;
  let decisionId: string;
  let environmentId: string;
  before(async () => {
    [ann, bob] = [await buildPerson(app, scene), await buildPerson(app, scene)];
  });
  beforeEach(async () => {
    decisionId = await scene.decision(`${randomUUID()}.json`, doubling(2));
    environmentId = await scene.environment();
    await protect(scene.caller, environmentId);
  });

  const deploying = (version = 1): object => ({ type: 'deploy', decisionId, version });
  const opened = (changes: readonly object[] = [deploying()]): Promise<ChangeRequest> =>
    ask(ann.caller, environmentId, changes);
  const at = ({ id }: Pick<ChangeRequest, 'id'>, rest = ''): string => `${requestsPath}/${id}${rest}`;

  it('does not count who wrote content that would newly be in force, whoever saved it, in whatever it reaches', async () => {
    const carl = await buildPerson(app, scene);
    const key = `${randomUUID()}.json`;
    const posted = await carl.caller.post('/logic/decisions', { key, content: doubling(2) });
    const reachedId = (posted.body as { id: string }).id;
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: calling(key) });
    expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    const first = await opened([deploying(2)]);
    expect((await review(carl.caller, first)).body).to.include({ state: 'OPEN' });
    expect((await review(bob.caller, first)).body).to.include({ state: 'APPROVED' });
    expect((await apply(ann.caller, first)).status).to.equal(200);
    // What carl wrote is in force by now: he counts again, but not who wrote what another then changed and saved.
    await bob.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(4) });
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(5) });
    expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    await scene.caller.patch(`/logic/decisions/${reachedId}`, { key: `${randomUUID()}.json` });
    const second = await opened([deploying(3)]);
    expect((await review(bob.caller, second)).body).to.include({ state: 'OPEN' });
    expect((await review(carl.caller, second)).body).to.include({ state: 'APPROVED' });
  });

  it('says of each review whether it counts, why not, and beforehand whether one’s own would', async () => {
    const carl = await buildPerson(app, scene);
    await bob.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(3) });
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(4) });
    expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    const made = await opened([deploying(2)]);
    const approvals = async (person: Pick<Person, 'caller'>): Promise<Record<string, unknown>> =>
      (await person.caller.get(at(made, '/approvals'))).body as Record<string, unknown>;
    const counts = { counts: true, reason: null };
    const not = (reason: string): object => ({ counts: false, reason });
    const wrote = not('by who wrote what it brings into force');
    const owns = [];
    for (const person of [ann, bob, carl, scene]) owns.push((await approvals(person))['own']);
    expect(owns).to.deep.equal([not('by who asked for it'), wrote, counts, not('by who saved the version')]);
    await review(carl.caller, made, 'comment');
    await review(bob.caller, made);
    await review(carl.caller, made);
    const { reviews } = (await review(carl.caller, made)).body as ChangeRequest;
    const shown = (reasons: readonly object[]): object[] =>
      reviews.map(({ principal, verdict, at: when }, index) => ({ principal, verdict, at: when, ...reasons[index] }));
    const [comment, again] = [not('a comment'), not('decided again later')];
    expect(await approvals(carl)).to.deep.equal({
      ...{ given: 1, required: 1, own: counts },
      reviews: shown([comment, wrote, again, counts]),
    });
    await scene.caller.patch(`/core/v1/clients/${carl.principal.replace('client:', '')}`, { disabled: true });
    expect(await approvals(ann)).to.deep.include({
      given: 0,
      reviews: shown([comment, wrote, not('by who may not review any more'), not('by who may not review any more')]),
    });
    await protect(scene.caller, environmentId, { authorMayApprove: true });
    expect(await approvals(bob)).to.deep.equal({
      ...{ given: 0, required: 1, own: counts },
      reviews: shown(reviews.map(() => not('of an earlier state'))),
    });
  });

  it('does not count who wrote long ago what only the new version reaches, whoever saved it', async () => {
    const carl = await buildPerson(app, scene);
    const key = `${randomUUID()}.json`;
    const posted = await carl.caller.post('/logic/decisions', { key: `old/${key}`, content: doubling(7) });
    const reachedId = (posted.body as { id: string }).id;
    // Another writes the version that is in force, later than the clocks of processes may differ by.
    await pause(1500);
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(3) });
    expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    const first = await opened([deploying(2)]);
    expect((await review(bob.caller, first)).body).to.include({ state: 'APPROVED' });
    expect((await apply(ann.caller, first)).status).to.equal(200);
    await scene.caller.patch(`/logic/decisions/${reachedId}`, { key });
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: calling(key) });
    expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    const second = await opened([deploying(3)]);
    expect((await review(carl.caller, second)).body).to.include({ state: 'OPEN' });
    expect((await review(bob.caller, second)).body).to.include({ state: 'APPROVED' });
  });

  it('says of an applied request what counted when it was applied, and counts who wrote only what is in force', async () => {
    const key = `${randomUUID()}.json`;
    const posted = await bob.caller.post('/logic/decisions', { key, content: doubling(2) });
    const reachedId = (posted.body as { id: string }).id;
    const carl = await buildPerson(app, scene);
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: calling(key) });
    const saved = async (): Promise<void> => {
      expect((await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {})).status).to.equal(201);
    };
    await saved();
    const first = await opened([deploying(2)]);
    await review(bob.caller, first);
    await review(carl.caller, first);
    const counted = async (): Promise<unknown[]> =>
      (
        (await ann.caller.get(at(first, '/approvals'))).body as {
          reviews: { counts: boolean; reason: string | null }[];
        }
      ).reviews.map(({ counts, reason }) => [counts, reason]);
    const before = await counted();
    expect(before).to.deep.equal([
      [false, 'by who wrote what it brings into force'],
      [true, null],
    ]);
    expect((await apply(ann.caller, first)).status).to.equal(200);
    expect(await counted(), 'once it is applied').to.deep.equal(before);

    // Of the next version bob wrote only what is in force by now, carl what is new.
    await carl.caller.patch(`/logic/decisions/${reachedId}`, { content: doubling(3) });
    await scene.caller.patch(`/logic/decisions/${decisionId}`, { content: { ...calling(key), description: 'New' } });
    await saved();
    const second = await opened([deploying(3)]);
    expect((await review(carl.caller, second)).body).to.include({ state: 'OPEN' });
    expect((await review(bob.caller, second)).body).to.include({ state: 'APPROVED' });
  });

  it('does not count an approval of an end user whom the policies do not let review any more', async () => {
    const policies = `/core/v1/workspaces/${scene.workspaceId}/policies`;
    const user = { subjects: ['dora'], roles: [], scopes: ['change:review'] };
    const allowed = await scene.caller.post(policies, { ...user, effect: 'allow' });
    expect(allowed.status, allowed.text).to.equal(201);
    const made = await opened();
    await review(bob.caller, made);
    await testDatabase()('change_reviews')
      .where('change_request_id', idToBytes(made.id))
      .update({ principal: 'user:https://id.example#dora' });
    const given = async (): Promise<unknown> =>
      ((await ann.caller.get(at(made, '/approvals'))).body as { given: number }).given;
    expect(await given()).to.equal(1);
    const denied = await scene.caller.post(policies, { ...user, effect: 'deny' });
    expect(denied.status, denied.text).to.equal(201);
    expect(await given()).to.equal(0);
    expectProblem(await apply(ann.caller, made), 'approval_required', {
      instance: at(made, '/apply'),
      detail: 'The change request cannot be applied yet: 0 of 1 approvals.',
    });
  });

  for (const [what, alter] of [
    ['another principal', (reviews: Knex.QueryBuilder) => reviews.update({ principal: 'client:somebody' })],
    ['no review any more', (reviews: Knex.QueryBuilder) => reviews.delete()],
  ] as const) {
    it(`whose reviews were given ${what} in the database is found by a check of evidence`, async () => {
      const made = await opened();
      await review(bob.caller, made, 'comment');
      const found = async (): Promise<unknown[]> => {
        await eventually(async () => (await findTree(testDatabase(), scene.workspaceId)) !== undefined);
        const ran = await verdict('evidence', 'check', '--workspace', scene.workspaceId, '--json');
        const { findings } = ran.json as { findings: { kind: string; id: string | null }[] };
        return findings.filter(({ id }) => id === made.id).map(({ kind }) => kind);
      };
      expect(await found()).to.deep.equal([]);
      await alter(testDatabase()('change_reviews').where('change_request_id', idToBytes(made.id)));
      expect(await found()).to.deep.equal(['altered']);
    });
  }

  for (const [what, lapse] of [
    ['was deleted', (id: string) => scene.caller.delete(`/core/v1/clients/${id}`)],
    ['was disabled', (id: string) => scene.caller.patch(`/core/v1/clients/${id}`, { disabled: true })],
    ['lost the scope', (id: string) => scene.caller.patch(`/core/v1/clients/${id}`, { scopes: ['change:read'] })],
    ['lost the workspace', (id: string) => scene.caller.patch(`/core/v1/clients/${id}`, { workspaces: [] })],
    [
      'has another workspace in place of it',
      async (id: string) => {
        const { body } = await scene.caller.post('/core/v1/workspaces', { name: 'Another' });
        return scene.caller.patch(`/core/v1/clients/${id}`, { workspaces: [(body as { id: string }).id] });
      },
    ],
  ] as const) {
    it(`does not count an approval of a client that ${what} since`, async () => {
      const dora = await buildPerson(app, scene, 'change:read change:review');
      const made = await opened();
      expect((await review(dora.caller, made)).body).to.include({ state: 'APPROVED' });
      const lapsed = await lapse(dora.principal.replace('client:', ''));
      expect(lapsed.status, lapsed.text).to.be.within(200, 204);
      expectProblem(await apply(ann.caller, made), 'approval_required', {
        instance: at(made, '/apply'),
        detail: 'The change request cannot be applied yet: 0 of 1 approvals.',
      });
      await makeDue(testDatabase(), 'approval', [made.id]);
      const reopened = await eventually(async () => {
        const now = await reread(ann.caller, made);
        return now.state === 'OPEN' && now;
      });
      expect(reopened.notice).to.equal(
        `Reviews by ${dora.principal} do not count any more, because who gave them may not review now.`,
      );
      expect((await review(bob.caller, made)).body).to.include({ state: 'APPROVED' });
      expect((await apply(ann.caller, made)).status).to.equal(200);
    });
  }
});
