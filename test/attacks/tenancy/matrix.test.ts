import { expect } from 'chai';
import { problems } from '../../../src/errors.js';
import { scopes } from '../../../src/oauth/scopes.js';
import { isLong } from '../../support/environment.js';
import { buildClient } from '../../support/factories.js';
import type { Answer } from '../../support/http.js';
import { serverKey, sign, tokenOf } from '../../support/tokens.js';
import { pathOf, refused, type Described } from '../../support/operations/operations.js';
import { Matrix, statusesOf } from './matrix.js';
import { plans } from '../../support/operations/plans.js';
import type { World } from '../../support/operations/world.js';

/** Scopes that no operation needs for every body. */
const ofBodies = ['change:override'];

describe('the matrix of tenants: every operation', function () {
  let matrix: Matrix;
  let mine: World;
  let sibling: World;
  let stranger: World;
  let signing: Awaited<ReturnType<typeof serverKey>>;

  before(async () => {
    matrix = await Matrix.open();
    ({ mine, sibling, stranger } = matrix);
    signing = await serverKey(matrix.store);
  });
  after(() => matrix.close());

  const operationOf = (id: string): Described => matrix.operation(id);
  const bearer = (token: string): string => `Bearer ${token}`;
  const ask: Matrix['ask'] = (...asked) => matrix.ask(...asked);
  const untouched: Matrix['untouched'] = (...work) => matrix.untouched(...work);

  it('asks for one scope of its own kind', () => {
    const declared = [...matrix.operations.values()].map(({ scope }) => scope);
    expect(new Set([...declared, ...ofBodies])).to.deep.equal(new Set(scopes));
  });

  it('works in each of the three workspaces for its own client, so that refusals below mean something', async () => {
    for (const world of [mine, sibling, stranger]) {
      for (const [id, plan] of Object.entries(plans)) {
        const answer = await ask(operationOf(id), plan.own(world), {
          authorization: bearer(world.token),
          workspaceId: world.workspaceId,
        });
        expect(answer.status, `${id}: ${answer.text}`).to.be.oneOf(statusesOf(id));
      }
    }
  });

  it('lets a token with one scope alone do what declares that scope, and nothing else', async () => {
    const passed: string[] = [];
    const declared: string[] = [];
    for (const [turn, scope] of scopes.entries()) {
      const as = { authorization: bearer(await forged({ scope })), workspaceId: mine.workspaceId };
      await Promise.all(
        [...matrix.operations].map(async ([id, operation], at) => {
          const declares = operation.scopes.includes(scope);
          if (declares) declared.push(`${scope} ${id}`);
          // That no scope but its own is enough is tried below, for each operation with all of the others at once.
          else if (!isLong && (at + turn) % 4 !== 0) return;
          const { status, body } = await ask(operation, plans[id]?.own(mine) ?? {}, as);
          const isRefused = status === 403 && (body as { code: string }).code === 'insufficient_scope';
          if (!isRefused) passed.push(`${scope} ${id}`);
          else expect(body, `${scope} ${id}`).to.include({ status: 403, title: 'The token lacks a scope' });
        }),
      );
    }
    expect(passed).to.have.members(declared);
    expect(new Set(declared.map((each) => each.split(' ')[1]))).to.deep.equal(new Set(Object.keys(plans)));
  });

  for (const [number, [id, { own, reaches }]] of Object.entries(plans).entries()) {
    describe(id, () => {
      it('reaches nothing of another workspace or tenant from its own', async () => {
        const { inWorkspace } = operationOf(id);
        // Inquiries belong to the tenant, so those of the sibling are one's own.
        for (const theirs of inWorkspace ? [sibling, stranger] : [stranger]) {
          const reached = reaches(mine, theirs);
          const as = { authorization: bearer(mine.token), workspaceId: mine.workspaceId };
          const answers = await untouched(
            [theirs],
            reached.map(
              ({ named }) =>
                () =>
                  ask(operationOf(id), named, as),
            ),
            matrix.changedBy(operationOf(id), mine),
          );
          for (const [at, answer] of answers.entries()) {
            const { what, named, wanted } = reached[at]!;
            if (typeof wanted === 'string') refused(answer, wanted, pathOf(operationOf(id), named.params));
            else expect(answer.status, `${what} of ${theirs.name}: ${answer.text}`).to.equal(wanted);
            expect(answer.headers).to.not.have.property('idempotency-replayed');
          }
        }
      });

      it('is refused in a workspace that is not granted, whoever asks for whatever, in both directions', async () => {
        const operation = operationOf(id);
        if (!operation.inWorkspace) return;
        for (const { askers, owner } of matrix.crossings) {
          const all = askers.flatMap((asker) => [own(owner), own(asker)].map((named) => ({ asker, named })));
          const answers = await untouched(
            [owner],
            all.map(
              ({ asker, named }) =>
                () =>
                  ask(operation, named, { authorization: bearer(asker.token), workspaceId: owner.workspaceId }),
            ),
          );
          for (const [at, answer] of answers.entries())
            refused(answer, 'forbidden', pathOf(operation, all[at]?.named.params));
        }
      });

      it('is refused to a token with every scope but its own, or one that is its beginning, end or neighbour', async () => {
        const operation = operationOf(id);
        const { scope } = operation;
        const others = scopes.filter((one) => !operation.scopes.includes(one)).join(' ');
        const near = [
          scope.slice(0, -1),
          `${scope}s`,
          `${scope}:all`,
          `x${scope}`,
          scope.toUpperCase(),
          scope.replace(':', '%3A'),
          '*',
        ];
        const like = [...near, scope.split('').join(' '), scope.replace(':', ' '), `"${scope}"`];
        // One piece of code reads the claim for all operations, so each of them tries another one.
        const claims = [others, '', ...(isLong ? like : [like[number % like.length]!])];
        const tokens = await Promise.all(claims.map((claimed) => forged({ scope: claimed })));
        const answers = await untouched(
          [mine],
          tokens.map(
            (token) => () => ask(operation, own(mine), { authorization: bearer(token), workspaceId: mine.workspaceId }),
          ),
        );
        for (const answer of answers) {
          refused(answer, 'insufficient_scope', pathOf(operation, own(mine).params), {
            'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
          });
        }
      });

      it('has changed nothing of them by all of that', () => matrix.requireUntouched());
    });
  }

  describe('for a client of both workspaces', () => {
    let token: string;
    before(async () => {
      const workspaces = [mine.workspaceId, sibling.workspaceId];
      const { app, store } = matrix;
      token = await tokenOf(app.baseUrl, await buildClient(store, { tenantId: mine.tenantId, workspaces }));
      matrix.forgetRows();
    });

    it('keeps to the workspace in the header', async () => {
      for (const [here, there] of [
        [mine, sibling],
        [sibling, mine],
      ] as const) {
        for (const [id, { reaches }] of Object.entries(plans)) {
          if (!operationOf(id).inWorkspace) continue;
          const reached = reaches(here, there);
          const as = { authorization: bearer(token), workspaceId: here.workspaceId };
          const answers = await untouched(
            [there],
            reached.map(
              ({ named }) =>
                () =>
                  ask(operationOf(id), named, as),
            ),
            [here],
          );
          for (const [at, answer] of answers.entries()) {
            const { what, wanted } = reached[at]!;
            const status = typeof wanted === 'string' ? problems[wanted].status : wanted;
            expect(answer.status, `${id}, ${what}: ${answer.text}`).to.equal(status);
          }
        }
        await matrix.requireUntouched();
      }
    });

    it('takes an idempotency key apart by workspace', async () => {
      const headers = { 'Idempotency-Key': 'of-both' };
      const answers: Answer[] = [];
      for (const { workspaceId, ...ids } of [mine, sibling]) {
        const params = { environmentId: ids.environmentId, decisionId: ids.decisionId };
        const named = { params, body: { fact: { x: 1 } }, headers };
        answers.push(await ask(operationOf('execute'), named, { authorization: bearer(token), workspaceId }));
      }
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 201]);
      const [first, second] = answers.map(({ body }) => body as { id: string; result: { mark: string } });
      expect(first?.id).to.not.equal(second?.id);
      // A version that was written by a test before this one has something after the mark.
      expect(first?.result.mark).to.match(new RegExp(`^${mine.mark}\\b`));
      expect(second?.result.mark).to.match(new RegExp(`^${sibling.mark}\\b`));
    });
  });

  /** A token signed by the service's own key, as only a fault of the service could make it. */
  function forged(claims: Record<string, unknown>): Promise<string> {
    const { key, kid } = signing;
    const now = Math.floor(Date.now() / 1000);
    const { id } = mine.client;
    const issuer = 'http://localhost:3000';
    const usual = { iss: issuer, aud: issuer, sub: id, client_id: id, iat: now, exp: now + 60, jti: id };
    return sign(key, { ...usual, tenant: mine.tenantId, ...claims }, { alg: 'RS256', typ: 'at+jwt', kid });
  }
});
