import { expect } from 'chai';
import { frozenNow, handler, sandboxFixture } from '../../../support/sandbox.js';

describe('the clock of function nodes', () => {
  const { output, fault: diagnostic } = sandboxFixture();

  it('stands still while code computes, and moves by sleeps, from where the run began', async () => {
    const body = `const before = Date.now(); for (let i = 0; i < 1e5; i++) Math.sqrt(i);
      const computed = Date.now(); await console.sleep(7); return [before, computed, Date.now()]`;
    expect(await output(handler(body))).to.deep.equal([frozenNow, frozenNow, frozenNow + 7]);
  });

  it('lets sleeps end one at a time, by when they are due, and those of the same moment as they began', async () => {
    const body = `const ended = []; const wait = async (name, ms) => { await console.sleep(ms); ended.push(name); };
      const chain = wait('2', 2).then(() => wait('2+1', 1));
      await Promise.all([wait('4', 4), chain, wait('3', 3), wait('0', 0), wait('-1', -1)]);
      return [ended.join(' '), Date.now()]`;
    // What begins at 2 and takes 1 comes after what began before it for 3.
    expect(await output(handler(body))).to.deep.equal(['0 -1 2 3 2+1 4', frozenNow + 4]);
  });

  it('goes the same way however late the machine is', async () => {
    // The busy loop takes longer than all sleeps: all of them are overdue when it ends.
    const body = `const ended = []; const wait = async (ms) => { await console.sleep(ms); ended.push([ms, Date.now()]); };
      const all = Promise.all([wait(3).then(() => wait(1)), wait(5), wait(1)]);
      for (let i = 0; i < 3e4; i++) Math.sqrt(i); await all; return ended`;
    const wanted = [1, 3, 1, 5].map((ms, index) => [ms, frozenNow + [1, 3, 4, 5][index]!]);
    expect(await output(handler(body))).to.deep.equal(wanted);
  });

  it('is moved a little by being read, so that a loop that waits for it ends', async () => {
    const body =
      'const end = Date.now() + 5; let reads = 0; while (Date.now() < end) reads++; return [reads, Date.now() - end]';
    expect(await output(handler(body))).to.deep.equal([498, 0]);
  });

  it('is never moved by an endless sleep: that ends by the time limit', async () => {
    expect(await diagnostic(handler('await console.sleep(Infinity)'), { timeoutMs: 60 })).to.include({
      code: 'timeout',
    });
  });

  it('ends a run that may call no host where it calls one, caught or not', async () => {
    const body = `try { await http.get('https://example.com/') } catch {} return 1`;
    const source = handler(body, `import http from 'http';`);
    expect(await diagnostic(source, { run: { http: 'withheld' } })).to.include({ code: 'http_withheld' });
  });
});
