import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../db/root.js';
import { commandTree } from '../../support/commands.js';
import { verdictIn } from '../../support/cli.js';
import { withoutProfile } from '../../support/remote.js';

const path = join(projectRoot, 'test', 'golden', 'cli', 'help.txt');

describe('the command line: --help', () => {
  it('is of every command and group what test/golden/cli/help.txt has (UPDATE=1 writes it)', async () => {
    const parts: string[] = [];
    for (const words of await commandTree()) {
      const { exit, stdout, stderr } = await verdictIn({ environment: withoutProfile }, ...words, '--help');
      expect([words, exit, stderr]).to.deep.equal([words, 0, '']);
      parts.push(`$ ${['verdict', ...words].join(' ')} --help\n${stdout}`);
    }
    const text = parts.join('\n');
    if (process.env['UPDATE'] === '1') writeFileSync(path, text);
    expect(text).to.equal(readFileSync(path, 'utf8'));
  });
});
