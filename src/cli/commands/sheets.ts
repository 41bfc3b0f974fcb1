import { operations } from '#openapi/operations.gen.js';
import type { FileImport } from '#openapi/types.gen.js';
import { formatJson } from '../../../workers/json/index.js';
import { command, type CommandGroup } from '../command.js';
import { counted, drawFaults } from '../diagnostics.js';
import { Refusal } from '../failures.js';
import { count, flag, preset, required, text, versions } from '../params.js';
import { findDecision } from '../remote/named.js';
import { importCandidates } from '../remote/import.js';
import type { Service } from '../remote/service.js';
import { formatOf, readFileAt, typeOf, writeFileAt } from '../remote/sheets/files.js';
import { record, table } from '../tableOf.js';

const named = { decision: text('<decision>', 'key or id') };
const file = text('<file>', '.xlsx or .csv');
const header = text(
  '--header <row>',
  'the row that names the columns, from 1, or two that do together, "1-2"; else the first one that is not empty',
);
const sheet = text('--sheet <name>', 'the sheet of an .xlsx; else the first that is not hidden');
const range = text(
  '--range <columns>',
  'two columns as one input: "Age [Age from..Age to)", or with ] where the end is within',
);
const matrix = text(
  '--matrix <names>',
  'bands stand down and across: what these are and what is in the cells, "Score,LTV,Rate"',
);
const empty = text(
  '--empty <columns>',
  'what empty cells of columns are: "Branch=above", the same as above, or "Branch=any", any value, as without it',
);
const columns = text(
  '--columns <columns>',
  'the columns that are read, "A:E"; else those of the first table, where several stand beside one another',
);
const importing = { dryRun: flag('--dry-run', 'show what would change, and store nothing') };

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

/** What a file has changed, or would change. @param nameOf what people call a column of an id */
function importText(
  { differences, decision, faults }: FileImport,
  nameOf = (column: string): string => column,
): string {
  const rows = differences.rows.map(({ ruleId, change, position, cells }) => [
    String((position.to ?? position.from ?? 0) + 1),
    ruleId,
    change,
    cells.map(({ column, before, after }) => `${nameOf(column)}: ${shown(before)} → ${shown(after)}`).join('\n'),
  ]);
  const cells = differences.rows.filter(({ change }) => change === 'changed').flatMap((row) => row.cells).length;
  const others = differences.nodes.length + (differences.fields?.length ?? 0);
  const parts = [
    ...(rows.length === 0 ? [] : [table(['row', 'id', 'change', 'cells'], rows)]),
    ...(cells === 0 ? [] : [`${counted(cells, 'cell')} of rows that are there`]),
    ...(others === 0 ? [] : [`${counted(others, 'change')} besides rows`]),
    ...(rows.length + others === 0 ? ['nothing changed'] : []),
    ...(faults.length === 0 ? [] : [drawFaults(decision.key, faults)]),
  ];
  return parts.join('\n');
}

const shown = (value: unknown): string =>
  value === undefined ? '∅' : typeof value === 'string' ? value : formatJson(value);

export const tableCommands: CommandGroup = {
  groups: { table: 'decision tables as spreadsheets' },
  commands: [
    command({
      name: 'table export',
      about: 'write a table as .xlsx or .csv',
      examples: ['table export shop/fees.json Fees', 'table export shop/fees.json Fees --output fees.csv'],
      args: { ...named, node: text('<table>', "the table's name or id") },
      options: {
        version: preset(count('--version <number>', 'a version; else the working copy', versions), 0),
        output: text('--output <file>', 'where it goes, .xlsx or .csv; else TABLE.xlsx'),
      },
      async run(
        { session, service },
        { decision, node, version, output = `${node.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.xlsx` },
      ) {
        const operation = formatOf(output) === 'csv' ? operations.getTableCsv : operations.getTableSheet;
        const { id } = await findDecision(service, decision);
        const { nodeId } = await findTable(service, id, { version, node });
        await writeFileAt(session, output, await service.receive(operation, { params: { id, version, nodeId } }));
        return { output };
      },
      text: record,
    }),
    command({
      name: 'table import',
      about: 'bring a file into a table of the working copy',
      examples: ['table import shop/fees.json Fees fees.xlsx --dry-run'],
      args: { ...named, node: text('<table>', "the table's name or id"), file },
      options: { ...importing, header, sheet, columns, range, matrix, empty },
      async run({ session, service }, { decision, node, file, dryRun, header, ...form }) {
        const { id } = await findDecision(service, decision);
        const { nodeId, nameOf } = await findTable(service, id, { version: 0, node });
        const query = { dryRun: dryRun === true ? 'true' : undefined, header, ...form };
        const body = await readFileAt(session, file);
        const request = { params: { id, nodeId }, query, body, headers: typeOf(file) };
        return { body: (await service.send(operations.importTable, request)).body, nameOf };
      },
      document: ({ body }) => body,
      text: ({ body, nameOf }) => importText(body, nameOf),
    }),
    command({
      name: 'table create',
      about: 'make a decision with a table of a plain sheet',
      examples: ['table create fees.xlsx --key shop/fees.json --outputs Fee'],
      args: { file: text('<file>', '.xlsx or .csv; the first row has the names of the columns') },
      options: {
        key: required(text('--key <key>', "the new decision's")),
        inputs: text('--inputs <names>', 'columns, with commas; else guessed'),
        outputs: text('--outputs <names>', 'columns, with commas; else those after an empty one, or the last'),
        header,
        sheet,
        columns,
        range,
        matrix,
        empty,
      },
      async run({ session, service }, { file, key, header, ...form }) {
        const body = await readFileAt(session, file);
        const request = { query: { header, ...form }, body, headers: typeOf(file) };
        const { body: made } = await service.send(operations.convertTable, request);
        // What the sheet may be is told beside why it cannot be read.
        const unread = made.faults.filter(({ field, pointer }) => field !== null && pointer === '');
        if (unread.some(({ severity }) => severity === 'error')) throw new Refusal(drawFaults(key, unread));
        const taken = await service.send(operations.listDecisions, { query: { key: key.normalize('NFC') } });
        if (taken.body.data.length > 0)
          throw new Refusal(`there is a decision ${JSON.stringify(key)} already: see verdict table import.`);
        const candidate = { key, document: { text: formatJson(made.content) } };
        const [decision] = (await importCandidates(service, [candidate], { save: false })).decisions;
        return { id: decision?.id ?? null, key, inputs: made.inputs, outputs: made.outputs, faults: made.faults };
      },
      text: ({ id, key, inputs, outputs, faults }) =>
        [
          record({ id, key, inputs: inputs.join(', '), outputs: outputs.join(', ') }),
          ...(faults.length === 0 ? [] : [drawFaults(key, faults)]),
        ].join('\n'),
    }),
  ],
};

export const testsCommands: CommandGroup = {
  groups: { tests: "a model's tests as spreadsheets" },
  commands: [
    command({
      name: 'tests export',
      about: 'write the tests of the working copy, one row each',
      examples: ['tests export shop/fees.json --output fees.csv'],
      args: named,
      options: { output: preset(text('--output <file>', 'where they go, .xlsx or .csv'), 'tests.xlsx') },
      async run({ session, service }, { decision, output }) {
        const operation = formatOf(output) === 'csv' ? operations.getTestsCsv : operations.getTestsSheet;
        const { id } = await findDecision(service, decision);
        await writeFileAt(session, output, await service.receive(operation, { params: { id } }));
        return { output };
      },
      text: record,
    }),
    command({
      name: 'tests import',
      about: 'replace the tests of the working copy by those of a file',
      examples: ['tests import shop/fees.json fees.csv --dry-run'],
      args: { ...named, file },
      options: { ...importing, sheet },
      async run({ session, service }, { decision, file, dryRun, sheet }) {
        const operation = formatOf(file) === 'csv' ? operations.importTestsCsv : operations.importTestsSheet;
        const { id } = await findDecision(service, decision);
        const query = { dryRun: dryRun === true ? 'true' : undefined, sheet };
        const body = await readFileAt(session, file);
        return (await service.send(operation, { params: { id }, query, body, headers: typeOf(file) })).body;
      },
      text: (body) => importText(body),
    }),
  ],
};
