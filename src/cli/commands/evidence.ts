import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { operations } from '#openapi/operations.gen.js';
import { keptNote, keyPublishDelayS, parseCheckpoint } from '../../evidence/checkpoint.js';
import type { Proved } from '../../evidence/verifyFile.js';
import { command, list, type Call, type CommandGroup } from '../command.js';
import { Refusal, exitCodes } from '../failures.js';
import { id, required, text } from '../params.js';
import type { Session } from '../session.js';
import { fieldsOf, record, tableOf } from '../tableOf.js';

/** Findings that are shown; of more, that there are more. */
const maxFindings = 1000;
/** What is done on the database, and what verifies, is much of the server. */
const onDatabase = () => import('../evidenceOnDatabase.js');

/** How often a tree that grows meanwhile is asked for a proof and what leads to the same head. */
const attempts = 20;

async function textOf(session: Session, path: string): Promise<string> {
  try {
    return await readFile(resolve(session.directory, path), 'utf8');
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`);
  }
}

/** A proof, and where an earlier size is given, what leads from there to the same head. */
async function proofFrom({ ask }: Call, id: string, from: number | undefined): Promise<object> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { body: proof } = await ask(operations.proveExecution, { id });
    if (from === undefined) return proof;
    const { body } = await ask(operations.getEvidenceConsistency, { from });
    if (body.checkpoint === proof.checkpoint) return { ...proof, consistency: { from, path: body.path } };
  }
  throw new Refusal('the tree grows too fast right now: try again.');
}

/** For people: what was proved, and both sides of each restart. */
function shownProof({ restarts = [], ...proved }: Proved & { readonly verified: boolean }): string {
  const told = restarts.map(({ at, reason, leaves, lostHead, recordIsBefore }) =>
    record({
      'evidence restarted': at,
      reason,
      'leaves kept': leaves,
      'head before': lostHead === null ? 'not known' : `${lostHead.size} leaves of ${lostHead.origin}`,
      'this record': recordIsBefore ? 'from before the restart' : 'from after the restart',
    }),
  );
  return [record({ ...proved }), ...told].join('\n');
}

export const evidenceCommands: CommandGroup = {
  groups: { evidence: 'records that prove themselves' },
  commands: [
    command({
      name: 'evidence export',
      about: 'write the proof of an execution to a file, which verifies without a server',
      examples: ['evidence export 0190… -o case.json', 'evidence export 0190… -o case.json --checkpoint head.txt'],
      args: { executionId: id('<execution>', 'its id') },
      options: {
        file: required(text('-o, --output <file>', 'where to write it')),
        checkpoint: text(
          '--checkpoint <file>',
          'a head that a witness holds: the file then leads from it to the head of now',
        ),
      },
      async run(call, { executionId, file, checkpoint }) {
        const { session, service } = call;
        const published = await fetch(new URL('/.well-known/verdict-evidence.json', service.connection.url));
        const { keys } = (await published.json()) as { readonly keys: unknown };
        const held =
          checkpoint === undefined ? undefined : parseCheckpoint(keptNote(await textOf(session, checkpoint)));
        const proof = await proofFrom(call, executionId, held?.size);
        const { evidenceText } = await import('../../evidence/evidenceFile.js');
        await writeFile(resolve(session.directory, file), evidenceText({ ...proof, keys }));
        return { executionId, file };
      },
      text: (exported) => fieldsOf({ execution: 'executionId', file: 'file' }, exported),
    }),
    command({
      name: 'evidence verify',
      about:
        'verify such a file without server, database or network: signature, place in the tree, and that the decision gives ' +
        'the same when it runs again. Exit 1 where anything is not so',
      examples: ['evidence verify case.json --key verdict-evidence.json --checkpoint head.txt'],
      where: 'here',
      args: { file: text('<file>', 'what `evidence export` has written') },
      options: {
        checkpoint: text('--checkpoint <file>', 'a head that a witness holds'),
        key: text(
          '--key <file>',
          'keys from elsewhere than the file: /.well-known/verdict-evidence.json, or a verifier key',
        ),
      },
      async run({ session }, { file, checkpoint, key }) {
        const read = async (path: string | undefined): Promise<string | undefined> =>
          path === undefined ? undefined : textOf(session, path);
        const given = { file: await textOf(session, file), checkpoint: await read(checkpoint), keys: await read(key) };
        const { NotProved } = await import('../../evidence/evidenceFile.js');
        const { verifyFile } = await import('../../evidence/verifyFile.js');
        const proved = await verifyFile(given).catch((error: unknown) => {
          throw error instanceof NotProved ? new Refusal(`not proved: ${error.message}.`) : error;
        });
        if (!proved.keyGiven)
          session.note('The key came from the file itself: name one that you got from elsewhere by --key.');
        return { verified: true, ...proved };
      },
      text: shownProof,
    }),
    command({
      name: 'evidence check',
      about:
        'walk all records against their trees and heads, on the database, beside servers; names what was altered, removed or ' +
        'added. Where EVIDENCE_WITNESS is a folder, its heads count too',
      examples: ['evidence check', 'evidence check --workspace 0190…'],
      where: 'here',
      options: { workspace: id('--workspace <id>', 'those of this workspace only; else of all') },
      run: async ({ session }, { workspace }) => (await onDatabase()).checkTrees(session, workspace, maxFindings),
      text({ leaves, findings }) {
        if (findings.length === 0) return record({ leaves, findings: 'none' });
        const drawn = tableOf(
          { workspace: 'workspaceId', finding: 'kind', id: ({ id }) => id ?? '', detail: 'detail' },
          findings,
        );
        return findings.length === maxFindings ? `${drawn}\nThere may be more.` : drawn;
      },
      end: ({ findings }) => (findings.length > 0 ? exitCodes.refused : undefined),
    }),
    list({
      name: 'evidence findings',
      about: 'list what the service has found by itself, twice a day, that is not as it was recorded',
      examples: ['evidence findings', 'evidence findings --csv'],
      operation: operations.listEvidenceFindings,
      as: 'findings',
      columns: { found: 'foundAt', finding: 'kind', of: 'subjectId', detail: 'detail', 'not any more': 'clearedAt' },
    }),
    command({
      name: 'evidence restart',
      about:
        'after a restore, on the database: begin another tree of each workspace of which nothing is signed, because a head that is ' +
        'kept outside of the database is not of its tree, or because it has lost its tree. The first leaf of it names that head ' +
        'and the reason; what was lost is not proved any more, and everybody can see it',
      examples: ["evidence restart --reason 'Restored the backup of 3 May after the disk failed'"],
      where: 'here',
      options: {
        reason: required(text('--reason <text>', 'what happened: it stands in the tree for good')),
        workspace: id('--workspace <id>', 'this workspace only; else all'),
      },
      async run({ session }, { reason, workspace }) {
        const { restarted } = await onDatabase();
        return { restarted: await restarted(session, workspace, reason) };
      },
      text: ({ restarted: begun }) =>
        tableOf({ workspace: 'workspaceId', tree: 'origin', 'leaves kept': ({ leaves }) => leaves }, begun),
    }),
    command({
      name: 'evidence rotate',
      about:
        `make a new key for heads, on the database: published at once, signing after ${keyPublishDelayS} seconds; the keys ` +
        'before it stay published, since the heads that they signed stay evidence',
      examples: ['evidence rotate'],
      where: 'here',
      async run({ session }) {
        const { rotateEvidenceKey } = await import('../../evidence/keys.js');
        return rotateEvidenceKey(await session.stores());
      },
      text: ({ publicKey, signsFrom }) => record({ key: publicKey, 'signs from': signsFrom }),
    }),
  ],
};
