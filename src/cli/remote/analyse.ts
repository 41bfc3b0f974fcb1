import { InvalidArgumentError, type Command } from 'commander';
import { examples, parseCount } from '../arguments.js';
import { exitCodes } from '../exitCodes.js';
import type { Session } from '../session.js';
import { table } from '../table.js';
import { withConnection, type ConnectionOptions } from './connection.js';
import { findDecision } from './find.js';
import type { Analysis } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';

interface AnalyseOptions extends ConnectionOptions {
  readonly version: number;
  readonly against?: number;
  readonly failOn?: readonly string[];
}

const kinds = ['gap', 'shadowed', 'conflict', 'overlap', 'redundant', 'fails'];
const maxVersion = 2_147_483_647;

/** `verdict decision analyse` */
export function registerAnalyse(decision: Command, session: Session): void {
  withConnection(decision.command('analyse'))
    .description('prove gaps, dead rows, and what differs from another version')
    .argument('<decision>', 'key or id')
    .option('--version <number>', 'a version; else the working copy', parseCount(0, maxVersion), 0)
    .option('--against <number>', 'tell where that version gives other results', parseCount(0, maxVersion))
    .option('--fail-on <kinds>', `exit 1 where one of these is proved: ${kinds.join(', ')}`, parseKinds)
    .addHelpText(
      'after',
      examples('decision analyse shop/fees.json', 'decision analyse shop/fees.json --against 3 --fail-on gap,shadowed'),
    )
    .action((name: string, options: AnalyseOptions) => analyse(session, name, options));
}

function parseKinds(text: string): string[] {
  const named = text.split(',').map((kind) => kind.trim());
  const wrong = named.find((kind) => !kinds.includes(kind));
  if (wrong === undefined) return named;
  throw new InvalidArgumentError(`${JSON.stringify(wrong)} is none of ${kinds.join(', ')}.`);
}

async function analyse(
  session: Session,
  name: string,
  { version, against, failOn = [], ...options }: AnalyseOptions,
): Promise<void> {
  const service = session.service(options);
  const { id } = await findDecision(service, name);
  const compared = against === undefined ? {} : { against: { version: against } };
  const { body } = await service.send(operations.analyseModel, {
    body: JSON.stringify({ decisionId: id, version, ...compared }),
  });
  session.print(body, () => [findingsText(body), changeText(body), reachText(body)].filter(Boolean).join('\n'));
  const found = body.tables.flatMap(({ findings }) => findings);
  if (found.some(({ kind, status }) => status === 'proved' && failOn.includes(kind))) {
    session.endWith(exitCodes.refused);
  }
}

function findingsText({ tables }: Analysis): string {
  const rows = tables.flatMap(({ node, findings }) =>
    findings.map(({ kind, rules, status, message }) => [node, kind, status, rules.join(', '), message]),
  );
  return rows.length === 0 ? 'no findings' : table(['table', 'finding', '', 'rows', 'what'], rows);
}

function changeText({ change }: Analysis): string {
  if (change === null) return '';
  if (change.status === 'equal') return 'equal: both versions give the same results on every input';
  const undecided = change.undecided.map((when) => `\nundecided where ${when}`).join('');
  if (change.status === 'unknown') {
    const why = change.reason === null ? '' : `: ${change.reason}`;
    return `unknown whether both versions give the same results${why}${undecided}`;
  }
  const rows = change.regions.map(({ when, witness, before, after }) => [when, witness.fact, before, after]);
  return table(['other results where', 'such as', 'before', 'now'], rows) + undecided;
}

const reachText = ({ reach: { reachable, unreachable, unknown } }: Analysis): string =>
  `rows and statements: ${reachable} reachable, ${unreachable} unreachable, ${unknown} unknown`;
