import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { collect, examples, parseCount, parseDate, parseId } from '../arguments.js';
import { exitCodes } from '../exitCodes.js';
import { Refusal } from '../failures.js';
import { parseGate, type Gate } from '../replays/gate.js';
import { reportPage } from '../replays/reportPage.js';
import { reportText } from '../replays/reportText.js';
import type { Session } from '../session.js';
import { record } from '../table.js';
import { comparisonOf, withComparison, type ComparisonOptions } from './comparison.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { environmentIdOf, findDecision, requiredEnvironment } from './find.js';
import type { Replay } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { ServiceRefusal, type Service } from './service.js';

/** How often a replay's progress is asked for. */
const pollMs = 300;
const maxVersion = 2_147_483_647;

/** `verdict replay …` */
export function registerReplay(program: Command, session: Session): void {
  const replay = program
    .command('replay')
    .description(
      'what would another version have decided? Recorded executions run on it, and the results are compared',
    );
  registerStart(replay, session);
  withResult(withConnection(replay.command('show')))
    .description('show a replay with its report; while it runs, the report grows')
    .argument('<replay>', 'its id', parseId)
    .addHelpText('after', examples('replay show 0190…', "replay show 0190… --fail-on 'changed > 0.5%'"))
    .action(async (id: string, options: ResultOptions & ConnectionOptions) => {
      const { body } = await session.service(options).send(operations.getReplay, { params: { id } });
      await finish(session, body, options);
    });
  withConnection(replay.command('cancel'))
    .description('cancel a replay that runs; its report stays. One that has ended is left alone')
    .argument('<replay>', 'its id', parseId)
    .addHelpText('after', examples('replay cancel 0190…'))
    .action((id: string, options: ConnectionOptions) => cancel(session, session.service(options), id));
}

interface ResultOptions {
  readonly failOn?: readonly Gate[];
  readonly html?: string;
}

interface StartOptions extends ConnectionOptions, ComparisonOptions, ResultOptions {
  readonly environment: string;
  readonly candidate: number;
  readonly from?: Date;
  readonly to?: Date;
  readonly status?: string;
  readonly version?: number;
  readonly limit?: number;
  readonly wait: boolean;
}

const withResult = (command: Command): Command =>
  command
    .option('--fail-on <bound>', "exit with 1 where it holds, such as 'changed > 0.5%'; repeatable", collect(parseGate))
    .option('--html <file>', 'write the report as a page with plots that needs no other file');

function registerStart(replay: Command, session: Session): void {
  withResult(withComparison(withConnection(replay.command('start'))))
    .description('start a replay, wait for its end, and show the report')
    .argument('<decision>', 'key or id')
    .addOption(requiredEnvironment('whose executions, and whose variables'))
    .requiredOption('--candidate <version>', 'what to run them on; 0 is the working copy', parseCount(0, maxVersion))
    .option('--from <date>', 'executions from then on, such as 2026-01-31 (midnight UTC)', parseDate)
    .option('--to <date>', 'executions before then', parseDate)
    .option('--status <status>', 'those that are COMPLETED or FAILED alone')
    .option('--version <n>', 'those of this version alone', parseCount(0, maxVersion))
    .option('--limit <n>', 'the newest so many; else 10,000', parseCount(1, 100_000))
    .option('--no-wait', 'do not wait: show its id')
    .addHelpText(
      'after',
      examples(
        'replay start shop/fees.json --environment 0190… --candidate 0',
        "replay start shop/fees.json --environment 0190… --candidate 4 --fail-on 'changed > 0.5%' --html report.html",
        'replay start shop/fees.json --environment 0190… --candidate 4 --measure mean=result.fee --ignore "/offers/*/id"',
      ),
    )
    .action((decision: string, options: StartOptions) => start(session, decision, options));
}

async function start(session: Session, decision: string, options: StartOptions): Promise<void> {
  const service = session.service(options);
  const { from, to, status, version, limit } = options;
  const filter = { ...(status === undefined ? {} : { status }), ...(version === undefined ? {} : { version }) };
  const request = {
    decisionId: (await findDecision(service, decision)).id,
    environmentId: await environmentIdOf(service, options.environment),
    candidate: { version: options.candidate },
    ...(from === undefined ? {} : { from: from.toISOString() }),
    ...(to === undefined ? {} : { to: to.toISOString() }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...(limit === undefined ? {} : { limit }),
    ...comparisonOf(options),
  };
  const { body } = await service.send(operations.createReplay, { body: JSON.stringify(request) });
  if (!options.wait) {
    session.print(body, () => record({ id: body.id, status: body.status }));
    return;
  }
  session.note(`Replay ${body.id}`);
  await finish(session, await ended(session, service, body.id), options);
}

/** Waits for the end of a replay, with a progress bar once it is known how many executions there are. */
async function ended(session: Session, service: Service, id: string): Promise<Replay> {
  let progress: ReturnType<Session['progress']> | undefined;
  let shown = 0;
  try {
    for (;;) {
      const { body } = await service.send(operations.getReplay, { params: { id } });
      if (body.total > 0) progress ??= session.progress('replaying', body.total);
      progress?.advance(body.done - shown);
      shown = body.done;
      if (body.status !== 'RUNNING') return body;
      await sleep(pollMs);
    }
  } finally {
    progress?.end();
  }
}

async function finish(session: Session, replay: Replay, { failOn = [], html }: ResultOptions): Promise<void> {
  const { id, status, done, total, report, error } = replay;
  if (html !== undefined) await writeFile(resolve(session.directory, html), reportPage(replay));
  session.print(replay, () => `${record({ id, status, done, total })}\n${reportText(report)}`);
  if (status === 'FAILED') throw new Refusal(`the replay failed: ${error ?? 'see the log of the server'}`);
  const broken = failOn.filter((gate) => gate.isBroken(report));
  for (const { text } of broken) session.note(`Failed: ${text}`);
  // What was not looked at may have been the worst of it.
  const isPartial = failOn.length > 0 && status !== 'COMPLETED';
  if (isPartial) session.note(`Failed: the replay is ${status}, so that not every execution was looked at.`);
  if (broken.length > 0 || isPartial) session.endWith(exitCodes.refused);
}

/** By the state that was seen: a DELETE of one that has ended in between would remove it with its report. */
async function cancel(session: Session, service: Service, id: string): Promise<void> {
  for (;;) {
    const { body, headers } = await service.send(operations.getReplay, { params: { id } });
    if (body.status !== 'RUNNING') throw new Refusal(`replay ${id} is ${body.status} already.`);
    try {
      await service.send(operations.deleteReplay, {
        params: { id },
        headers: { 'If-Match': headers.get('etag') ?? '' },
      });
      break;
    } catch (error) {
      // It has made progress.
      if (!(error instanceof ServiceRefusal && error.status === 412)) throw error;
    }
  }
  session.print({ id, status: 'CANCELLED' }, () => record({ id, status: 'CANCELLED' }));
}
