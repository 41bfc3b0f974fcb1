import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { examples } from '../../arguments.js';
import { exitCodes } from '../../exitCodes.js';
import { Refusal } from '../../failures.js';
import type { Session } from '../../session.js';
import { record } from '../../table.js';
import { withConnection } from '../connection.js';
import { environmentIdOf, findDecision, requiredEnvironment } from '../find.js';
import { operations } from '#openapi/operations.gen.js';
import type { RunOptions } from './options.js';
import { runSheet } from './sheet.js';
import type { ItemFile } from './csvItems.js';
import { countItems, readItems } from './items.js';
import { isFailed, Results } from './results.js';
import { streamLines } from './stream.js';

/** `verdict batch run` */
export function registerBatch(program: Command, session: Session): void {
  const batch = program.command('batch').description('execute a decision on many facts');
  withConnection(batch.command('run'))
    .description('execute what is deployed on every fact of a file; exit 1 when items failed')
    .argument(
      '<file>',
      'NDJSON: {"fact": {…}, "key"?, "reference"?} a line; CSV or .xlsx: a fact a row, its names in the first',
    )
    .addOption(requiredEnvironment('the environment'))
    .requiredOption('--decision <decision>', 'the decision; key or id')
    .option('--output <file>', 'where the results go, NDJSON (of .xlsx: .xlsx); else FILE.results.ndjson (.xlsx)')
    .option('--resume', 'go on where an earlier run of this file was cut off; nothing runs twice')
    .option('--key <column>', "of CSV: the column of the items' keys; else their numbers")
    .option('--reference <column>', "of CSV: the column of the caller's own ids")
    .addHelpText(
      'after',
      examples(
        'batch run orders.ndjson --environment 0190… --decision shop/fees.json',
        'batch run orders.xlsx --environment 0190… --decision shop/fees.json',
        'batch run orders.csv --environment 0190… --decision shop/fees.json --reference order --resume',
      ),
    )
    .action((file: string, options: RunOptions) => run(session, file, options));
}

async function run(session: Session, path: string, options: RunOptions): Promise<void> {
  if (/\.xlsx$/i.test(path)) return runSheet(session, path, options);
  const service = session.service(options);
  const { id: decisionId } = await findDecision(service, options.decision);
  const file: ItemFile = {
    path: resolve(session.directory, path),
    keyColumn: options.key,
    referenceColumn: options.reference,
  };
  const total = await countItems(file).catch((error: unknown) => {
    throw readingFault(path, error);
  });
  const output = options.output ?? `${path}.results.ndjson`;
  const ref = { environmentId: await environmentIdOf(service, options.environment), decisionId };
  const results = await Results.open(resolve(session.directory, output), ref, options.resume === true);
  const from = results.kept.answers;
  let { failed } = results.kept;
  let answers = from;
  const progress = session.progress('executing', total);
  progress.advance(from);
  try {
    if (from < total) {
      const lines = await streamLines(service, operations.executeBatch, {
        params: ref,
        idempotencyKey: results.idempotencyKey,
        body: Readable.from(terminated(readItems(file, from))),
      });
      for await (const line of lines) {
        if (line.startsWith('{"summary":')) break;
        // The service counts from the first item that it was sent.
        await results.add(line.replace(/^\{"index":\d+/, `{"index":${answers}`));
        answers++;
        if (isFailed(line)) failed++;
        progress.advance();
      }
    }
  } finally {
    progress.end();
    await results.close();
  }
  if (answers < total) {
    throw new Refusal(
      `the answer was cut off after ${answers} of ${total} items, kept in ${output}. Go on by --resume.`,
    );
  }
  const document = { completed: answers - failed, failed, output };
  session.print(document, () => record(document));
  if (failed > 0) session.endWith(exitCodes.refused);
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function readingFault(path: string, error: unknown): unknown {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? new Refusal(`${path} cannot be read (${code}).`) : error;
}
