import { expect } from 'chai';
import { poolOf, useApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { expressing, scripting } from '../support/models.js';
import { useScene } from '../support/scene.js';
import { asCsv, asXlsx, plainFile } from '../support/sheets.js';

describe('batches of files that become more than they are', function () {
  const app = useApp();
  const scene = useScene(app);
  let path: string;
  /** What shadows and measured fields of others take. */
  let held: number;
  before(async () => {
    const { decisionId, environmentId } = await scene.deployed(
      'long.json',
      expressing({ all: 'n > 0 ? map([0..n], #) : n' }),
    );
    path = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    held = await bytesInFlight();
  });

  const bytesInFlight = async (): Promise<number> => (await poolOf(app)).bytesInFlight;
  const recorded = async (): Promise<number> => {
    const { body } = await scene.caller.get('/logic/executions?size=1000');
    return (body as { data: object[] }).data.length;
  };

  for (const format of ['csv', 'xlsx'] as const) {
    it(`are refused by a thread, with a reason, when their rows repeat long titles (.${format})`, async () => {
      const titles = Array.from({ length: 20 }, (_, at) => `${'t'.repeat(995)}${at}`);
      const rows = [titles, ...Array.from({ length: 2900 }, () => titles.map(() => '1'))];
      const file = format === 'csv' ? rows.map((row) => `${row.join(',')}\n`).join('') : plainFile(rows);
      const answer = await scene.caller.post(path, file, format === 'csv' ? asCsv : asXlsx);
      expectProblem(answer, 'body_too_large', {
        instance: path,
        detail:
          'The facts of the sheet are too large: each row repeats the titles of its columns, so shorten them, or send fewer rows.',
      });
      await eventually(async () => (await bytesInFlight()) <= held);
    });
  }

  it('whose answers do not fit into one file run no further rows, say in each row what became of it, and run nothing twice', async () => {
    // How long its rows take is known then: of a program that nobody ran, as many begin together as of the usual one.
    const executions = path.replace(/batches$/, 'executions');
    for (let run = 0; run < 3; run++) await scene.caller.post(executions, { fact: { n: 200_000 } });
    const before = await recorded();
    // 1.3 MB each.
    const csv = `key,n\n${Array.from({ length: 60 }, (_, at) => `k${at},200000\n`).join('')}`;
    const send = async (): Promise<string> => {
      const { status, text } = await scene.caller.post(path, csv, { ...asCsv, 'Idempotency-Key': 'fit' });
      expect(status).to.equal(200);
      return text;
    };
    const text = await send();
    const [head, ...rows] = text.trimEnd().split('\n');
    expect(head).to.equal('key,n,id,status,result.all,result.error');
    expect(rows).to.have.length(60);
    const ran = rows.filter((row) => /^k\d+,200000,[0-9a-f-]{36},COMPLETED,/.test(row));
    const unfit = ran.filter((row) =>
      row.endsWith(',The result does not fit into the file: read the execution by its id.'),
    );
    const notRun = rows.filter((row) =>
      /^k\d+,200000,,FAILED,,"?Not run: the answers of other rows take all the room that one file has\. Send this row in another file\."?$/.test(
        row,
      ),
    );
    expect(ran.length + notRun.length).to.equal(60);
    expect(notRun.length, text.slice(0, 300)).to.be.at.least(20);
    expect(ran.length - unfit.length).to.be.at.least(5);
    const first = await recorded();
    expect(first - before).to.equal(ran.length);
    await eventually(async () => (await bytesInFlight()) <= held);
    const idsIn = (answer: string): string[] => answer.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    const [ids, again] = [idsIn(text), idsIn(await send())];
    const both = Math.min(ids.length, again.length);
    expect(again.slice(0, both)).to.deep.equal(ids.slice(0, both));
    expect((await recorded()) - first).to.equal(Math.max(0, again.length - ids.length));
  });

  it('whose answers have more fields than a sheet has columns get each result in one cell', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a${at}`, 'n']));
    const { decisionId, environmentId } = await scene.deployed('wide.json', expressing(fields));
    const wide = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const { text } = await scene.caller.post(wide, `n\n${'1\n'.repeat(20)}`, asCsv);
    const [head, first, ...rest] = text.trimEnd().split('\n');
    expect(head).to.equal('n,id,status,result');
    expect(first).to.match(/^1,[0-9a-f-]{36},COMPLETED,"\{""a0"":1,/);
    expect(rest).to.have.length(19);
  });

  it('whose answers have fields with names too long for a title get those objects in one cell each', async () => {
    const { decisionId, environmentId } = await scene.deployed(
      'named.json',
      scripting(`return {
        short: { a: 1 },
        long: { ['k'.repeat(300_000)]: Object.fromEntries(Array.from({ length: 900 }, (_, at) => ['f' + at, at])) },
      };`),
    );
    const named = `/logic/${environmentId}/decisions/${decisionId}/batches`;
    const { text } = await scene.caller.post(named, 'n\n1\n2\n', asCsv);
    const [head, ...rows] = text.trimEnd().split('\n');
    expect(head).to.equal('n,id,status,result.short.a,result.long');
    expect(rows).to.have.length(2);
    for (const row of rows)
      expect(row).to.match(/^[12],[0-9a-f-]{36},COMPLETED,1,"\(\d{6} characters, too long for a sheet: /);
  });

  it('of nothing but line ends are refused, or have no facts, well within the time of a thread', async () => {
    for (const file of ['\n'.repeat(9 * 1024 * 1024), '\r\n'.repeat(400_000), ',\n'.repeat(500_000)]) {
      const answer = await scene.caller.post(path, file, asCsv);
      expect(answer.status, answer.text.slice(0, 300)).to.be.oneOf([400, 413]);
    }
  });
});
