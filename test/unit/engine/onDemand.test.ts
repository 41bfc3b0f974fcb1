import { once as onceEmitted } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { once, onDemand } from '../../../workers/engine/onDemand.js';

describe('what is loaded when it is needed', () => {
  it('is loaded once', async () => {
    let loads = 0;
    const load = once(() => Promise.resolve(++loads));
    expect(await Promise.all([load(), load()])).to.deep.equal([1, 1]);
    expect(await load()).to.equal(1);
  });

  it('is tried again after a failure', async () => {
    let loads = 0;
    const load = once(() => (++loads === 1 ? Promise.reject(new Error('no file descriptor')) : Promise.resolve(loads)));
    expect(await load().catch((error: unknown) => String(error))).to.equal('Error: no file descriptor');
    expect(await load()).to.equal(2);
  });

  it('ends the worker thread where an import fails, since Node would remember that', async () => {
    const module = new URL('../../../workers/engine/onDemand.js', import.meta.url).href;
    const source = `
      import { onDemand } from '${module}';
      setInterval(() => undefined, 1000);
      await onDemand(import('${module}.absent')).catch(() => undefined);
    `;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`));
    // Listened for from the start: it may come with the error.
    const exit = new Promise((resolve) => thread.once('exit', resolve));
    const [error] = (await onceEmitted(thread, 'error')) as [{ code: string }];
    expect(error.code).to.equal('ERR_MODULE_NOT_FOUND');
    expect(await exit).to.equal(1);
  });

  it('rejects in the main thread, which goes on', async () => {
    const error = await onDemand(Promise.reject(new Error('absent'))).catch((reason: unknown) => reason);
    expect(error).to.be.an('error').with.property('message', 'absent');
  });
});
