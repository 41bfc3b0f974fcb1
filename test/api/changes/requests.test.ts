import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ChangeRequest } from '../../../src/changes/changes.schema.js';
import { useApp } from '../../support/app.js';
import { expectProblem, timestamp, uuidV7 } from '../../support/asserts.js';
import { apply, ask, buildPerson, protect, requestsPath, reread, review, type Person } from '../../support/changes.js';
import { doubling } from '../../support/models.js';
import { useScene } from '../../support/scene.js';

describe('change requests', function () {
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
  const executed = async (): Promise<unknown> => {
    const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, {
      fact: { x: 1 },
    });
    return answer.status === 201 ? (answer.body as { result: unknown }).result : (answer.body as { code: string }).code;
  };

  it('POST answers 201 with the whole request, whose secrets are not shown', async () => {
    const hosts = ['API.example.com'];
    const changes = [
      deploying(),
      { type: 'variable', name: 'FREE_FROM', value: { a: [1, 'b'] } },
      { type: 'variable', name: 'KEY', value: 'hush hush', secret: true },
      { type: 'variable.delete', name: 'OLD' },
      { type: 'hosts', hosts },
    ];
    const answer = await ann.caller.post(requestsPath, { environmentId, title: ' Rates ', message: 'm', changes });
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.headers.etag).to.equal('"1"');
    const body = answer.body as ChangeRequest;
    expect(body).to.deep.equal({
      id: body.id,
      workspaceId: scene.workspaceId,
      environmentId,
      title: 'Rates',
      message: 'm',
      author: ann.principal,
      state: 'OPEN',
      digest: body.digest,
      changes: [
        { type: 'deploy', decisionId, version: 1, replaces: null },
        { type: 'variable', name: 'FREE_FROM', value: { a: [1, 'b'] }, secret: false, replaces: null },
        { type: 'variable', name: 'KEY', secret: true, replaces: null },
        { type: 'variable.delete', name: 'OLD', replaces: null },
        { type: 'hosts', hosts: ['api.example.com'], replaces: { hosts: [] } },
      ],
      checks: [],
      reviews: [],
      appliedBy: null,
      appliedAt: null,
      deploymentIds: [],
      createdAt: body.createdAt,
      updatedAt: body.createdAt,
    });
    expect(body.id).to.match(uuidV7);
    expect(body.digest).to.match(/^[0-9a-f]{64}$/);
    expect(await reread(scene.caller, body)).to.deep.equal(body);
  });

  it('POST names what is missing, what does not belong, and what is not there', async () => {
    const post = (changes: readonly object[], more: object = {}) =>
      ann.caller.post(requestsPath, { environmentId, title: 'T', changes, ...more });
    const violation = (pointer: string, message: string): object => ({ in: 'body', pointer, message });
    const faulty = await post([
      { type: 'deploy', version: 1, hosts: [] },
      { type: 'variable', name: 'A' },
      { type: 'variable.delete', name: 'A' },
      { type: 'hosts' },
    ]);
    expectProblem(faulty, 'validation_failed', {
      instance: requestsPath,
      errors: [
        violation('/changes/0/decisionId', 'is required'),
        violation('/changes/0/hosts', 'is no field of deploy'),
        violation('/changes/1/value', 'is required'),
        violation('/changes/2', 'changes what an earlier one of the request changes'),
        violation('/changes/3/hosts', 'is required'),
      ] as never,
    });
    expectProblem(
      await post([deploying(2), { ...deploying(), decisionId: randomUUID() }], { environmentId: randomUUID() }),
      'reference_not_found',
      {
        instance: requestsPath,
        errors: [
          violation('/environmentId', 'names no environment of this workspace'),
          violation('/changes/0/version', 'names no saved version of this decision'),
          violation('/changes/1/decisionId', 'names no decision of this workspace'),
        ] as never,
      },
    );
    const unprotected = await scene.environment();
    expectProblem(await post([deploying()], { environmentId: unprotected }), 'not_protected', {
      instance: requestsPath,
    });
  });

  it('is in force once it is approved by somebody else and applied, all of it at once', async () => {
    const made = await opened([
      deploying(),
      { type: 'variable', name: 'V', value: 7 },
      { type: 'hosts', hosts: ['a.example'] },
    ]);
    expectProblem(await apply(ann.caller, made), 'approval_required', {
      instance: at(made, '/apply'),
      detail: 'The change request cannot be applied yet: 0 of 1 approvals.',
    });
    expect(await executed()).to.equal('routing_not_found');
    const approved = await bob.caller.post(at(made, '/reviews'), {
      verdict: 'approve',
      digest: made.digest,
      message: 'Fine',
    });
    expect(approved.status, approved.text).to.equal(201);
    const { state, reviews } = approved.body as ChangeRequest;
    expect(state).to.equal('APPROVED');
    expect(reviews).to.deep.equal([
      { principal: bob.principal, verdict: 'approve', digest: made.digest, message: 'Fine', at: reviews[0]!.at },
    ]);
    expect(reviews[0]!.at).to.match(timestamp);

    const applied = await apply(ann.caller, made, undefined);
    expect(applied.status, applied.text).to.equal(200);
    const body = applied.body as ChangeRequest;
    expect(body).to.deep.include({ state: 'APPLIED', appliedBy: ann.principal, digest: made.digest });
    expect(body.appliedAt).to.match(timestamp);
    expect(body.deploymentIds).to.have.length(1);
    expect(await executed()).to.deep.equal({ y: 2 });
    const deployment = (await scene.caller.get(`/logic/deployments/${body.deploymentIds[0]}`)).body;
    expect(deployment).to.deep.include({ version: 1, name: 'A change', deployedBy: ann.principal, environmentId });
    const environment = `/logic/environments/${environmentId}`;
    expect((await scene.caller.get(`${environment}/variables`)).body).to.have.nested.property('data[0].value', 7);
    expect((await scene.caller.get(`${environment}/hosts`)).body).to.deep.equal({ hosts: ['a.example'] });
    for (const rest of ['/apply', '/close']) {
      expectProblem(await ann.caller.post(at(made, rest), {}), 'change_request_ended', { instance: at(made, rest) });
    }
  });

  it('does not count its author, nor who saved the version, unless the protection says so', async () => {
    await bob.caller.patch(`/logic/decisions/${decisionId}`, { content: doubling(3) });
    const saved = await bob.caller.post(`/logic/decisions/${decisionId}/versions`, {});
    expect(saved.body).to.include({ version: 2, savedBy: bob.principal });
    const made = await opened([deploying(2)]);
    for (const person of [ann, bob]) {
      expect((await review(person.caller, made)).body).to.include({ state: 'OPEN' });
    }
    expect((await apply(ann.caller, made)).status).to.equal(409);
    const page = await scene.caller.get(at(made), { Accept: 'text/html' });
    const reviews =
      page.text
        .split('<h2>')[3]
        ?.replaceAll(/<[^>]+>/g, '')
        .replaceAll(/\s+/g, ' ') ?? '';
    expect(reviews)
      .to.match(
        new RegExp(
          `${ann.principal}\\) approved on \\S+ \\S+ UTC It does not count: by who asked for it\\. Of ${made.digest}`,
        ),
      )
      .and.match(
        new RegExp(
          `${bob.principal}\\) approved on \\S+ \\S+ UTC It does not count: by who saved the version\\. Of ${made.digest}`,
        ),
      );
    await protect(scene.caller, environmentId, { authorMayApprove: true });
    const now = await reread(ann.caller, made);
    expect(now.digest).to.not.equal(made.digest);
    expect(now).to.include({
      state: 'OPEN',
      notice: '2 reviews do not count any more, because the protection changed: authorMayApprove: false → true.',
    });
    expect((await review(ann.caller, now)).body).to.include({ state: 'APPROVED' });
    expect((await apply(ann.caller, made)).status).to.equal(200);
    expect(await executed()).to.deep.equal({ y: 3 });
  });

  it('loses its approval when the protection changes, and has it again when that is what was approved', async () => {
    const made = await opened();
    await review(bob.caller, made);
    await protect(scene.caller, environmentId, { approvals: 2 });
    const stale = await reread(ann.caller, made);
    expect(stale).to.include({
      state: 'OPEN',
      notice: '1 review does not count any more, because the protection changed: approvals: 1 → 2.',
    });
    expectProblem(await review(bob.caller, made), 'precondition_failed', { instance: at(made, '/reviews') });
    expectProblem(await apply(ann.caller, made), 'approval_required', {
      instance: at(made, '/apply'),
      detail: 'The change request cannot be applied yet: 0 of 2 approvals.',
    });
    await protect(scene.caller, environmentId);
    expect(await reread(ann.caller, made))
      .to.include({ state: 'APPROVED', digest: made.digest })
      .and.not.have.property('notice');
    expect((await apply(ann.caller, made)).status).to.equal(200);
  });

  it('needs as many principals as the protection says, each of whom counts once', async () => {
    await protect(scene.caller, environmentId, { approvals: 2 });
    const made = await opened();
    await review(bob.caller, made);
    expect((await review(bob.caller, made)).body).to.include({ state: 'OPEN' });
    expect((await review(scene.caller, made)).body).to.include({ state: 'APPROVED' });
    expect((await review(bob.caller, made, 'comment')).body).to.include({ state: 'APPROVED' });
  });

  it('is over once it is rejected, by anybody but who is interested, or closed', async () => {
    const rejected = await opened();
    expect((await review(ann.caller, rejected, 'reject')).body).to.include({ state: 'OPEN' });
    expect((await review(bob.caller, rejected, 'reject')).body).to.include({ state: 'REJECTED' });
    const closed = await opened();
    expectProblem(
      await ann.caller.post(at(closed, '/close'), undefined, { 'If-Match': '"9"' }),
      'precondition_failed',
      {
        instance: at(closed, '/close'),
      },
    );
    expect((await ann.caller.post(at(closed, '/close'), undefined)).body).to.include({ state: 'CLOSED' });
    for (const made of [rejected, closed]) {
      expectProblem(await review(bob.caller, made), 'change_request_ended', { instance: at(made, '/reviews') });
      expectProblem(await apply(ann.caller, made), 'change_request_ended', { instance: at(made, '/apply') });
    }
    expect(await executed()).to.equal('routing_not_found');
  });

  it('is applied by an override where the protection and the scope allow it, with a reason', async () => {
    const made = await opened();
    const override = { override: { reason: 'Outage' } };
    expectProblem(await apply(ann.caller, made, override), 'approval_required', {
      instance: at(made, '/apply'),
      detail: 'The change request cannot be applied yet: the protection allows no override.',
    });
    await protect(scene.caller, environmentId, { override: true });
    const clerk = await buildPerson(app, scene, 'change:apply change:read');
    expectProblem(await apply(clerk.caller, made, override), 'insufficient_scope', { instance: at(made, '/apply') });
    expect((await apply(ann.caller, made, { override: { reason: ' ' } })).status).to.equal(400);
    expect((await apply(ann.caller, made, override)).body).to.include({ state: 'APPLIED' });
    expect(await executed()).to.deep.equal({ y: 2 });
    const { body } = await scene.caller.get('/logic/audit-entries?action=change_request.override&order=desc&size=1');
    expect((body as { data: object[] }).data[0]).to.deep.nested.include({
      principal: ann.principal,
      'resource.id': made.id,
      'after.override': { reason: 'Outage' },
      'after.state': 'APPLIED',
    });
  });

  it('keeps its decisions until it has ended', async () => {
    const made = await opened();
    expect((await scene.caller.delete(`/logic/decisions/${decisionId}`)).body).to.include({ code: 'decision_in_use' });
    await ann.caller.post(at(made, '/close'), undefined);
    expect((await scene.caller.delete(`/logic/decisions/${decisionId}`)).status).to.equal(204);
  });

  it('is listed by state, environment, decision and author, a page at a time', async () => {
    const made = [await opened(), await opened(), await ask(bob.caller, environmentId, [deploying()])];
    await review(bob.caller, made[1]!);
    const ids = async (query: string): Promise<string[]> => {
      const { body, status, text } = await ann.caller.get(`${requestsPath}?${query}`);
      expect(status, text).to.equal(200);
      return (body as { data: ChangeRequest[] }).data.map(({ id }) => id);
    };
    const [first, second, third] = made.map(({ id }) => id) as [string, string, string];
    expect(await ids(`environmentId=${environmentId}`)).to.deep.equal([first, second, third]);
    expect(await ids(`decisionId=${decisionId}&order=desc`)).to.deep.equal([third, second, first]);
    expect(await ids(`decisionId=${decisionId}&size=1&order=desc`)).to.deep.equal([third]);
    expect(await ids(`environmentId=${environmentId}&state=APPROVED`)).to.deep.equal([second]);
    expect(await ids(`author=${bob.principal}&environmentId=${environmentId}`)).to.deep.equal([third]);
    const { body } = await ann.caller.get(`${requestsPath}?environmentId=${environmentId}&size=2`);
    const { after } = (body as { page: { after: string } }).page;
    expect(await ids(`environmentId=${environmentId}&after=${after}`)).to.deep.equal([third]);
  });
});
