import { PassThrough, Writable } from 'node:stream';
import { expect } from 'chai';
import { Refusal } from '../../../src/cli/failures.js';
import { readSecret } from '../../../src/cli/remote/secretPrompt.js';

describe('a secret that is asked for', () => {
  let shown: string;
  let modes: boolean[];
  let stdin: PassThrough;
  beforeEach(() => {
    shown = '';
    modes = [];
    stdin = new PassThrough();
  });
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      shown += chunk.toString();
      done();
    },
  });
  const ask = (isTTY: boolean): Promise<string> =>
    readSecret(
      { stdin: Object.assign(stdin, { isTTY, setRawMode: (on: boolean) => modes.push(on) }), stderr },
      'Secret',
    );

  it('is not shown while it is typed, and the terminal echoes again afterwards', async () => {
    const typed = ask(true);
    stdin.write('s3cret\u007f\u007fret\r');
    expect(await typed).to.equal('s3crret');
    expect(shown).to.equal('Secret (it is not shown): \n');
    expect(modes).to.deep.equal([true, false]);
  });

  for (const [key, text] of [
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ] as const) {
    it(`may be refused by ${key}`, async () => {
      const typed = ask(true).catch((error: unknown) => error);
      stdin.write(`s3${key === 'Ctrl-D' ? '\u007f\u007f' : ''}${text}`);
      expect(await typed).to.be.instanceOf(Refusal);
      expect(modes).to.deep.equal([true, false]);
    });
  }

  it('is all of standard input but its last line end, where that is no terminal', async () => {
    const read = ask(false);
    stdin.end('s3cret \r\n');
    expect(await read).to.equal('s3cret ');
    expect([shown, modes]).to.deep.equal(['', []]);
  });
});
