import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeLeftFolders } from '../../../db/services/leftFolders.js';
import { markOf } from '../../../src/cli/processMark.js';

describe('folders of runs that were cut off', () => {
  it('are removed where owner and servers are dead, and no others', () => {
    const base = mkdtempSync(join(tmpdir(), 'left-'));
    const alive = markOf(process.pid);
    const dead = { pid: process.pid, born: 'before this one' };
    const make = (name: string, files: Record<string, unknown>): void => {
      mkdirSync(join(base, name, 'mysql'), { recursive: true });
      for (const [file, value] of Object.entries(files)) writeFileSync(join(base, name, file), JSON.stringify(value));
    };
    const server = (mark: unknown): object => ({ ready: true, mysql: { url: 'mysql://x', port: 1, mark } });
    try {
      make('verdict-test-left', { 'owner.json': dead, 'services.json': server(dead) });
      make('verdict-mysql-left', { 'owner.json': dead });
      make('verdict-in-use', { 'owner.json': alive });
      make('verdict-ending', { 'owner.json': dead, 'services.json': server(alive) });
      make('verdict-unowned', {});
      make('others', { 'owner.json': dead });
      writeFileSync(join(base, 'verdict-file'), '');
      removeLeftFolders(base);
      expect(readdirSync(base).sort()).to.deep.equal([
        ...['others', 'verdict-ending', 'verdict-file', 'verdict-in-use', 'verdict-unowned'],
      ]);
    } finally {
      rmSync(base, { recursive: true });
    }
  });
});
