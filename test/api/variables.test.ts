import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { useApp } from '../support/app.js';
import { expectProblem, timestamp } from '../support/asserts.js';
import { verdictWith } from '../support/cli.js';
import type { Answer } from '../support/http.js';
import { remoteEnvironment } from '../support/remote.js';
import { expressing } from '../support/models.js';
import { testDatabase, useFreshScene } from '../support/scene.js';
import { idToBytes } from '../../src/storage/ids.js';

interface Shown {
  readonly name: string;
  readonly value?: unknown;
  readonly secret: boolean;
  readonly updatedAt: string;
}

describe('variables and hosts of an environment', () => {
  const app = useApp();
  const scene = useFreshScene(app);
  let environmentId: string;
  let path: string;
  beforeEach(async () => {
    environmentId = await scene.environment();
    path = `/logic/environments/${environmentId}/variables`;
  });

  const put = async (name: string, body: object, status: number): Promise<Shown> => {
    const answer = await scene.caller.put(`${path}/${name}`, body);
    expect(answer.status, answer.text).to.equal(status);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    return answer.body as Shown;
  };

  it('PUT makes a variable with 201, and writes over it with 200', async () => {
    const made = await put('RATE', { value: { EUR: 1.08, none: null } }, 201);
    expect(made).to.deep.equal({
      name: 'RATE',
      value: { EUR: 1.08, none: null },
      secret: false,
      updatedAt: made.updatedAt,
    });
    expect(made.updatedAt).to.match(timestamp);
    for (const value of [null, false, 0, '', [], 'text']) {
      expect(await put('RATE', { value }, 200)).to.deep.include({ name: 'RATE', value });
    }
    expect(await put('rate', { value: 1 }, 201), 'another name').to.include({ name: 'rate' });
  });

  it('the value of a secret is in no answer', async () => {
    const made = await put('KEY', { value: 's3cr3t', secret: true }, 201);
    expect(made).to.deep.equal({ name: 'KEY', secret: true, updatedAt: made.updatedAt });
    const listed = await scene.caller.get(path);
    expect(listed.body).to.have.deep.property('data', [made]);
    expect(listed.text).to.not.include('s3cr3t');
  });

  it('the next execution sees what was set, changed and removed', async () => {
    const { decisionId } = await scene.deployed('d.json', expressing({ rate: '$env.RATE' }), environmentId);
    const seen = async (): Promise<unknown> => {
      const executed = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, {
        fact: {},
      });
      return (executed.body as { result: { rate: unknown } }).result.rate;
    };
    expect(await seen()).to.equal(undefined);
    await put('RATE', { value: 1 }, 201);
    expect(await seen()).to.equal(1);
    await put('RATE', { value: 2 }, 200);
    expect(await seen()).to.equal(2);
    await scene.caller.delete(`${path}/RATE`);
    expect(await seen()).to.equal(undefined);
  });

  it('are those of the command line', async () => {
    const environment = remoteEnvironment(app, { ...scene.client, workspaceId: scene.workspaceId });
    const variable = (command: string, ...args: string[]) =>
      verdictWith(environment, 'variable', command, '--environment', environmentId, ...args);
    await variable('set', 'RATE', '1.5');
    expect((await scene.caller.get(path)).body).to.have.nested.property('data[0].value', 1.5);
    await put('RATE', { value: [1] }, 200);
    expect((await variable('list')).stdout).to.include('[1]');
  });

  it('DELETE removes one, and is 204 for what is not there', async () => {
    await put('RATE', { value: 1 }, 201);
    for (const gone of [`${path}/RATE`, `${path}/RATE`, `/logic/environments/${randomUUID()}/variables/RATE`]) {
      const answer = await scene.caller.delete(gone);
      expect([answer.status, answer.text]).to.deep.equal([204, '']);
    }
    expect((await scene.caller.get(path)).body).to.have.nested.property('page.total', 0);
  });

  it('lists by name, forwards and backwards', async () => {
    const names = ['A', 'B', 'Z', '_', 'a', 'b1'];
    for (const name of names.toReversed()) await put(name, { value: name }, 201);
    type Listed = { data: Shown[]; page: { size: number; total: number; after: string; before: string } };
    const list = async (query: string): Promise<Listed> => (await scene.caller.get(`${path}${query}`)).body as Listed;
    const namesOf = ({ data }: Listed): string[] => data.map(({ name }) => name);
    expect(namesOf(await list(''))).to.deep.equal(names);
    const first = await list('?size=4');
    expect([namesOf(first), first.page.size, first.page.total]).to.deep.equal([names.slice(0, 4), 4, 6]);
    const rest = await list(`?size=4&after=${first.page.after}`);
    expect(namesOf(rest)).to.deep.equal(names.slice(4));
    expect(namesOf(await list(`?size=2&before=${rest.page.before}`))).to.deep.equal(['Z', '_']);
    await scene.caller.delete(`${path}/_`);
    expect(namesOf(await list(`?after=${first.page.after}`)), 'a cursor of what is gone').to.deep.equal(['a', 'b1']);
    for (const cursor of ['x', '', Buffer.from('1').toString('base64url')]) {
      expectProblem(await scene.caller.get(`${path}?after=${cursor}`), 'validation_failed', {
        instance: path,
        errors: [{ in: 'query', pointer: 'after', message: 'is not a cursor of this service' }],
      });
    }
  });

  it('DELETE of what is not there leaves the configuration as it is', async () => {
    const revision = async (): Promise<unknown> => {
      const at = { id: idToBytes(environmentId) };
      return (await testDatabase()('environments').where(at).pluck('config_revision'))[0] as unknown;
    };
    await put('RATE', { value: 1 }, 201);
    const before = await revision();
    expect((await scene.caller.delete(`${path}/OTHER`)).status).to.equal(204);
    expect(await revision()).to.equal(before);
    expect((await scene.caller.delete(`${path}/RATE`)).status).to.equal(204);
    expect(await revision()).to.not.equal(before);
  });

  it('PUT refuses a long value, and stores nothing', async () => {
    const instance = `${path}/V`;
    const message = 'must have at most 65536 characters as JSON';
    expectProblem(await scene.caller.put(instance, { value: 'x'.repeat(65_535) }), 'validation_failed', {
      instance,
      errors: [{ in: 'body', pointer: '/value', message }],
    });
    expect((await scene.caller.get(path)).body).to.have.nested.property('page.total', 0);
  });

  it('PUT keeps every digit of numbers that runs have, in answers, lists, the audit trail and runs', async () => {
    const json = { 'Content-Type': 'application/json' };
    const value = '[9007199254740993,0.1234567890123456789,{"a":1234567890123456789012345678,"b":1.5}]';
    const written = await scene.caller.put(`${path}/V`, `{"value":${value}}`, json);
    expect(written.status, written.text).to.equal(201);
    // Beyond what runs calculate with, and a double all the same: it takes no other variable its digits.
    expect((await scene.caller.put(`${path}/LARGE`, '{"value":1e300}', json)).status).to.equal(201);
    const listed = await scene.caller.get(path);
    const told = await scene.caller.get('/logic/audit-entries?resourceType=variable');
    for (const { text } of [written, listed, told]) expect(text).to.include(`"value":${value}`);
    const decisionId = await scene.decision('digits.json', expressing({ y: '$env.V[0] + 1', z: '$env.V' }));
    await scene.deploy(decisionId, environmentId, 1);
    const ran = await scene.caller.post(`/logic/${environmentId}/decisions/${decisionId}/executions`, { fact: {} });
    expect(ran.text).to.include('"y":9007199254740994').and.include(`"z":${value}`);
  });

  it('PUT refuses a number of which a run would not see all digits', async () => {
    const instance = `${path}/V`;
    const answer = await scene.caller.put(instance, '{"value":[12345678901234567890123456789.5]}', {
      'Content-Type': 'application/json',
    });
    const message = 'must not hold a number of more than 28 digits, as runs have; send it as a text';
    expectProblem(answer, 'validation_failed', { instance, errors: [{ in: 'body', pointer: '/value', message }] });
  });

  it('PUT takes a name that objects inherit, and one of 128 characters', async () => {
    await put('__proto__', { value: 1 }, 201);
    await put('A'.repeat(128), { value: 1 }, 201);
  });

  it('has room for 1000 variables of 4 MiB together', async () => {
    const value = 'x'.repeat(65_000);
    let status = 201;
    for (let count = 0; status === 201; count++) {
      ({ status } = await scene.caller.put(`${path}/V${count}`, { value }));
      expect(count).to.be.below(70);
    }
    expect(status).to.equal(400);
    expect((await scene.caller.get(`${path}?size=1`)).body).to.have.nested.property('page.total', 64);
  });

  it('hosts are replaced as a whole, each once and in its one form', async () => {
    const hosts = `/logic/environments/${environmentId}/hosts`;
    expect((await scene.caller.get(hosts)).body).to.deep.equal({ hosts: [] });
    const answer = await scene.caller.put(hosts, {
      hosts: ['API.example.com', 'api.example.com', '*.example.org:443'],
    });
    expect([answer.status, answer.body]).to.deep.equal([200, { hosts: ['api.example.com', '*.example.org:443'] }]);
    expect((await scene.caller.get(hosts)).body).to.deep.equal(answer.body);
    expect((await scene.caller.put(hosts, { hosts: [] })).body).to.deep.equal({ hosts: [] });
    expect((await scene.caller.get(hosts)).body).to.deep.equal({ hosts: [] });
  });

  it('hosts have an ETag, for If-None-Match and If-Match', async () => {
    const hosts = `/logic/environments/${await scene.environment()}/hosts`;
    const first = (await scene.caller.get(hosts)).headers.etag!;
    const put = (name: string, tag: string): Promise<Answer> =>
      scene.caller.put(hosts, { hosts: [name] }, { 'If-Match': tag });
    const answers = await Promise.all(['a.example', 'b.example'].map((name) => put(name, first)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
    const won = answers.find(({ status }) => status === 200);
    const present = await scene.caller.get(hosts);
    expect([present.body, present.headers.etag]).to.deep.equal([won?.body, won?.headers.etag]);
    expectProblem(await put('c.example', first), 'precondition_failed', { instance: hosts });
  });

  it('PUT refuses hosts that are none, and says which', async () => {
    const instance = `/logic/environments/${environmentId}/hosts`;
    expectProblem(
      await scene.caller.put(instance, { hosts: ['a.example', 'https://b.example/', '*'] }),
      'validation_failed',
      {
        instance,
        errors: ['/hosts/1', '/hosts/2'].map((pointer) => ({
          in: 'body',
          pointer,
          message: 'must be a host, host:port or *.host',
        })),
      },
    );
    const many = Array.from({ length: 101 }, (_, index) => `h${index}.example`);
    expectProblem(await scene.caller.put(instance, { hosts: many }), 'validation_failed', {
      instance,
      errors: [{ in: 'body', pointer: '/hosts', message: 'must have at most 100 items' }],
    });
    expect((await scene.caller.get(instance)).body).to.deep.equal({ hosts: [] });
  });
});
