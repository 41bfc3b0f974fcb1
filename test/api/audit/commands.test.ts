import { userInfo } from 'node:os';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { useApp } from '../../support/app.js';
import { written } from '../../support/auditEntries.js';
import { done, verdict } from '../../support/cli.js';
import { commands } from '../../support/commands.js';
import { buildInquiry } from '../../support/factories.js';
import { eventually } from '../../support/eventually.js';
import { intoThePast } from '../../support/measures.js';
import { doubling } from '../../support/models.js';
import { testDatabase, testStore, useFreshScene } from '../../support/scene.js';

describe('every write of the command line appends an audit entry', function () {
  const app = useApp();
  const scene = useFreshScene(app);
  const ofClient = (): string[] => ['--client', scene.client.id, '--workspace', scene.workspaceId];
  const inquiry = async (): Promise<string> => (await buildInquiry(testStore(), scene.tenantId)).id;
  const ofTenant = (): string[] => ['--tenant', scene.tenantId];
  const setCallback = async (): Promise<string[]> => {
    await done('tenant', 'callback', 'set', ...ofTenant(), '--url', 'https://93.184.215.14/events');
    return ofTenant();
  };

  /** By the command's words: its arguments, once all that it needs is there, and the actions that it appends. */
  const writes: Record<
    string,
    { readonly actions: readonly string[]; readonly args: () => Promise<string[]> | string[] }
  > = {
    'client revoke': { actions: ['client.revoke'], args: ofClient },
    'measures recount': {
      actions: ['measures.update'],
      async args() {
        const { decisionId, environmentId } = await scene.deployed('d.json', doubling(2));
        await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x: 1 } });
        await intoThePast(scene.workspaceId);
        return ['--workspace', scene.workspaceId, '--from', new Date(Date.now() - 4 * 3_600_000).toISOString()];
      },
    },
    'key rotate': { actions: ['key.rotate'], args: () => [] },
    'evidence rotate': { actions: ['evidence_key.rotate'], args: () => [] },
    'execution prune': {
      actions: ['execution.prune'],
      async args() {
        const { decisionId, environmentId } = await scene.deployed('d.json', doubling(2));
        await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: { x: 1 } });
        return ['--workspace', scene.workspaceId, '--before', '2100-01-01'];
      },
    },
    'outbox retry': { actions: ['outbox.retry'], args: () => message('dead') },
    'outbox drop': { actions: ['outbox.drop'], args: () => message('dead') },
    'audit prune': { actions: [], args: () => ['--before', '2001-01-01'] },
  };
  /** What they append is printed at the end of test/golden/cli/operators.txt. */
  const told = [
    ...['tenant create', 'tenant callback set', 'tenant callback rotate', 'tenant callback remove'],
    ...['workspace create', 'workspace limit', 'policy set', 'policy remove'],
    ...['create', 'grant', 'update', 'enable', 'disable', 'delete', 'rotate-secret'].map((verb) => `client ${verb}`),
    ...['inquiry create', 'inquiry complete', 'inquiry delete'],
  ];
  /** They work by HTTP, where each write has its entry (contract/audit.test.ts). */
  const remote = [
    ...['push', 'decision import', 'decision copy', 'decision move', 'decision delete', 'decision save'],
    ...['environment create', 'environment update', 'environment delete', 'environment hosts set'],
    ...['variable set', 'variable unset', 'deployment create', 'deployment rollback'],
    ...['replay start', 'replay cancel', 'shadow start', 'shadow end'],
    ...['create', 'approve', 'reject', 'comment', 'close', 'apply'].map((command) => `change ${command}`),
    ...['table create', 'table import', 'tests import', 'erasure create'],
    ...[
      'callback set',
      'callback rotate',
      'callback remove',
      'monitor create',
      'monitor delete',
      'decision measured set',
    ],
    ...['environment protection set', 'environment protection remove', 'environment retention set'],
  ];

  /** They read, or write files of this machine alone; the entries of the first two are tested with what they do. */
  const others = [
    ...['encryption rotate', 'evidence restart'],
    ...['tenant list', 'tenant audit', 'tenant callback show', 'tenant callback test', 'workspace list', 'client list'],
    ...['policy list', 'inquiry list', 'inquiry show', 'outbox list'],
    ...['login', 'logout', 'whoami', 'pull', 'diff', 'audit list'],
    ...['execution list', 'execution show', 'execution explain', 'execution run'],
    ...['decision list', 'decision show', 'decision diff', 'decision analyse', 'decision validate', 'decision test'],
    ...['batch run', 'callback show', 'callback test'],
    ...['change list', 'change show', 'table export', 'tests export'],
    ...['environment list', 'environment show', 'environment hosts show', 'variable list', 'deployment list'],
    ...['replay show', 'shadow list', 'shadow show', 'evidence export', 'evidence verify', 'evidence check'],
    ...['erasure show', 'erasure list', 'evidence findings', 'monitor list', 'monitor show', 'decision measured show'],
    ...['environment protection show', 'environment retention show'],
  ];

  /** A message in that state, of the tenant. */
  async function message(state: string): Promise<string[]> {
    await setCallback();
    const id = await inquiry();
    await verdict('inquiry', 'complete', id);
    // The server is sending it; what it makes of that would take the place of the state that is set here.
    const first = await eventually(async () => {
      const { messages } = await done<{ messages: { id: string; error: string | null }[] }>(
        'outbox',
        'list',
        ...ofTenant(),
      );
      return messages.find(({ error }) => error !== null);
    });
    await testDatabase()('outbox').whereRaw("id = UNHEX(REPLACE(?, '-', ''))", [first.id]).update({ state });
    return [first.id];
  }

  it('is known to this test, or writes nothing', async () => {
    const transcript = readFileSync(join(projectRoot, 'test/golden/cli/operators.txt'), 'utf8');
    for (const words of told) expect(transcript).to.match(new RegExp(`^\\$ (\\[\\w+\\] )?${words} `, 'm'));
    const known = [...Object.keys(writes), ...told, ...remote, ...others];
    expect((await commands()).sort()).to.deep.equal(known.sort());
  });

  for (const [words, { actions, args }] of Object.entries(writes)) {
    it(`${words}: ${actions.join(', ')}, by the operator`, async () => {
      const given = await args();
      const entries = await written(testDatabase(), async () => {
        const ran = await verdict(...words.split(' '), ...given);
        expect(ran.exit, ran.stderr).to.equal(0);
      });
      expect(entries.map(({ action }) => action)).to.deep.equal(actions);
      for (const { principal, requestId } of entries) {
        expect([principal, requestId]).to.deep.equal([`operator:${userInfo().username}`, null]);
      }
    });
  }
});
