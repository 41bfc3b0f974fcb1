import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import { unguarded } from '../../../workers/sheets/index.js';
import { document, planOf, type Described } from '../../support/operations/operations.js';
import { operationsThat, useStage } from './stage.js';

interface Listed {
  readonly data: readonly object[];
}

const isList = ({ method, parameters }: Described): boolean =>
  method === 'GET' && parameters.some(({ name }) => name === 'after');
/** Its lines are `application/x-ndjson`, since each is a list of changes. */
const asLines = new Set(['listReplayDifferences']);

describe('the contract: a list', () => {
  const stage = useStage();

  for (const operation of operationsThat(isList)) {
    if (asLines.has(operation.id)) continue;
    it(`of ${operation.id} is a .csv file where Accept says so, with what a page as JSON has`, async () => {
      const types = document.paths[operation.path]?.['get']?.responses['200']?.['content'] as object;
      expect(types).to.have.any.keys('text/csv');
      const { query = '' } = planOf(operation).own(stage.world);
      const page = await stage.ask(operation, { query: `${query === '' ? '?' : `${query}&`}size=5000` });
      const { data } = page.body as Listed;
      const file = await stage.ask(operation, { query, headers: { Accept: 'text/csv' } });
      expect(file.status, file.text).to.equal(200);
      expect(file.headers['content-type']).to.equal('text/csv; charset=utf-8; header=present');
      expect(file.text).to.match(/\r\n$/);
      const [header = [], ...rows] = parse(file.text, { bom: true, recordDelimiter: '\r\n' });
      expect(rows).to.have.length(data.length);
      data.forEach((item, index) => {
        header.forEach((name, column) => {
          const cell = rows[index]?.[column] ?? '';
          const value = valueAt(item, name);
          // People, decisions and environments stand by name behind what names them in the item.
          if (value === undefined && /(Name|decisionKey)$/.test(name)) return;
          if (typeof value === 'string') expect(unguarded(cell), name).to.equal(value);
          else expect(cell === '' ? null : JSON.parse(cell), name).to.deep.equal(value ?? null);
        });
        const fields = new Set(header.map((name) => name.split('.')[0]));
        expect([...fields], 'a field without a column').to.include.members(Object.keys(item));
      });
    });
  }
});

const valueAt = (item: object, name: string): unknown =>
  name.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown> | null)?.[step], item);
