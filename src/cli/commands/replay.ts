import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Replay } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { pause } from '../../clock/timers.js';
import { possibleReports } from '../../replays/bound.js';
import { command, type Call, type CommandGroup } from '../command.js';
import { Refusal, exitCodes, type ExitCode } from '../failures.js';
import { count, date, id, many, negated, required, text, versions, type Input } from '../params.js';
import { comparison } from '../remote/comparison.js';
import { decisionId, environmentId } from '../remote/named.js';
import { ServiceRefusal } from '../remote/service.js';
import { parseGate } from '../replays/gate.js';
import type { Report } from '../replays/report.js';
import { reportPage } from '../replays/reportPage.js';
import { reportText } from '../replays/reportText.js';
import { fieldsOf, record } from '../tableOf.js';

/** How often a replay's progress is asked for. */
const pollMs = 300;

const one = { id: id('<replay>', 'its id') };
const judging = {
  failOn: many('--fail-on <bound>', "exit with 1 where it holds, such as 'changed > 0.5%'; repeatable", parseGate),
  html: text('--html <file>', 'write the report as a page with plots that needs no other file'),
};

/** Waits for the end of a replay, with a progress bar once it is known how many executions there are. */
async function ended({ session, ask }: Call, id: string): Promise<Replay> {
  let progress: ReturnType<typeof session.progress> | undefined;
  let shown = 0;
  try {
    for (;;) {
      const { body } = await ask(operations.getReplay, { id });
      if (body.total > 0) progress ??= session.progress('replaying', body.total);
      progress?.advance(body.done - shown);
      shown = body.done;
      if (body.status !== 'RUNNING') return body;
      await pause(pollMs);
    }
  } finally {
    progress?.end();
  }
}

async function withPage({ session }: Call, replay: Replay, html: string | undefined): Promise<Replay> {
  if (html !== undefined) await writeFile(resolve(session.directory, html), reportPage(replay));
  return replay;
}

const replayText = (replay: Replay): string =>
  `${fieldsOf({ id: 'id', status: 'status', done: 'done', total: 'total' }, replay)}\n${reportText(replay.report)}`;

/** @throws Refusal where the replay failed */
function judged(
  { status, report, error }: Replay,
  { session }: Call,
  { failOn = [] }: Input<typeof judging>,
): ExitCode | undefined {
  if (status === 'FAILED') throw new Refusal(`the replay failed: ${error ?? 'see the log of the server'}`);
  const broken = failOn.filter((gate) => gate.isBroken(report));
  const unseen = possibleReports(report).length > 1;
  for (const { text } of broken) {
    const why = unseen ? ', or may be so of what the candidate kept from being compared (skipped: secret, http)' : '';
    session.note(`Failed: ${text}${why}`);
  }
  if (status === 'COMPLETED' && report.replayed === 0) session.note(`Nothing was compared: ${nothingBecause(report)}.`);
  // What was not looked at may have been the worst of it.
  const isPartial = failOn.length > 0 && status !== 'COMPLETED';
  if (isPartial) session.note(`Failed: the replay is ${status}, so that not every execution was looked at.`);
  return broken.length > 0 || isPartial ? exitCodes.refused : undefined;
}

function nothingBecause({ skipped }: Report): string {
  const reasons = Object.entries(skipped).map(([reason, count]) => `${reason}: ${count}`);
  return reasons.length === 0
    ? 'there were no such executions to run again'
    : `all executions were skipped (${reasons.join(', ')})`;
}

export const replayCommands: CommandGroup = {
  groups: {
    replay: 'what would another version have decided? Recorded executions run on it, and the results are compared',
  },
  commands: [
    command({
      name: 'replay start',
      about: 'start a replay, wait for its end, and show the report',
      examples: [
        'replay start shop/fees.json --environment 0190… --candidate 0',
        "replay start shop/fees.json --environment 0190… --candidate 4 --fail-on 'changed > 0.5%' --html report.html",
        'replay start shop/fees.json --environment 0190… --candidate 4 --measure mean=result.fee --ignore "/offers/*/id"',
      ],
      args: { decisionId: decisionId('<decision>', 'key or id') },
      options: {
        ...comparison,
        ...judging,
        environmentId: required(
          environmentId('--environment <environment>', 'whose executions, and whose variables; name or id'),
        ),
        candidate: required(count('--candidate <version>', 'what to run them on; 0 is the working copy', versions)),
        from: date('--from <date>', 'executions from then on, such as 2026-01-31 (midnight UTC)'),
        to: date('--to <date>', 'executions before then'),
        status: text('--status <status>', 'those that are COMPLETED or FAILED alone'),
        version: count('--version <n>', 'those of this version alone', versions),
        limit: count('--limit <n>', 'the newest so many; else 10,000', [1, 100_000]),
        wait: negated('--no-wait', 'do not wait: show its id'),
      },
      async run(call, { candidate, status, version, wait, html, failOn: _, ...asked }) {
        const filter = status === undefined && version === undefined ? undefined : { status, version };
        const request = { ...asked, candidate: { version: candidate }, filter };
        const { body } = await call.ask(operations.createReplay, request);
        if (!wait) return { replay: body, wait };
        call.session.note(`Replay ${body.id}`);
        return { replay: await withPage(call, await ended(call, body.id), html), wait };
      },
      document: ({ replay }) => replay,
      text: ({ replay, wait }) => (wait ? replayText(replay) : fieldsOf({ id: 'id', status: 'status' }, replay)),
      end: ({ replay, wait }, call, input) => (wait ? judged(replay, call, input) : undefined),
    }),
    command({
      name: 'replay show',
      about: 'show a replay with its report; while it runs, the report grows',
      examples: ['replay show 0190…', "replay show 0190… --fail-on 'changed > 0.5%'"],
      args: one,
      options: judging,
      run: async (call, { id, html }) => withPage(call, (await call.ask(operations.getReplay, { id })).body, html),
      text: replayText,
      end: judged,
    }),
    command({
      name: 'replay cancel',
      about: 'cancel a replay that runs; its report stays. One that has ended is left alone',
      examples: ['replay cancel 0190…'],
      args: one,
      /** By the state that was seen: a DELETE of one that has ended in between would remove it with its report. */
      async run({ ask }, { id }) {
        for (;;) {
          const { body, headers } = await ask(operations.getReplay, { id });
          if (body.status !== 'RUNNING') throw new Refusal(`replay ${id} is ${body.status} already.`);
          const seen = { 'If-Match': headers.get('etag') ?? '' };
          try {
            await ask(operations.deleteReplay, { id }, seen);
            return { id, status: 'CANCELLED' };
          } catch (error) {
            // It has made progress.
            if (!(error instanceof ServiceRefusal && error.status === 412)) throw error;
          }
        }
      },
      text: record,
    }),
  ],
};
