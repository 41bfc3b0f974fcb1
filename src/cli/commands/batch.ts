import { command, type CommandGroup } from '../command.js';
import { exitCodes } from '../failures.js';
import { text } from '../params.js';
import { batchOptions } from '../remote/batch/options.js';
import { runItems } from '../remote/batch/runItems.js';
import { record } from '../tableOf.js';

export const batchCommands: CommandGroup = {
  groups: { batch: 'execute a decision on many facts' },
  commands: [
    command({
      name: 'batch run',
      about: 'execute what is deployed on every fact of a file; exit 1 when items failed',
      examples: [
        'batch run orders.ndjson --environment 0190… --decision shop/fees.json',
        'batch run orders.xlsx --environment 0190… --decision shop/fees.json',
        'batch run orders.csv --environment 0190… --decision shop/fees.json --reference order --resume',
      ],
      args: {
        file: text(
          '<file>',
          'NDJSON: {"fact": {…}, "key"?, "reference"?} a line; CSV or .xlsx: a fact a row, its names in the first',
        ),
      },
      options: batchOptions,
      run: async (call, { file, ...options }) =>
        /\.xlsx$/i.test(file)
          ? (await import('../remote/batch/sheet.js')).runSheet(call, file, options)
          : runItems(call, file, options),
      text: (done) => record({ ...done }),
      end: ({ failed }) => (failed > 0 ? exitCodes.refused : undefined),
    }),
  ],
};
