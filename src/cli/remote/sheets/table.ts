import type { Command } from 'commander';
import { examples, parseCount } from '../../arguments.js';
import { Refusal } from '../../failures.js';
import { drawDiagnostics, locatedDiagnostic } from '../../diagnostics.js';
import type { Session } from '../../session.js';
import { record } from '../../table.js';
import { withConnection, type ConnectionOptions } from '../connection.js';
import { findDecision } from '../find.js';
import { importCandidates } from '../import.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from '../service.js';
import { formatOf, readFileAt, typeOf, writeFileAt } from './files.js';
import { printImport } from './imported.js';
import { formatJson } from '../../../../workers/json/index.js';

interface ExportOptions extends ConnectionOptions {
  readonly version: number;
  readonly output?: string;
}

interface ImportOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
}

interface CreateOptions extends ConnectionOptions {
  readonly key: string;
  readonly inputs?: string;
  readonly outputs?: string;
}

const maxVersion = 2_147_483_647;

/** `verdict table …` */
export function registerTable(program: Command, session: Session): void {
  const table = program.command('table').description('decision tables as spreadsheets');
  withConnection(table.command('export'))
    .description('write a table as .xlsx or .csv')
    .argument('<decision>', 'key or id')
    .argument('<table>', "the table's name or id")
    .option('--version <number>', 'a version; else the working copy', parseCount(0, maxVersion), 0)
    .option('--output <file>', 'where it goes, .xlsx or .csv; else TABLE.xlsx')
    .addHelpText(
      'after',
      examples('table export shop/fees.json Fees', 'table export shop/fees.json Fees --output fees.csv'),
    )
    .action((name: string, node: string, options: ExportOptions) => exportTable(session, name, node, options));
  withConnection(table.command('import'))
    .description('bring a file into a table of the working copy')
    .argument('<decision>', 'key or id')
    .argument('<table>', "the table's name or id")
    .argument('<file>', '.xlsx or .csv')
    .option('--dry-run', 'show what would change, and store nothing')
    .addHelpText('after', examples('table import shop/fees.json Fees fees.xlsx --dry-run'))
    .action(async (name: string, node: string, file: string, { dryRun, ...options }: ImportOptions) => {
      const service = session.service(options);
      const { id } = await findDecision(service, name);
      const found = await findTable(service, id, { version: 0, node });
      const params = { id, nodeId: found.nodeId };
      const query = { dryRun: dryRun === true ? 'true' : undefined };
      const body = await readFileAt(session, file);
      printImport(
        session,
        (await service.send(operations.importTable, { params, query, body, headers: typeOf(file) })).body,
        found.nameOf,
      );
    });
  withConnection(table.command('create'))
    .description('make a decision with a table of a plain sheet')
    .argument('<file>', '.xlsx or .csv; the first row has the names of the columns')
    .requiredOption('--key <key>', "the new decision's")
    .option('--inputs <names>', 'columns, with commas; else guessed')
    .option('--outputs <names>', 'columns, with commas; else those after an empty one, or the last')
    .addHelpText('after', examples('table create fees.xlsx --key shop/fees.json --outputs Fee'))
    .action((file: string, options: CreateOptions) => createTable(session, file, options));
}

async function exportTable(session: Session, name: string, node: string, options: ExportOptions): Promise<void> {
  const { version, output = `${node.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.xlsx` } = options;
  const operation = formatOf(output) === 'csv' ? operations.getTableCsv : operations.getTableSheet;
  const service = session.service(options);
  const { id } = await findDecision(service, name);
  const { nodeId } = await findTable(service, id, { version, node });
  await writeFileAt(session, output, await service.receive(operation, { params: { id, version, nodeId } }));
  session.print({ output }, () => record({ output }));
}

interface Named {
  readonly id?: unknown;
  readonly name?: unknown;
}

interface Nodes {
  readonly nodes?: readonly (Named & {
    readonly type?: unknown;
    readonly content?: { readonly inputs?: readonly Named[]; readonly outputs?: readonly Named[] };
  })[];
}

/** A table that people name by its name or id, and the names of its columns. @throws Refusal which tells the tables that there are */
async function findTable(
  service: Service,
  id: string,
  { version, node }: { readonly version: number; readonly node: string },
): Promise<{ readonly nodeId: string; readonly nameOf: (column: string) => string }> {
  const { body } = await service.send(operations.getVersion, { params: { id, version } });
  const tables = ((body.content as Nodes).nodes ?? []).filter(({ type }) => type === 'decisionTableNode');
  const found = tables.find((table) => table.id === node) ?? tables.find(({ name }) => name === node);
  if (found !== undefined) {
    const { inputs = [], outputs = [] } = found.content ?? {};
    const nameOf = (column: string): string => {
      const name = [...inputs, ...outputs].find(({ id: own }) => own === column)?.name;
      return typeof name === 'string' && name !== '' ? name : column;
    };
    return { nodeId: String(found.id), nameOf };
  }
  const names = tables.map(({ name, id: own }) => JSON.stringify(name ?? own)).join(', ');
  throw new Refusal(`there is no table ${JSON.stringify(node)}. The model has ${names === '' ? 'no tables' : names}.`);
}

async function createTable(
  session: Session,
  file: string,
  { key, inputs, outputs, ...options }: CreateOptions,
): Promise<void> {
  const service = session.service(options);
  const body = await readFileAt(session, file);
  const request = { query: { inputs, outputs }, body, headers: typeOf(file) };
  const { body: made } = await service.send(operations.convertTable, request);
  const [taken] = (await service.send(operations.listDecisions, { query: { key: key.normalize('NFC') } })).body.data;
  if (taken !== undefined)
    throw new Refusal(`there is a decision ${JSON.stringify(key)} already: see verdict table import.`);
  const report = await importCandidates(service, [{ key, document: { text: formatJson(made.content) } }], {
    save: false,
  });
  const [decision] = report.decisions;
  const document = { id: decision?.id ?? null, key, inputs: made.inputs, outputs: made.outputs, faults: made.faults };
  session.print(document, () =>
    [
      record({ id: document.id, key, inputs: made.inputs.join(', '), outputs: made.outputs.join(', ') }),
      ...(made.faults.length === 0 ? [] : [drawDiagnostics(made.faults.map((fault) => locatedDiagnostic(key, fault)))]),
    ].join('\n'),
  );
}
