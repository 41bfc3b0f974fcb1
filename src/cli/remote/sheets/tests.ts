import type { Command } from 'commander';
import { examples } from '../../arguments.js';
import type { Session } from '../../session.js';
import { record } from '../../table.js';
import { withConnection, type ConnectionOptions } from '../connection.js';
import { findDecision } from '../find.js';
import { operations } from '#openapi/operations.gen.js';
import { formatOf, readFileAt, typeOf, writeFileAt } from './files.js';
import { printImport } from './imported.js';

/** `verdict tests …` */
export function registerTests(program: Command, session: Session): void {
  const tests = program.command('tests').description("a model's tests as spreadsheets");
  withConnection(tests.command('export'))
    .description('write the tests of the working copy, one row each')
    .argument('<decision>', 'key or id')
    .option('--output <file>', 'where they go, .xlsx or .csv', 'tests.xlsx')
    .addHelpText('after', examples('tests export shop/fees.json --output fees.csv'))
    .action(async (name: string, { output, ...options }: ConnectionOptions & { readonly output: string }) => {
      const operation = formatOf(output) === 'csv' ? operations.getTestsCsv : operations.getTestsSheet;
      const service = session.service(options);
      const { id } = await findDecision(service, name);
      await writeFileAt(session, output, await service.receive(operation, { params: { id } }));
      session.print({ output }, () => record({ output }));
    });
  withConnection(tests.command('import'))
    .description('replace the tests of the working copy by those of a file')
    .argument('<decision>', 'key or id')
    .argument('<file>', '.xlsx or .csv')
    .option('--dry-run', 'show what would change, and store nothing')
    .addHelpText('after', examples('tests import shop/fees.json fees.csv --dry-run'))
    .action(async (name: string, file: string, { dryRun, ...options }: ConnectionOptions & { dryRun?: boolean }) => {
      const operation = formatOf(file) === 'csv' ? operations.importTestsCsv : operations.importTestsSheet;
      const service = session.service(options);
      const { id } = await findDecision(service, name);
      const query = { dryRun: dryRun === true ? 'true' : undefined };
      const body = await readFileAt(session, file);
      printImport(
        session,
        (await service.send(operation, { params: { id }, query, body, headers: typeOf(file) })).body,
      );
    });
}
