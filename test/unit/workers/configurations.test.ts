import { expect } from 'chai';
import { createConfigurations, type LoadedConfiguration } from '../../../workers/configurations.js';
import type { Configuration } from '../../../workers/protocol.js';

const textOf = (fields: Partial<Configuration>): string =>
  JSON.stringify({ variables: {}, secrets: [], httpHosts: [], ...fields });

/** A text as a run shows it that has read all variables. */
function shown({ redactor }: LoadedConfiguration): string {
  const secrets = redactor.forRun();
  secrets.noteAllRead();
  return secrets.text('a hush1234');
}

describe('configurations of a worker', () => {
  it('are what was loaded, with a redactor of their own secrets', () => {
    const configurations = createConfigurations(10_000);
    const text = textOf({ variables: { KEY: 'hush1234' }, secrets: ['KEY'], httpHosts: ['api.example'] });
    const loaded = configurations.load('e:1', text);
    expect(loaded.env).to.deep.equal({ KEY: 'hush1234' });
    expect(loaded.http).to.deep.equal({ allow: ['api.example'], allowPrivate: [] });
    expect(shown(loaded)).to.equal('a [REDACTED]');
    expect(configurations.get('e:1')).to.equal(loaded);
    expect(configurations.get('e:2')).to.equal(undefined);
    const other = configurations.load('e:2', textOf({}));
    expect(shown(other)).to.equal('a hush1234');
    expect(other.http).to.equal(undefined);
  });

  it('are empty where there is none to be', () => {
    const { env, http, redactor } = createConfigurations(10).get('') ?? expect.fail('not held');
    expect([env, http, redactor.forRun().json('{"a":"text"}')]).to.deep.equal([{}, undefined, '{"a":"text"}']);
  });

  it('are held as long as there is room for their text, and at most 200', () => {
    const configurations = createConfigurations(10_000);
    const heavy = textOf({ variables: { text: 'x'.repeat(6000) } });
    configurations.load('heavy 1', heavy);
    configurations.load('heavy 2', heavy);
    expect([configurations.get('heavy 1'), configurations.get('heavy 2')?.env]).to.deep.equal([
      undefined,
      { text: 'x'.repeat(6000) },
    ]);
    const many = createConfigurations(10_000_000);
    for (let index = 0; index <= 200; index++) many.load(`e:${index}`, textOf({}));
    expect([many.get('e:0'), typeof many.get('e:1')]).to.deep.equal([undefined, 'object']);
  });
});
