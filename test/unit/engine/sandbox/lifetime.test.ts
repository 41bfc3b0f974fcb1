import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ownTime } from '../../../support/ownTime.js';
import { functionCall, handler, sandboxFixture } from '../../../support/sandbox.js';
import { eventually } from '../../../support/eventually.js';
import { allowedMs } from '../../../support/environment.js';

/** Timers and sockets that keep the process busy. */
const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
const sockets = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
const tick = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Mocha starts its own timer only once the test's function has returned a promise. */
async function timersAtRest(): Promise<number> {
  await tick(1);
  return timers();
}

describe('the end of a sandbox run', () => {
  const { open, output } = sandboxFixture();

  it('leaves no timer behind that the handler did not await', async () => {
    const before = await timersAtRest();
    const took = ownTime();
    expect(await output(handler('console.sleep(2000); console.sleep(3000); return 1'))).to.equal(1);
    expect(timers()).to.equal(before);
    expect(took()).to.be.below(allowedMs(1000));
  });

  it('leaves no timer behind after a time-out', async () => {
    const before = await timersAtRest();
    const run = open({ timeoutMs: 50 });
    await run.call(functionCall(handler('await Promise.all([console.sleep(5000), console.sleep(6000)])')));
    await run.dispose();
    expect(timers()).to.equal(before);
  });

  it('drops what comes late: promises of the host settle nothing in a later run', async () => {
    const run = open();
    await run.call(functionCall(handler('console.sleep(30).then(() => { globalThis.late = true }); return 1')));
    await run.dispose();
    await tick(50);
    expect(await output(handler('await console.sleep(20); return globalThis.late ?? "never"'))).to.equal('never');
  });

  it('is for what a call left behind the end of that call: it does nothing in later calls of the run', async () => {
    const run = open();
    const leaves = 'console.sleep(10).then(() => { globalThis.late = true; console.log("late") }); return 1';
    expect(await run.call(functionCall(handler(leaves)))).to.deep.include({ ok: true, output: 1 });
    const asks = 'await console.sleep(40); return globalThis.late ?? "never"';
    expect(await run.call(functionCall(handler(asks)))).to.deep.equal({ ok: true, output: 'never', log: [] });
    await run.dispose();
  });

  it('ends a call in flight when the run is disposed of, and frees the machine once', async () => {
    const before = await timersAtRest();
    const run = open();
    const pending = run.call(functionCall(handler('await console.sleep(60_000); return 1')));
    await tick(20);
    const took = ownTime();
    await Promise.all([run.dispose(), run.dispose()]);
    expect(took()).to.be.below(allowedMs(500));
    expect(await pending).to.have.nested.property('diagnostic.message', 'the run is over');
    expect(timers()).to.equal(before);
    expect(await Promise.all([output(handler('return 1')), output(handler('return 2'))])).to.deep.equal([1, 2]);
  });

  it('answers calls after it with a fault', async () => {
    const run = open();
    await run.dispose();
    expect(await run.call(functionCall(handler('return 1')))).to.have.nested.property(
      'diagnostic.message',
      'the run is over',
    );
    const early = open();
    const [reply] = await Promise.all([early.call(functionCall(handler('return 1'))), early.dispose()]);
    expect(reply.ok).to.equal(false);
  });

  it('is of that run alone: runs that overlap share nothing', async () => {
    const source = handler('globalThis.mine = input.id; await console.sleep(20); return globalThis.mine');
    const ids = [1, 2, 3, 4];
    expect(await Promise.all(ids.map((id) => output(source, { input: { id } })))).to.deep.equal(ids);
  });

  it('refuses a second call while one is running', async () => {
    const run = open();
    const first = run.call(functionCall(handler('await console.sleep(20); return 1')));
    const second = await run.call(functionCall(handler('return 2'))).catch((error: unknown) => error);
    expect(second).to.be.instanceOf(Error);
    expect(await first).to.have.property('output', 1);
    await run.dispose();
  });

  it('aborts HTTP calls and waits until they are gone', async () => {
    let closed = 0;
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => (arrived = resolve));
    const server = createServer((request, response) => {
      if (request.url === '/arrival') {
        void arrival.then(() => response.setHeader('Connection', 'close').end());
        return;
      }
      request.on('close', () => (closed += 1));
      arrived();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const http = { allow: [], allowPrivate: [`127.0.0.1:${port}`] };
    const before = sockets();
    const source = handler(
      `http.get('http://127.0.0.1:${port}/'); await http.get('http://127.0.0.1:${port}/arrival'); return 1`,
      `import http from 'http';`,
    );
    expect(await output(source, { run: { http } })).to.equal(1);
    await eventually(() => closed > 0 && sockets() === before);
    expect(closed).to.equal(1);
    expect(sockets()).to.equal(before);
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a sandbox run without a deadline', () => {
  const { output } = sandboxFixture();

  it('waits for timers as any other', async () => {
    const [started, took] = [performance.now(), ownTime()];
    const source = handler('await console.sleep(30); return 1');
    expect(await output(source, { run: { deadline: Infinity } })).to.equal(1);
    expect(took()).to.be.below(allowedMs(1000));
    expect(performance.now() - started).to.be.at.least(25);
  });
});
