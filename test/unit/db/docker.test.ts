import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectOf } from '../../../db/services/docker.js';
import { passwordsOf } from '../../../db/services/state.js';
import { useFreshFolder } from '../../support/folder.js';

describe("the name of a folder's containers and volume", () => {
  const root = useFreshFolder();
  let dir: string;
  beforeEach(() => {
    dir = join(root, '.run');
    mkdirSync(dir);
  });
  const name = (folder = dir): string => projectOf(folder, passwordsOf(folder));

  it('stays, and is another once the folder was removed and has new passwords, which the old volume would refuse', () => {
    const first = name();
    expect(first).to.match(/^verdict-[0-9a-f]{10}$/);
    expect(name()).to.equal(first);
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
    expect(name()).to.not.equal(first);
  });

  it('is not shared by a copy of the folder', () => {
    const first = name();
    const copy = join(root, 'copy');
    cpSync(dir, copy, { recursive: true });
    expect(passwordsOf(copy)).to.deep.equal(passwordsOf(dir));
    expect(name(copy)).to.not.equal(first);
  });
});
