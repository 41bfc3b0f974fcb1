import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../db/root.js';
import { exportedTable } from '../../support/sheets.js';

// Has LibreOffice open and save a table, so that tests need none: `make sheet-fixture`.
const folder = join(projectRoot, 'test/golden/sheets');
const scratch = mkdtempSync(join(tmpdir(), 'verdict-fixture-'));
const model = readFileSync(join(folder, 'table.json'), 'utf8');
writeFileSync(join(scratch, 'libreoffice.xlsx'), exportedTable(JSON.stringify(JSON.parse(model)), 'rates'));
const filter = 'xlsx:Calc MS Excel 2007 XML';
execFileSync('soffice', ['--headless', '--convert-to', filter, '--outdir', folder, join(scratch, 'libreoffice.xlsx')]);
rmSync(scratch, { recursive: true });
