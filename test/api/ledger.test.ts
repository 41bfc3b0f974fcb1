import { expect } from 'chai';
import { newId } from '../../src/storage/ids.js';
import { Ledger, recordedIn, type Acknowledged, type Audit } from '../bench/soak/ledger.js';
import { buildDeployed, recordOf, type Deployed } from '../support/deployed.js';
import { useStore } from '../support/factories.js';
import { writeRecord } from '../support/records.js';

describe('the ledger of make soak', () => {
  const store = useStore();

  const write = async (deployed: Deployed, requestId: string, fields: { id?: string } = {}): Promise<string> => {
    const record = recordOf(deployed, { requestId, ...fields });
    await writeRecord(store.database, record);
    return record.id;
  };
  const told = (id: string, fields: Partial<Acknowledged> = {}): Acknowledged => ({
    id,
    version: 1,
    status: 'COMPLETED',
    result: '{"y":2}',
    ...fields,
  });
  const auditOf = (ledger: Ledger, { workspaceId }: Deployed): Promise<Audit> =>
    ledger.audit(recordedIn(store.database, [workspaceId]), () => undefined);

  it('finds nothing where every answer has its row', async () => {
    const deployed = await buildDeployed(store);
    const ledger = new Ledger();
    const one = ledger.open();
    ledger.acknowledge(one.number, told(await write(deployed, one.requestId)));
    // No answer came: a row may be there or not.
    await write(deployed, ledger.open().requestId);
    ledger.open();
    // A repeat with the same key was told of the first one's row.
    const first = ledger.open();
    const repeat = ledger.open(first.number);
    const id = await write(deployed, first.requestId);
    ledger.acknowledge(repeat.number, told(id), true);
    const clean = { rows: 3, acknowledged: 2, replayed: 1, lost: 0, duplicated: 0, different: 0, unasked: 0 };
    expect(await auditOf(ledger, deployed)).to.deep.equal(clean);
  });

  it('finds what is lost, doubled, different, and what nobody asked for', async () => {
    const deployed = await buildDeployed(store);
    const ledger = new Ledger();
    ledger.acknowledge(ledger.open().number, told(newId()));
    const twice = ledger.open();
    ledger.acknowledge(twice.number, told(await write(deployed, twice.requestId)));
    await write(deployed, ledger.open(twice.number).requestId);
    for (const wrong of [{ version: 2 }, { status: 'FAILED' }, { result: '{"y":3}' }] as const) {
      const { number, requestId } = ledger.open();
      ledger.acknowledge(number, told(await write(deployed, requestId), wrong));
    }
    const refused = ledger.open();
    ledger.refuse(refused.number);
    await write(deployed, refused.requestId);
    await write(deployed, newId());
    const found = { rows: 7, acknowledged: 5, replayed: 0, lost: 1, duplicated: 1, different: 3, unasked: 2 };
    expect(await auditOf(ledger, deployed)).to.deep.equal(found);
  });
});
