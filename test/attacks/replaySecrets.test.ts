import { expect } from 'chai';
import { buildClient } from '../support/factories.js';
import { eventually } from '../support/eventually.js';
import { callerOf, type Caller } from '../support/http.js';
import { calling, expressing, scripting, type Model } from '../support/models.js';
import { ended, replayed, ReplayStage, type ShownReport } from '../support/replays.js';
import { testStore } from '../support/scene.js';
import { tokenOf } from '../support/tokens.js';
import { bodyOf } from '../support/asserts.js';

const secret = 'qzjxkwvp';
/** Whether the secret's letters stand one after the other in it, whatever stands between them. */
const tells = (shown: unknown): boolean =>
  JSON.stringify(shown)
    .replaceAll(/[^a-z]/g, '')
    .includes(secret);

const spelled = "map(split($env.TOKEN, ''), [#])";
const spelling = expressing({ y: spelled });

/** Working copies that show a secret letter by letter, which no redaction finds. */
const attacks: Readonly<Record<string, { readonly model: Model; readonly others?: Record<string, Model> }>> = {
  'an expression': { model: spelling },
  'all variables at once': { model: expressing({ y: "map(split(values($env)[0], ''), [#])" }) },
  'an assignment of them': { model: expressing({ e: '$env', y: "map(split($.e.TOKEN, ''), [#])" }) },
  'a function node': {
    model: scripting('return { y: [...env.TOKEN].map((letter) => [letter]) };', "import env from 'env';"),
  },
  'an expression in a function node': {
    model: scripting(
      `return { y: (await zen.evaluateExpression("map(split(t, ''), [#])", { t: input.$env.TOKEN })) };`,
      "import zen from 'zen';",
    ),
  },
  'a sub-decision': { model: calling('sub.json'), others: { 'sub.json': spelling } },
  'a failure that tells them': {
    model: scripting("throw new Error([...env.TOKEN].join(' '));", "import env from 'env';"),
  },
};

describe('secrets of an environment, as an author of decisions may look for them', () => {
  const stage = new ReplayStage();
  let author: Caller;
  beforeEach(async () => {
    const { tenantId, workspaceId } = stage.scene;
    const scopes = 'decision:update replay:write replay:read shadow:write shadow:read';
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes });
    author = callerOf(stage.app.baseUrl, await tokenOf(stage.app.baseUrl, client), workspaceId);
    await stage.scene.variable(stage.environmentId, 'TOKEN', secret, true);
    await stage.deployed(expressing({ y: 'x' }));
  });
  const write = async ({ model, others = {} }: (typeof attacks)[string]): Promise<void> => {
    for (const [key, other] of Object.entries(others)) await stage.scene.write(key, other);
    await stage.scene.write('d.json', model);
    await stage.scene.settled();
  };
  const request = (version: number): object => stage.request({ candidate: { version } });
  const shownBy = async (id: string): Promise<unknown> => [
    await ended(author, id),
    (await author.get(`/logic/replays/${id}/differences`)).body,
  ];

  for (const [name, attack] of Object.entries(attacks)) {
    it(`are not told to a replay of a working copy, by ${name}`, async () => {
      await stage.execute({ x: 1 });
      await write(attack);
      const { id, report } = await replayed(author, request(0));
      expect(tells(await shownBy(id)), JSON.stringify(await shownBy(id))).to.equal(false);
      expect(report).to.deep.include({ replayed: 0, skipped: { secret: 1 }, fields: [], transitions: [] });
    });
  }

  it('are not told to a shadow of a working copy, nor to measures', async () => {
    await write({ model: spelling });
    const { environmentId, decisionId } = stage;
    const measures = [
      { name: 'variable', expression: 'len($env.TOKEN)', aggregate: 'sum' },
      { name: 'letter', expression: "result.y[0][0] == 'q'", aggregate: 'count' },
    ];
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const body = { environmentId, decisionId, version: 0, sample: 1, expiresAt, measures };
    const { id } = bodyOf(await author.post('/logic/shadows', body), 201) as { id: string };
    await stage.execute({ x: 1 });
    const report = await eventually(async () => {
      const shown = (await author.get(`/logic/shadows/${id}`)).body as { report: ShownReport };
      const { replayed: runs, skipped } = shown.report;
      return runs + Object.keys(skipped).length > 0 && shown.report;
    });
    expect(tells(report)).to.equal(false);
    expect(report).to.deep.include({ replayed: 0, skipped: { secret: 1 } });
    expect(report.measures.map(({ before, after }) => [before, after])).to.deep.equal([
      [0, 0],
      [0, 0],
    ]);
  });

  it('are not told to a saved version that was only in force in another environment', async () => {
    const elsewhere = await stage.scene.environment();
    await stage.execute({ x: 1 });
    await stage.next(spelling);
    await stage.scene.deploy(stage.decisionId, elsewhere, 2);
    const { id, report } = await replayed(author, request(2));
    expect(tells(await shownBy(id))).to.equal(false);
    expect(report).to.deep.include({ replayed: 0, skipped: { secret: 1 } });
  });

  it('are given to a version that was in force there, and to a working copy only while it is', async () => {
    const reading = expressing({ y: '$env.TOKEN', z: 'x' });
    await stage.next(reading);
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 0);
    await stage.scene.settled();
    await stage.execute({ x: 1 });
    expect((await replayed(author, request(0))).report).to.include({ replayed: 1, identical: 1 });
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 2);
    await stage.scene.deploy(stage.decisionId, stage.environmentId, 1);
    expect((await replayed(author, request(2))).report).to.include({ replayed: 1, identical: 1 });
    expect((await replayed(author, request(0))).report).to.deep.include({ replayed: 0, skipped: { secret: 1 } });
  });

  it('leave what does not read them to be compared', async () => {
    for (const x of [1, 2]) await stage.execute({ x });
    await write({ model: expressing({ y: 'x > 1 ? len($env.TOKEN) : x + 1' }) });
    const { report } = await replayed(author, request(0));
    expect(report).to.deep.include({ replayed: 1, changed: 1, skipped: { secret: 1 } });
  });
});
