import { expect } from 'chai';
import type { Fault, Model } from '../../../src/console/api/types.js';
import { readingsOf, repaired, repairGroups } from '../../../src/console/editor/repairs.js';
import { sheetOf } from '../../../src/console/editor/sheet.js';
import { membersOf, rowsOf } from '../../../src/console/graph/fields.js';
import { knownNow } from '../../../src/console/model/knownFaults.js';
import { faultDocument } from '../../../src/decisions/diagnostics.js';
import { validate } from '../../../workers/engine/index.js';
import { single, table } from '../../support/engine.js';
import { allowedMs } from '../../support/environment.js';

const rowCount = 2000;
/** Of faults, each in its line below the table. */
const shownFaults = 50;

/** Of which every cell but those of one column has a fault, and each cell of `rate` another text. */
function brokenTable(): Model {
  const rows = Array.from({ length: rowCount }, (_, row) => ({
    _id: `r${row}`,
    i0: '18-20',
    i1: '01.02.2026',
    i2: `"${row}"`,
    o0: `${1 + Math.floor(row / 1000)},${String(row % 1000).padStart(3, '0')}`,
  }));
  return single(table('t', { inputs: ['age', 'day', 'code'], outputs: ['rate'] }, rows)) as Model;
}

describe('a cell with several faults', () => {
  it('is put right as one of them says, whatever else is told of it, before or after', () => {
    const condition = '/nodes/0/content/statements/';
    const model: Model = {
      nodes: [
        {
          ...{ id: 's', type: 'switchNode', name: 'Zones' },
          content: {
            statements: [
              { id: '1', condition: 'zone="A"' },
              { id: '2', condition: 'zone = "B"' },
            ],
          },
        },
      ],
      edges: [],
    };
    const fault = (row: number, repair?: string): Fault => ({
      ...{ severity: 'warning', key: 'zones.json', message: '', nodeId: 's', node: 'Zones', field: null, line: null },
      ...{ column: null, hint: null, excerpt: null, pointer: `${condition}${row}/condition` },
      ...(repair === undefined ? {} : { repair }),
    });
    const faults = [fault(0, 'zone == "A"'), fault(0), fault(1), fault(1, 'zone == "B"')];
    expect(repairGroups(model, faults).map(({ cells }) => cells.map(({ readings }) => readings))).to.deep.equal([
      [['zone == "A"'], ['zone == "B"']],
    ]);
  });
});

describe('thousands of cells are put right', () => {
  const model = brokenTable();
  const faults: readonly Fault[] = validate(model, { knows: () => true }).map((diagnostic) =>
    faultDocument({ key: 'rates.json', diagnostic }),
  );
  const groups = repairGroups(model, faults);

  it('all that have one reading at once, and nothing that is to be asked', () => {
    const sure = groups.filter(({ choices }) => choices === 1);
    expect(sure.map(({ column, cells }) => [column, cells.length])).to.deep.equal([
      ['age', rowCount],
      ['day', rowCount],
    ]);
    const next = sure.reduce((before, group) => repaired(before, group, 0), model);
    const known = knownNow({ status: 'known', faults, model }, next);
    expect(repairGroups(next, known.faults).map(({ column, choices }) => [column, choices])).to.deep.equal([
      ['rate', 2],
    ]);
    const [row] = rowsOf(next.nodes[1]!.content, 'rules');
    expect(row).to.include({ i0: '[18..20]', i1: '"2026-02-01"', o0: '1,000' });
  });

  it('each kind in 50 ms, with all that is drawn anew of faults and repairs', () => {
    const started = process.cpuUsage();
    const next = repaired(model, groups[0]!, 0);
    const left = knownNow({ status: 'known', faults, model }, next).faults;
    repairGroups(next, left);
    const content = membersOf(next.nodes[1]!.content);
    for (let row = 0; row < shownFaults; row++)
      readingsOf(sheetOf({ type: 'decisionTableNode', content })!, { row, index: 3, told: [] });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).to.be.below(allowedMs(50));
  });
});
