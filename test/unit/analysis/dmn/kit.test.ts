import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { analyse } from '../../../../workers/analysis/index.js';
import type { TableReport } from '../../../../workers/analysis/report.js';
import { dmn } from '../../../support/dmn.js';
import { projectRoot } from '../../../../db/root.js';

/** The kit, where it is: beside the project, or where `DMN_TCK` says. */
const folder = process.env['DMN_TCK'] ?? path.join(projectRoot, '../shared/dmn-tck');

describe("the tables of DMN's compatibility kit", function () {
  this.timeout(600_000);
  if (!existsSync(folder)) {
    it('needs the kit in ../shared/dmn-tck or $DMN_TCK');
    return;
  }

  it('are decided to at least 85 in 100, and no run contradicts what is proved', async () => {
    const tables: TableReport[] = [];
    const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.dmn'),
    );
    for (const file of documents.sort()) {
      const xml = readFileSync(path.join(folder, file), 'utf8');
      if (!xml.includes('decisionTable')) continue;
      const version = { document: dmn(xml), program: null, linked: '' };
      const { report, unconfirmed } = await analyse({ version, isSearched: false, until: performance.now() + 60_000 });
      expect(unconfirmed, file).to.equal(0);
      tables.push(...report.tables);
    }
    const decided = tables.filter(({ findings }) => findings.every(({ status }) => status === 'proved')).length;
    process.stdout.write(`      ${decided} of ${tables.length} tables are decided\n`);
    expect(decided / tables.length).to.be.at.least(0.85);
  });
});
