import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { verdictIn, type CommandResult } from '../../support/cli.js';
import { buildClient } from '../../support/factories.js';
import { useFreshFolder } from '../../support/folder.js';
import { expressing } from '../../support/models.js';
import { remoteEnvironment } from '../../support/remote.js';
import { testStore, useScene } from '../../support/scene.js';

interface Result {
  readonly index: number;
  readonly key: string;
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
}

describe('verdict batch run', () => {
  const app = useApp();
  const scene = useScene(app);
  let environmentId: string;
  let decisionId: string;
  const folder = useFreshFolder();
  before(async () => {
    ({ environmentId, decisionId } = await scene.deployed(
      'total.json',
      expressing({ total: 'order.price * quantity', name: 'name' }),
    ));
  });

  const run = (file: string, ...args: string[]): Promise<CommandResult> => {
    const { client, workspaceId } = scene;
    const environment = remoteEnvironment(app, { ...client, workspaceId });
    const place = ['--environment', environmentId, '--decision', 'total.json'];
    return verdictIn({ environment, directory: folder }, 'batch', 'run', join(folder, file), ...place, ...args);
  };
  const results = async (file: string): Promise<Result[]> =>
    (await readFile(join(folder, file), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);
  const line = (quantity: number): string => `{"fact":{"order":{"price":2},"quantity":${quantity},"name":"a"}}\n`;

  it('executes each line, keeps the answers in order, and exits 0', async () => {
    await writeFile(join(folder, 'orders.ndjson'), [1, 2, 3].map(line).join(''));
    const ran = await run('orders.ndjson', '--json');
    expect(ran.exit, ran.stderr).to.equal(0);
    const output = join(folder, 'orders.ndjson.results.ndjson');
    expect(ran.json).to.deep.equal({ completed: 3, failed: 0, output });
    const found = await results('orders.ndjson.results.ndjson');
    expect(found.map(({ index, key, result }) => [index, key, result])).to.deep.equal([
      [0, '1', { total: 2, name: 'a' }],
      [1, '2', { total: 4, name: 'a' }],
      [2, '3', { total: 6, name: 'a' }],
    ]);
  });

  it('is run by who may only execute, as execution run is, with both ids; a key is told to need more', async () => {
    await writeFile(join(folder, 'orders.ndjson'), line(3));
    const { tenantId, workspaceId } = scene;
    const client = await buildClient(testStore(), { tenantId, workspaces: [workspaceId], scopes: 'execution:write' });
    const session = { environment: remoteEnvironment(app, { ...client, workspaceId }), directory: folder };
    const commands = [
      ['batch', 'run', 'orders.ndjson', '--decision'],
      ['execution', 'run', '--fact', '{"order":{"price":2},"quantity":1,"name":"a"}'],
    ];
    for (const command of commands) {
      const byId = await verdictIn(session, ...command, decisionId, '--environment', environmentId);
      expect(byId.exit, byId.stderr).to.equal(0);
      const byKey = await verdictIn(session, ...command, 'total.json', '--environment', environmentId);
      expect(byKey.exit).to.equal(1);
      expect(byKey.stderr).to.include('decisions:read').and.include('by its id');
    }
  });

  it('reads CSV: dots lead into objects, what is JSON stays so, and items have keys and references', async () => {
    const csv = 'number,order.price,quantity,name\r\nA-1,2.5,2,"Zoë, ""Z"""\r\nA-2,3,1,\r\n';
    await writeFile(join(folder, 'orders.csv'), csv);
    const ran = await run('orders.csv', '--reference', 'number', '--output', join(folder, 'out.ndjson'));
    expect(ran.exit, ran.stderr).to.equal(0);
    const [first, second] = await results('out.ndjson');
    expect([first?.result, second?.result]).to.deep.equal([{ total: 5, name: 'Zoë, "Z"' }, { total: 3 }]);
    const record = await scene.caller.get(`/logic/executions/${first?.id ?? ''}`);
    expect(record.body).to.deep.include({
      reference: 'A-1',
      fact: { order: { price: 2.5 }, quantity: 2, name: 'Zoë, "Z"' },
    });
  });

  it("takes the columns `key` and `reference` of a CSV as the item's own, as the service does, and leaves out those that are empty", async () => {
    await writeFile(join(folder, 'own.csv'), 'reference,order.price,quantity,key\nB-1,2,2,first\n,3,1,\n');
    const ran = await run('own.csv');
    expect(ran.exit, ran.stderr).to.equal(0);
    const found = await results('own.csv.results.ndjson');
    expect(found.map(({ key, status }) => [key, status])).to.deep.equal([
      ['first', 'COMPLETED'],
      ['2', 'COMPLETED'],
    ]);
    const records = await Promise.all(found.map(({ id }) => scene.caller.get(`/logic/executions/${id}`)));
    const [first, second] = records.map(({ body }) => body);
    expect(first).to.deep.include({ reference: 'B-1', fact: { order: { price: 2 }, quantity: 2 } });
    expect(second).to.deep.include({ reference: null, fact: { order: { price: 3 }, quantity: 1 } });
  });

  it('leaves out what the service has added to a CSV that it answered, as the service does', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const answered = await scene.caller.post(path, 'order.price,quantity\n2,3\n,1\n', headers);
    expect(answered.text.split('\n')[0]?.trim()).to.match(/^order.price,quantity,id,status,result\./);
    await writeFile(join(folder, 'answered.csv'), answered.text);
    expect((await run('answered.csv')).exit).to.equal(1);
    const found = await results('answered.csv.results.ndjson');
    const records = await Promise.all(found.map(({ id }) => scene.caller.get(`/logic/executions/${id}`)));
    const [first, second] = records.map(({ body }) => body);
    expect(first).to.deep.include({ fact: { order: { price: 2 }, quantity: 3 } });
    expect(second).to.deep.include({ fact: { quantity: 1 } });
  });

  it('refuses a column that is named and not there, and runs nothing', async () => {
    await writeFile(join(folder, 'other.csv'), 'number,quantity\nC-1,2\n');
    for (const option of ['--key', '--reference']) {
      const ran = await run('other.csv', option, 'nummer');
      expect([ran.exit, existsSync(join(folder, 'other.csv.results.ndjson'))], option).to.deep.equal([1, false]);
      expect(ran.stderr).to.include('no column "nummer"');
    }
  });

  it('exits 1 where items failed, and says how many', async () => {
    await writeFile(join(folder, 'bad.ndjson'), `${line(1)}nonsense\n${line(2)}`);
    const ran = await run('bad.ndjson', '--json');
    expect(ran.exit).to.equal(1);
    expect(ran.json).to.deep.include({ completed: 2, failed: 1 });
  });

  it('goes on where it was cut off, and runs nothing twice', async () => {
    const file = join(folder, 'long.ndjson');
    await writeFile(file, [1, 2, 3].map(line).join(''));
    expect((await run('long.ndjson')).exit).to.equal(0);
    const output = `${file}.results.ndjson`;
    const whole = await readFile(output, 'utf8');
    const again = await run('long.ndjson');
    expect([again.exit, again.stderr]).to.deep.equal([
      1,
      `error: ${output} is there already. Go on with it by --resume, or name another file by --output.\n`,
    ]);
    // As where the answers of the last items were lost, the second one in the middle.
    const lines = whole.split('\n');
    await writeFile(output, `${lines[0] ?? ''}\n${lines[1]?.slice(0, 20) ?? ''}`);
    await appendFile(file, line(4));
    const resumed = await run('long.ndjson', '--resume', '--json');
    expect(resumed.exit, resumed.stderr).to.equal(0);
    expect(resumed.json).to.deep.include({ completed: 4, failed: 0 });
    const found = await results('long.ndjson.results.ndjson');
    expect(found.map(({ index }) => index)).to.deep.equal([0, 1, 2, 3]);
    expect((await readFile(output, 'utf8')).split('\n').slice(0, 3)).to.deep.equal(lines.slice(0, 3));
  });

  it('says what a file is that cannot be read', async () => {
    const absent = await run('absent.ndjson');
    expect([absent.exit, absent.stderr]).to.deep.equal([
      1,
      `error: ${join(folder, 'absent.ndjson')} cannot be read (ENOENT).\n`,
    ]);
    await writeFile(join(folder, 'bad.csv'), 'a,b\n1,"2\n');
    const bad = await run('bad.csv');
    expect(bad.exit).to.equal(1);
    expect(bad.stderr).to.match(/bad\.csv is no CSV: line \d: the file ends within a cell/);
  });

  it('takes a row that ends early as one with empty cells, as the service does and spreadsheets write it', async () => {
    await writeFile(join(folder, 'short.csv'), 'quantity,order.price,name,note\n1,2,a,b\n3,4\n5,6,c\n');
    const ran = await run('short.csv');
    expect(ran.exit, ran.stderr).to.equal(0);
    const found = await results('short.csv.results.ndjson');
    const facts = await Promise.all(
      found.map(async ({ id }) => ((await scene.caller.get(`/logic/executions/${id}`)).body as { fact: unknown }).fact),
    );
    expect(facts).to.deep.equal([
      { quantity: 1, order: { price: 2 }, name: 'a', note: 'b' },
      { quantity: 3, order: { price: 4 } },
      { quantity: 5, order: { price: 6 }, name: 'c' },
    ]);
  });

  for (const [what, csv, told] of [
    [
      'what the decision takes as a number is nowhere one',
      'order.price;quantity\n1,5;1\n2,5;1\n',
      /A2: "1,5" is a text where the decision takes a number\. Write 1\.5/,
    ],
    ['a column has no name', 'order.price,,quantity\n1,lost,2\n', /B2: this column has no name in row 1/],
  ] as const)
    it(`refuses a CSV for what the service refuses it for, by the cell, and runs nothing: ${what}`, async () => {
      await writeFile(join(folder, 'half.csv'), csv);
      const ran = await run('half.csv', '--output', join(folder, 'half.ndjson'));
      expect(ran.exit, ran.stderr).to.equal(1);
      expect(ran.stderr).to.match(told);
      expect(existsSync(join(folder, 'half.ndjson'))).to.equal(false);
    });
});
