import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Knex } from 'knex';
import { requestsWithOtherReviews } from '../changes/alteredReviews.js';
import { checkTree, type Finding } from '../evidence/check.js';
import { parseCheckpoint } from '../evidence/checkpoint.js';
import { createKeptHeads } from '../evidence/ahead.js';
import { evidenceText, NotProved } from '../evidence/evidenceFile.js';
import { createEvidenceKeys, keyPublishDelayS, rotateEvidenceKey } from '../evidence/keys.js';
import { createRecords } from '../evidence/records.js';
import { findTree, pageOfTrees, type Tree } from '../evidence/trees.store.js';
import { originIn } from '../evidence/origin.js';
import { restartEvidence, workspacesWithRecords } from '../evidence/restart.js';
import { verifyFile, type Proved } from '../evidence/verifyFile.js';
import { keptFolder } from '../evidence/witness.js';
import { examples, parseId } from './arguments.js';
import { exitCodes } from './exitCodes.js';
import { Refusal } from './failures.js';
import { withConnection, type ConnectionOptions } from './remote/connection.js';
import type { Service } from './remote/service.js';
import { operations } from '#openapi/operations.gen.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

/** `verdict evidence …` */
export function registerEvidence(program: Command, session: Session): void {
  const evidence = program.command('evidence').description('records that prove themselves');
  registerExport(evidence, session);
  registerVerify(evidence, session);
  registerCheck(evidence, session);
  registerRestart(evidence, session);
  evidence
    .command('rotate')
    .description(
      `make a new key for heads, on the database: published at once, signing after ${keyPublishDelayS} seconds; the keys ` +
        'before it stay published, since the heads that they signed stay evidence',
    )
    .addHelpText('after', examples('evidence rotate'))
    .action(async () => {
      const key = await rotateEvidenceKey(session.stores());
      session.print(key, () => record({ key: key.publicKey, 'signs from': key.signsFrom }));
    });
}

/** Findings that are shown; of more, that there are more. */
const maxFindings = 1000;
const pageSize = 100;

function registerCheck(evidence: Command, session: Session): void {
  evidence
    .command('check')
    .description(
      'walk all records against their trees and heads, on the database, beside servers; names what was altered, removed or ' +
        'added. Where EVIDENCE_WITNESS is a folder, its heads count too',
    )
    .option('--workspace <id>', 'those of this workspace only; else of all', parseId)
    .addHelpText('after', examples('evidence check', 'evidence check --workspace 0190…'))
    .action(async ({ workspace }: { readonly workspace?: string }) => {
      const { database, encryption } = session.stores();
      const folder = keptFolder(session.config());
      const parts = { database, encryption, records: createRecords({ database, encryption }), folder };
      const findings: Finding[] = [];
      let leaves = 0;
      const check = async (tree: Tree): Promise<void> => {
        const progress = session.progress(`checking ${tree.workspaceId}`, tree.size);
        const found = (finding: Finding): void => {
          if (findings.length < maxFindings) findings.push(finding);
        };
        const checked = (count: number): void => {
          leaves += count;
          progress.advance(count);
        };
        await checkTree(parts, tree, { found, checked }).finally(() => progress.end());
        const { workspaceId } = tree;
        const detail = 'the reviews of the change request are not those that the audit trail tells of';
        for await (const id of requestsWithOtherReviews(database, workspaceId))
          found({ workspaceId, kind: 'altered', id, detail });
      };
      if (workspace === undefined) for await (const tree of allTrees(database)) await check(tree);
      else {
        const tree = await findTree(database, workspace);
        if (tree === undefined) throw new Refusal(`There is no evidence of workspace ${workspace}.`);
        await check(tree);
      }
      const rows = findings.map(({ workspaceId, kind, id, detail }) => [workspaceId, kind, id ?? '', detail]);
      session.print({ leaves, findings }, () =>
        rows.length === 0
          ? record({ leaves, findings: 'none' })
          : `${table(['workspace', 'finding', 'id', 'detail'], rows)}${rows.length === maxFindings ? '\nThere may be more.' : ''}`,
      );
      if (findings.length > 0) session.endWith(exitCodes.refused);
    });
}

function registerRestart(evidence: Command, session: Session): void {
  evidence
    .command('restart')
    .description(
      'after a restore, on the database: begin another tree of each workspace of which nothing is signed, because a head that is ' +
        'kept outside of the database is not of its tree, or because it has lost its tree. The first leaf of it names that head ' +
        'and the reason; what was lost is not proved any more, and everybody can see it',
    )
    .requiredOption('--reason <text>', 'what happened: it stands in the tree for good')
    .option('--workspace <id>', 'this workspace only; else all', parseId)
    .addHelpText('after', examples("evidence restart --reason 'Restored the backup of 3 May after the disk failed'"))
    .action(async ({ reason, workspace }: { readonly reason: string; readonly workspace?: string }) => {
      if (reason.trim() === '') throw new Refusal('A restart needs a reason, which stands in the tree for good.');
      const stores = session.stores();
      const config = session.config();
      const parts = {
        ...stores,
        keys: createEvidenceKeys(stores),
        kept: createKeptHeads(keptFolder(config)),
        originOf: originIn(config.issuer),
      };
      const ids = workspace === undefined ? await workspacesWithRecords(stores.database) : [workspace];
      const restarted: object[] = [];
      for (const workspaceId of ids) {
        const told = await restartEvidence(parts, workspaceId, reason);
        if (told !== undefined) restarted.push({ workspaceId, ...told });
      }
      if (restarted.length === 0) throw new Refusal('No evidence needs a restart: nothing that is signed is behind.');
      session.print({ restarted }, () =>
        table(
          ['workspace', 'tree', 'leaves kept'],
          (restarted as { workspaceId: string; origin: string; leaves: number }[]).map(
            ({ workspaceId, origin, leaves }) => [workspaceId, origin, leaves],
          ),
        ),
      );
    });
}

async function* allTrees(database: Knex): AsyncGenerator<Tree> {
  for (let after: string | null = null; ;) {
    const page: Tree[] = await pageOfTrees(database, after, pageSize);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = last.workspaceId;
  }
}

interface ExportOptions extends ConnectionOptions {
  readonly output: string;
  readonly checkpoint?: string;
}

function registerExport(evidence: Command, session: Session): void {
  withConnection(evidence.command('export'))
    .description('write the proof of an execution to a file, which verifies without a server')
    .argument('<execution>', 'its id', parseId)
    .requiredOption('-o, --output <file>', 'where to write it')
    .option('--checkpoint <file>', 'a head that a witness holds: the file then leads from it to the head of now')
    .addHelpText(
      'after',
      examples('evidence export 0190… -o case.json', 'evidence export 0190… -o case.json --checkpoint head.txt'),
    )
    .action(async (id: string, { output, checkpoint, ...options }: ExportOptions) => {
      const service = session.service(options);
      const { keys } = (await (
        await fetch(new URL('/.well-known/verdict-evidence.json', service.connection.url))
      ).json()) as {
        keys: unknown;
      };
      const held = checkpoint === undefined ? undefined : parseCheckpoint(await textOf(session, checkpoint));
      const proof = await proofFrom(service, id, held?.size);
      await writeFile(resolve(session.directory, output), evidenceText({ ...proof, keys }));
      session.print({ executionId: id, file: output }, () => record({ execution: id, file: output }));
    });
}

/** How often a tree that grows meanwhile is asked for both. */
const attempts = 20;

/** A proof, and where an earlier size is given, what leads from there to the same head. */
async function proofFrom(service: Service, id: string, from: number | undefined): Promise<object> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { body: proof } = await service.send(operations.proveExecution, { params: { id } });
    if (from === undefined) return proof;
    const { body } = await service.send(operations.getEvidenceConsistency, { query: { from } });
    if (body.checkpoint === proof.checkpoint) return { ...proof, consistency: { from, path: body.path } };
  }
  throw new Refusal('the tree grows too fast right now: try again.');
}

function registerVerify(evidence: Command, session: Session): void {
  evidence
    .command('verify')
    .description(
      'verify such a file without server, database or network: signature, place in the tree, and that the decision gives ' +
        'the same when it runs again. Exit 1 where anything is not so',
    )
    .argument('<file>', 'what `evidence export` has written')
    .option('--checkpoint <file>', 'a head that a witness holds')
    .option('--key <file>', 'keys from elsewhere than the file: /.well-known/verdict-evidence.json, or a verifier key')
    .addHelpText('after', examples('evidence verify case.json --key verdict-evidence.json --checkpoint head.txt'))
    .action(async (file: string, { checkpoint, key }: { readonly checkpoint?: string; readonly key?: string }) => {
      const read = (path: string | undefined): Promise<string> | undefined =>
        path === undefined ? undefined : textOf(session, path);
      const given = { file: await textOf(session, file), checkpoint: await read(checkpoint), keys: await read(key) };
      const proved = await verifyFile(given).catch((error: unknown) => {
        throw error instanceof NotProved ? new Refusal(`not proved: ${error.message}.`) : error;
      });
      if (!proved.keyGiven)
        session.note('The key came from the file itself: name one that you got from elsewhere by --key.');
      session.print({ verified: true, ...proved }, () => shownProof(proved));
    });
}

/** For people: what was proved, and both sides of each restart. */
function shownProof({ restarts = [], ...proved }: Proved): string {
  const told = restarts.map(({ at, reason, leaves, lostHead, recordIsBefore }) =>
    record({
      'evidence restarted': at,
      reason,
      'leaves kept': leaves,
      'head before': lostHead === null ? 'not known' : `${lostHead.size} leaves of ${lostHead.origin}`,
      'this record': recordIsBefore ? 'from before the restart' : 'from after the restart',
    }),
  );
  return [record({ verified: true, ...proved }), ...told].join('\n');
}

async function textOf(session: Session, path: string): Promise<string> {
  try {
    return await readFile(resolve(session.directory, path), 'utf8');
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`);
  }
}
