import { expect } from 'chai';
import { problems } from '../../../src/errors.js';
import { scopes } from '../../../src/oauth/scopes.js';
import { setPolicy } from '../../../src/access/workspaces.service.js';
import { isLong } from '../../support/environment.js';
import type { Answer } from '../../support/http.js';
import { startIssuer, type Issuer } from '../../support/issuer.js';
import { pathOf, refused } from '../../support/operations/operations.js';
import { Matrix, statusesOf } from './matrix.js';
import { plans } from '../../support/operations/plans.js';
import type { Named } from '../../support/operations/reach.js';
import type { World } from '../../support/operations/world.js';

describe('the matrix of tenants for end users: every operation', () => {
  let matrix: Matrix;
  let mine: World;
  let sibling: World;
  let stranger: World;
  let issuer: Issuer;
  /** Trusted as well, and with the same names for its users. */
  let otherIssuer: Issuer;
  /** A user of each world, who may do everything there. */
  const users = new Map<World, string>();

  before(async () => {
    issuer = await startIssuer();
    otherIssuer = await startIssuer('https://others.example');
    matrix = await Matrix.open({ TRUSTED_ISSUERS: JSON.stringify([issuer.setting, otherIssuer.setting]) });
    ({ mine, sibling, stranger } = matrix);
    for (const world of [mine, sibling, stranger]) {
      await allow(world, `user-of-${world.name}`, scopes);
      users.set(world, await issuer.tokenOf(`user-of-${world.name}`));
    }
    for (const [id, operation] of matrix.operations) {
      await allow(
        mine,
        `all-but-${id}`,
        scopes.filter((one) => !operation.scopes.includes(one)),
      );
    }
  });
  after(async () => {
    issuer.close();
    otherIssuer.close();
    await matrix.close();
  });

  const allow = (world: World, subject: string, allowed: readonly string[]): Promise<unknown> =>
    setPolicy(
      matrix.store,
      { workspaceId: world.workspaceId },
      { effect: 'allow', subjects: [`${issuer.name}#${subject}`], roles: [], scopes: allowed },
    );
  /** What belongs to a tenant: inquiries, clients, workspaces, policies. */
  const isForClients = (id: string): boolean => !matrix.operation(id).inWorkspace;
  const userOf = (world: World): string => users.get(world) ?? expect.fail(`no user of ${world.name}`);
  const ask = (id: string, named: Named, token: string, { workspaceId }: World): Promise<Answer> =>
    matrix.ask(matrix.operation(id), named, { authorization: `Bearer ${token}`, workspaceId });
  const instance = (id: string, named: Named): string => pathOf(matrix.operation(id), named.params);

  it('works for each user in their own workspace, but for inquiries, so that refusals below mean something', async () => {
    for (const world of [mine, sibling, stranger]) {
      for (const [id, { own }] of Object.entries(plans)) {
        const wanted = isForClients(id) ? [403] : statusesOf(id);
        const answer = await ask(id, own(world), userOf(world), world);
        expect(answer.status, `${id}: ${answer.text}`).to.be.oneOf(wanted);
      }
    }
  });

  /** One piece of code reads the claims for all operations: each of them tries the first token and another one. */
  const some = <T>(all: readonly T[], number: number): readonly T[] =>
    isLong ? all : [all[0]!, all[1 + (number % (all.length - 1))]!];

  for (const [number, [id, { own, reaches }]] of Object.entries(plans).entries()) {
    describe(id, () => {
      it('reaches nothing of another workspace or tenant from the user’s own', async () => {
        for (const theirs of [sibling, stranger]) {
          const reached = reaches(mine, theirs);
          const answers = await matrix.untouched(
            [theirs],
            reached.map(
              ({ named }) =>
                () =>
                  ask(id, named, userOf(mine), mine),
            ),
            matrix.changedBy(matrix.operation(id), mine),
          );
          for (const [at, answer] of answers.entries()) {
            const { what, named, wanted } = reached[at]!;
            const code = isForClients(id) ? 'forbidden' : wanted;
            const status = typeof code === 'string' ? problems[code].status : code;
            expect(answer.status, `${what} of ${theirs.name}: ${answer.text}`).to.equal(status);
            if (typeof code === 'string') refused(answer, code, instance(id, named));
            expect(answer.headers).to.not.have.property('idempotency-replayed');
          }
        }
      });

      it('is refused in a workspace whose policies do not name the user, in both directions', async () => {
        for (const { askers, owner } of matrix.crossings) {
          const all = askers.flatMap((asker) => [own(owner), own(asker)].map((named) => ({ asker, named })));
          const answers = await matrix.untouched(
            [owner],
            all.map(
              ({ asker, named }) =>
                () =>
                  ask(id, named, userOf(asker), owner),
            ),
          );
          for (const [at, answer] of answers.entries())
            refused(answer, 'forbidden', instance(id, all[at]?.named ?? {}));
        }
      });

      it('is refused to a user of the same name of another issuer, and to one named as issuer and user', async () => {
        const tokens = [
          await otherIssuer.tokenOf('user-of-mine'),
          await otherIssuer.tokenOf(`${issuer.name}#user-of-mine`),
          await issuer.tokenOf('USER-OF-MINE'),
          await issuer.tokenOf('user-of-mine '),
          await issuer.tokenOf('*'),
        ];
        const answers = await matrix.untouched(
          [mine],
          some(tokens, number).map((token) => () => ask(id, own(mine), token, mine)),
        );
        for (const answer of answers) refused(answer, 'forbidden', instance(id, own(mine)));
      });

      it('is refused whatever the token claims beside its subject: a tenant, a client, scopes, a workspace', async () => {
        const { tenantId, workspaceId, client } = stranger;
        const claims = {
          tenant: tenantId,
          tenantId,
          client_id: client.id,
          azp: client.id,
          scope: scopes.join(' '),
          workspace: workspaceId,
          workspaceId,
          kind: 'client',
        };
        const tokens = [
          await issuer.tokenOf('user-of-mine', claims),
          // The subject of a client's own token.
          await issuer.tokenOf(client.id, claims),
          await issuer.tokenOf(`client:${client.id}`, claims),
        ];
        const answers = await matrix.untouched(
          [stranger],
          some(tokens, number).map((token) => () => ask(id, own(stranger), token, stranger)),
        );
        for (const answer of answers) refused(answer, 'forbidden', instance(id, own(stranger)));
      });

      it('is refused to a user whose policies allow everything else, whatever scope the token claims', async () => {
        const { scope } = matrix.operation(id);
        const token = await issuer.tokenOf(`all-but-${id}`, { scope });
        const [answer] = await matrix.untouched([mine], [() => ask(id, own(mine), token, mine)]);
        if (answer === undefined) expect.fail('no answer');
        if (isForClients(id)) refused(answer, 'forbidden', instance(id, own(mine)));
        else {
          refused(answer, 'insufficient_scope', instance(id, own(mine)), {
            'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
          });
        }
      });

      it('has changed nothing of them by all of that', () => matrix.requireUntouched());
    });
  }

  it('takes idempotency keys apart: of a client and a user, and of two users', async () => {
    await allow(mine, 'second-of-mine', scopes);
    // Policies count within 5 s.
    const second = await issuer.tokenOf('second-of-mine');
    const named = { ...plans['execute']!.own(mine), headers: { 'Idempotency-Key': 'of-all' } };
    const until = performance.now() + 40_000;
    let last = await ask('execute', named, second, mine);
    while (last.status === 403 && performance.now() < until) last = await ask('execute', named, second, mine);
    const answers = [last];
    for (const token of [userOf(mine), mine.token]) answers.push(await ask('execute', named, token, mine));
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => (body as { id: string }).id)).size).to.equal(3);
    for (const { headers } of answers) expect(headers).to.not.have.property('idempotency-replayed');
  });
});
