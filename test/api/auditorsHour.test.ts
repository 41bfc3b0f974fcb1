import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import type { EvidenceFinding } from '../../src/evidence/evidence.schema.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useOwnApp } from '../support/app.js';
import { all, apply, ask, buildPerson, protect, review } from '../support/changes.js';
import { eventually } from '../support/eventually.js';
import { useFolder } from '../support/folder.js';
import { loan } from '../support/loan.js';
import type { Model } from '../support/models.js';
import { verdictIn, type CommandResult } from '../support/cli.js';
import { remoteEnvironment } from '../support/remote.js';
import { testDatabase, useFreshScene } from '../support/scene.js';

const texts = { en: 'Your debts are too high for your income', fi: 'Velkasi ovat liian suuret tuloihisi nähden' };

/** The demo's loans, which say in two languages why one is refused. */
function saying(model: Model): Model {
  const nodes = (model['nodes'] as { id: string; content?: object }[]).map((node) =>
    node.id === 'route' ? { ...node, content: { ...node.content, reasons: { refuse: texts } } } : node,
  );
  return { ...model, nodes };
}

const refusedFact = { age: 41, income: 1000, debts: 500, amount: 1800, months: 24, score: 700 };

interface ExplainedStep {
  readonly node: string;
  readonly sentences: readonly string[];
  readonly reasons: readonly { readonly text: string }[];
}

describe("an auditor's hour", () => {
  const app = useOwnApp();
  const scene = useFreshScene(app);
  const get = (path: string, headers: Record<string, string> = {}) => scene.caller.get(path, headers);
  /** On a machine that knows address and client alone. */
  const run = (...args: string[]): Promise<CommandResult> =>
    verdictIn(
      { environment: remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId }), directory },
      ...args,
    );
  let environmentId: string;
  let decisionId: string;
  const directory = useFolder();
  beforeEach(async () => {
    ({ decisionId, environmentId } = await scene.deployed('loan.json', saying(loan(5.4))));
  });

  async function execute(fact: object, reference: string): Promise<string> {
    const path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
    const answer = await scene.caller.post(path, { fact }, { 'Execution-Reference': reference });
    expect(answer.status, answer.text).to.equal(201);
    return (answer.body as { id: string }).id;
  }
  const executions = (id: string) => testDatabase()('executions').where('id', idToBytes(id));
  const own = () => ({ workspace_id: idToBytes(scene.workspaceId) });

  /** Everything that is committed now has its leaf. */
  async function sequenced(ids: readonly string[]): Promise<void> {
    await eventually(async () => {
      const leaves = (await testDatabase()('evidence_leaves')
        .where(own())
        .whereIn('subject_id', ids.map(idToBytes))
        .select('position')) as unknown[];
      return leaves.length === ids.length;
    });
  }

  /** What is found, once the workspace was checked anew. */
  async function found(): Promise<EvidenceFinding[]> {
    const checkedAt = async (): Promise<string | null> =>
      ((await get('/logic/evidence/checkpoint')).body as { checkedAt: string | null }).checkedAt;
    await eventually(checkedAt);
    const before = await checkedAt();
    await testDatabase()('jobs')
      .where({ kind: 'evidence_check', id: idToBytes(scene.workspaceId), claimed: false })
      .update({ due_at: new Date(0) });
    await eventually(async () => (await checkedAt()) !== before);
    return all<EvidenceFinding>(scene.caller, '/logic/evidence/findings');
  }
  const open = (findings: readonly EvidenceFinding[]): unknown[] =>
    findings
      .filter(({ clearedAt }) => clearedAt === null)
      .map(({ kind, subjectId }) => [kind, subjectId])
      .sort();

  it('finds a refused loan explained on paper, in two languages, and by the command line', async () => {
    const id = await execute(refusedFact, 'customer-1');
    const path = `/logic/executions/${id}/explanation`;
    for (const [language, text, other] of [
      ['fi-FI, en;q=0.5', texts.fi, texts.en],
      ['de, en;q=0.5', texts.en, texts.fi],
    ] as const) {
      const page = await get(path, { Accept: 'text/html', 'Accept-Language': language });
      expect(page.status, page.text).to.equal(200);
      expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(page.headers['content-security-policy']).to.match(/^default-src 'none'; style-src 'sha256-/);
      expect(page.text)
        .to.include('<em>Which way</em> chose the first branch, because debtRatio was 0.575, more than 0.5')
        .and.to.include(text)
        .and.to.include('customer-1')
        .and.to.not.include(other)
        .and.to.not.include('<script')
        .and.to.not.match(/(?:src|href)=/);
      const asked = { Accept: 'application/json', 'Accept-Language': language };
      const { steps } = (await get(`${path}?steps=true`, asked)).body as { steps: ExplainedStep[] };
      const [chosen] = steps.filter(({ node }) => node === 'Which way');
      expect(chosen?.sentences).to.deep.equal(['chose the first branch, because debtRatio was 0.575, more than 0.5']);
      expect(steps.flatMap(({ reasons }) => reasons.map((reason) => reason.text))).to.deep.equal([text]);
    }
    const file = join(directory, 'refused.html');
    await run('execution', 'explain', id, '--html', file, '--language', 'fi');
    expect(await readFile(file, 'utf8')).to.include(texts.fi);
    const { body } = await get(path, { Accept: 'application/json' });
    expect(body).to.have.property('exact', true);
    expect(body).to.not.have.property('steps');
  });

  it('has the trail as a file, by HTTP and by the command line', async () => {
    await execute(refusedFact, 'customer-1');
    const file = await get('/logic/audit-entries', { Accept: 'text/csv' });
    const rows = parse<Record<string, string>>(file.text, { columns: true, bom: true });
    const entries = await all<{ id: string; action: string }>(scene.caller, '/logic/audit-entries');
    expect(rows.map(({ id, action }) => [id, action])).to.deep.equal(entries.map(({ id, action }) => [id, action]));
    expect(rows.map(({ action }) => action)).to.include('deployment.create');
    const printed = await run('audit', 'list', '--csv');
    const turned = parse<Record<string, string>>(printed.stdout, { columns: true, bom: true }).reverse();
    expect(turned).to.deep.equal(rows);
  });

  it('is told by itself of a record, a review, a route and a setting that were altered, and of an entry that was removed', async () => {
    const [altered, whole, other] = [
      await execute(refusedFact, 'a'),
      await execute(refusedFact, 'b'),
      await execute({ ...refusedFact, amount: 500 }, 'c'),
    ];
    const guarded = await scene.environment();
    await protect(scene.caller, guarded);
    const request = await ask(scene.caller, guarded, [{ type: 'deploy', decisionId, version: 1 }]);
    const approver = await buildPerson(app, scene);
    expect((await review(approver.caller, request)).status).to.equal(201);
    expect((await apply(scene.caller, request)).status).to.equal(200);
    const trail = await all<{ id: string; action: string }>(scene.caller, '/logic/audit-entries');
    await sequenced([altered, whole, other, ...trail.map(({ id }) => id)]);
    expect(open(await found())).to.deep.equal([]);

    const [kept] = await executions(altered).select<{ result: string; route: number; setting: number }[]>(
      'result',
      'route',
      'setting',
    );
    await executions(altered).update({ result: '{"decision":"granted"}' });
    await testDatabase()('change_reviews').where(own()).update({ verdict: 'reject' });
    const removed = trail.find(({ action }) => action === 'deployment.create')?.id ?? '';
    const removedRow = await testDatabase()('audit_entries').where('id', idToBytes(removed)).first<object>();
    await testDatabase()('audit_entries').where('id', idToBytes(removed)).delete();
    expect(open(await found())).to.deep.equal(
      [
        ['altered', altered],
        ['altered', request.id],
        ['removed', removed],
      ].sort(),
    );
    expect((await get(`/logic/executions/${altered}`)).body).to.have.property('altered', true);
    const paper = await get(`/logic/executions/${altered}/explanation`, { Accept: 'text/html' });
    expect(paper.text).to.include('somebody has changed it since').and.to.not.include('granted');
    expect(app.log()).to.include('the evidence does not hold');

    // Put back: cleared, and still in the list.
    await executions(altered).update({ result: kept?.result });
    await testDatabase()('change_reviews').where(own()).update({ verdict: 'approve' });
    await testDatabase()('audit_entries').insert(removedRow);
    const cleared = await found();
    expect(open(cleared)).to.deep.equal([]);
    expect(cleared).to.have.length(3);

    await testDatabase()('execution_routes').where('code', kept?.route).update({ version: 9 });
    expect(open(await found())).to.deep.equal(
      [
        ['altered', altered],
        ['altered', whole],
        ['altered', other],
      ].sort(),
    );
    await testDatabase()('execution_routes').where('code', kept?.route).update({ version: 1 });
    await testDatabase()('execution_settings').where('code', kept?.setting).update({ principal: 'client:somebody' });
    expect(open(await found())).to.have.length(3);
    await testDatabase()('execution_settings').where('code', kept?.setting).delete();
    expect(open(await found())).to.have.length(3);
    expect((await get(`/logic/executions/${whole}`)).body).to.have.property('altered', true);
  });

  it('has one person erased, with a receipt, and the evidence of all others holds', async () => {
    const ids = [await execute(refusedFact, 'customer-7'), await execute(refusedFact, 'customer-8')] as const;
    await sequenced(ids);
    const made = await run('erasure', 'create', '--reference', 'customer-7', '--json');
    const { id } = made.json as { id: string };
    await eventually(async () => {
      const { body } = await get(`/logic/erasures/${id}`);
      return (body as { status: string }).status === 'COMPLETED';
    });
    const receipt = await run('erasure', 'show', id);
    expect(receipt.stdout).to.include('COMPLETED').and.to.not.include('customer-7');
    expect((await run('erasure', 'list', '--csv')).stdout).to.match(
      new RegExp(`^id,workspaceId,status,requested,erased,.*\r\n${id},`),
    );
    expect((await get(`/logic/executions/${ids[0]}`)).body).to.include({ erased: true, fact: null });
    const paper = await get(`/logic/executions/${ids[0]}/explanation`, { Accept: 'text/html' });
    expect(paper.text).to.include('What was recorded was erased for good.').and.to.not.include('0.575');
    expect((await get(`/logic/executions/${ids[1]}/proof`)).status).to.equal(200);
    expect(open(await found())).to.deep.equal([]);
  });

  it('has the request of what is in force on paper: who asked, what changes, who reviewed, who applied', async () => {
    await scene.write('loan.json', saying(loan(6.6)));
    const saved = await scene.caller.post(`/logic/decisions/${decisionId}/versions`, {});
    expect(saved.status, saved.text).to.equal(201);
    await protect(scene.caller, environmentId, { authorMayApprove: true });
    const hostile = '<script>alert(1)</script>';
    const request = await scene.caller.post('/logic/change-requests', {
      ...{ environmentId, title: `Rates ${hostile}`, message: hostile },
      changes: [
        { type: 'deploy', decisionId, version: 2 },
        { type: 'variable', name: 'KEY', value: 'sesame', secret: true },
      ],
    });
    const made = request.body as { id: string; digest: string };
    const approver = await buildPerson(app, scene);
    await review(approver.caller, made);
    expect((await apply(scene.caller, made)).status).to.equal(200);
    const page = await get(`/logic/change-requests/${made.id}`, { Accept: 'text/html' });
    expect(page.status, page.text).to.equal(200);
    for (const told of [
      'Deploy version 2 of <em title="loan.json">loan</em>, in place of version 1.',
      'row 2 ([620..750)): Yearly rate in percent 5.4 → 6.6',
      'a secret value',
      `${approver.principal}) approved`,
      made.digest,
      'Applied by',
    ])
      expect(page.text).to.include(told);
    expect(page.text).to.not.include(hostile).and.to.not.include('sesame');
    const file = join(directory, 'request.html');
    const shown = await run('change', 'show', made.id, '--html', file);
    expect(shown.stdout).to.include('deploy loan.json, version 2, in place of version 1');
    expect(await readFile(file, 'utf8')).to.include(made.digest);
  });
});
