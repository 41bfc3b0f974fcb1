import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../db/root.js';
import { checkSuite } from './check.js';
import { readSuite } from './suite.js';

/** The public vectors, where they are: beside the project, or where `ZEN_SUITE` says. */
const folder = process.env['ZEN_SUITE'] ?? path.join(projectRoot, '../shared/zen-suite');

/** Rows of the specification that are not met, with the reason. */
const unmet: Readonly<Record<string, string>> = {
  'spec/standard/04-access.csv: $root':
    'without an input; the fact of a model is an object, so that `$root` is one there',
};

describe("the reference's specification of its language", function () {
  before(function () {
    if (!existsSync(path.join(folder, 'spec'))) this.skip();
  });

  it('is met in every row, by itself and in a model, but for those that say that the reference differs or is undecided', async () => {
    const { rowFiles } = readSuite(folder);
    const suite = { rowFiles: rowFiles.filter(({ specified }) => specified), graphs: [] };
    const failed: string[] = [];
    let passed = 0;
    for await (const { name, passed: met, failures } of checkSuite(suite, Date.now, () => undefined)) {
      passed += met;
      for (const { source, expected, got } of failures) {
        if (unmet[`${name}: ${source}`] === undefined) failed.push(`${name}: ${source} ${expected} ${got}`);
      }
    }
    expect(failed).to.deep.equal([]);
    expect(passed).to.be.greaterThan(3000);
  });
});
