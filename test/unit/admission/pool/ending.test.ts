import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { isLong } from '../../../support/environment.js';

describe('Pool: a thread that is ended while it starts', () => {
  it('does not take the process with it (v8::Module::IsGraphAsync)', async () => {
    const program = fileURLToPath(new URL('../../../support/endStarting.js', import.meta.url));
    const stepMs = isLong ? 2 : 10;
    const { stdout } = await promisify(execFile)(process.execPath, ['--enable-source-maps', program, `${stepMs}`]);
    expect(stdout).to.equal('survived\n');
  });
});
