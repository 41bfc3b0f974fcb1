import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { operations } from '#openapi/operations.gen.js';
import type { Call } from '../../command.js';
import { Refusal } from '../../failures.js';
import type { ItemFile } from './csvItems.js';
import { countItems, isCsv, readItems } from './items.js';
import type { BatchOptions, BatchRun } from './options.js';
import { ServiceRefusal, type Operations } from '../service.js';
import { isFailed, Results } from './results.js';
import { streamLines } from './stream.js';

/** Executes the items of an NDJSON or CSV file, which are sent and answered as they come. */
export async function runItems(call: Call, path: string, options: BatchOptions): Promise<BatchRun> {
  const { session, service } = call;
  const { decisionId } = await call.resolved({ decisionId: options.decisionId });
  const { environmentId } = await call.resolved({ environmentId: options.environmentId });
  const ref = { environmentId: String(environmentId), decisionId: String(decisionId) };
  const file: ItemFile = {
    path: resolve(session.directory, path),
    key: options.key,
    reference: options.reference,
    input: isCsv(path) ? await readInput(service, ref) : undefined,
  };
  const total = await countItems(file).catch((error: unknown) => {
    throw readingFault(path, error);
  });
  const output = options.output ?? `${path}.results.ndjson`;
  const results = await Results.open(resolve(session.directory, output), ref, options.resume === true);
  const from = results.kept.answers;
  let { failed } = results.kept;
  let answers = from;
  await session
    .during('executing', total, async (advance) => {
      advance(from);
      if (from === total) return;
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
        advance();
      }
    })
    .finally(() => results.close());
  if (answers < total) {
    throw new Refusal(
      `the answer was cut off after ${answers} of ${total} items, kept in ${output}. Go on by --resume.`,
    );
  }
  return { completed: answers - failed, failed, output };
}

/** What the deployed decision takes; undefined where the client may not ask, or nothing is deployed, which the batch is to say. */
async function readInput(
  service: Operations,
  params: { readonly environmentId: string; readonly decisionId: string },
): Promise<unknown> {
  try {
    const { body } = await service.send(operations.getDecisionOpenApi, { params });
    return (body as { components?: { schemas?: { Fact?: unknown } } }).components?.schemas?.Fact;
  } catch (error) {
    if (error instanceof ServiceRefusal) return undefined;
    throw error;
  }
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

function readingFault(path: string, error: unknown): unknown {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? new Refusal(`${path} cannot be read (${code}).`) : error;
}
