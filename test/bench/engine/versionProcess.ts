import { readSuite } from '../../conformance/suite.js';
import { measureOurs, type OurTimes } from './ours.js';
import { factOfRow, tableModel } from './tables.js';

// `ENGINE=<entry of an engine> versionProcess.js <suite folder> <milliseconds>` prints the times of each model as JSON.

const [folder = '', milliseconds = ''] = process.argv.slice(2);
const times: Record<string, OurTimes> = {};
const measure = async (name: string, model: unknown, facts: readonly unknown[]): Promise<void> => {
  if (facts.length > 0) times[name] = await measureOurs(model, facts, Number(milliseconds));
};
for (const { key, model, tests } of readSuite(folder).graphs) {
  await measure(
    key,
    model,
    tests.map(({ input }) => input),
  );
}
await measure('a table of 3,000 rows', tableModel(3000), [0, 1500, 2999].map(factOfRow));
process.stdout.write(JSON.stringify(times));
