import { engineNumber } from '../../workers/engine/index.js';
import { run } from '../../workers/run.js';
import { formatJson, memberTexts, parseExactly } from '../../workers/json/index.js';
import { bodyOf } from '../../workers/models/index.js';
import type { Bundle, Configuration, Manifest, RunReply } from '../../workers/protocol.js';
import { outcomeOf } from '../runs/responseBody.js';
import { isSignedBy, keptNote, type Checkpoint } from './checkpoint.js';
import {
  NotProved,
  readEvidenceFile,
  readKeys,
  sha256,
  trusted,
  type EvidenceFile,
  type TrustedKey,
} from './evidenceFile.js';
import { generationIn, originAfter } from './origin.js';
import { isConsistent } from './paths.js';
import { hashesOf, headOf, requireInclusion } from './inclusion.js';
import { restartsOf, type ProvedRestart } from './provedRestarts.js';
import { hashBytes } from './tree.js';

/** What an auditor has: texts of files. */
interface Evidence {
  readonly file: string;
  /** A head that a witness holds. */
  readonly checkpoint?: string | undefined;
  /** Keys from elsewhere than the file. */
  readonly keys?: string | undefined;
}

/** What was proved. */
export interface Proved {
  readonly executionId: string;
  readonly origin: string;
  readonly size: number;
  readonly index: number;
  /** Whether the key of the head came from elsewhere than the file itself. */
  readonly keyGiven: boolean;
  readonly status: 'COMPLETED' | 'FAILED';
  /** After restores the tree went on under other names, oldest first; absent where it did not. */
  readonly restarts?: readonly ProvedRestart[];
}

/** A record, as far as it is read here. */
interface AuditedRecord {
  readonly record: number;
  readonly execution: {
    readonly id: string;
    readonly workspaceId: string;
    readonly status: 'COMPLETED' | 'FAILED';
    readonly fact: unknown;
  };
  readonly context: {
    readonly programId: string;
    readonly clock: number;
    readonly seed: number;
    readonly engine: number;
    readonly factRedacted: boolean;
  } | null;
  readonly program: Manifest | null;
  readonly configuration: { readonly digest: string; readonly variables: object; readonly secrets: string[] } | null;
}

/**
 * Verifies a file alone, without server, database or network: signature, inclusion, the head of a witness, the hashes of the
 * model, and that the decision runs again and gives the same bytes. Rejects with `NotProved` where anything is not so.
 */
export async function verifyFile({ file, checkpoint, keys }: Evidence): Promise<Proved> {
  const evidence = readEvidenceFile(file);
  const known = keys === undefined ? trusted(evidence.keys ?? []) : readKeys(keys);
  if (known.length === 0) throw new NotProved('the file has no key; name one by --key');
  const head = headOf(evidence.checkpoint, 'the head');
  const generation = signerOf(head, known, 'the head');
  requireInclusion(evidence, head, 'the record');
  const restarts = restartsOf(evidence, head);
  if (checkpoint !== undefined) {
    const held = headOf(keptNote(checkpoint), 'the head of the witness');
    const earlier = signerOf(held, known, 'the head of the witness');
    requireConsistency(evidence, { head, held, restarts });
    if (held.origin === head.origin && held.size <= head.size && generation < earlier)
      throw new NotProved('the head is signed by a former key, although an earlier head is signed by a later one');
  }
  const record = parseExactly(evidence.record) as AuditedRecord;
  const { execution } = record;
  if (record.record !== 1 || !originAfter(head.origin, 1).endsWith(`/evidence/${execution.workspaceId}`))
    throw new NotProved('the record is not of the workspace that the head is of');
  await requireSameOutcome(evidence, record);
  const { origin, size } = head;
  const { id: executionId, status } = execution;
  return {
    executionId,
    origin,
    size,
    index: evidence.index,
    keyGiven: keys !== undefined,
    status,
    ...(restarts.length === 0 ? {} : { restarts }),
  };
}

/** The generation of the key that signed it. */
function signerOf(head: Checkpoint, keys: readonly TrustedKey[], what: string): number {
  const key = keys.find(({ bytes }) => bytes.length === hashBytes && isSignedBy(head, bytes));
  if (key === undefined) throw new NotProved(`${what} is not signed by a known key`);
  return key.generation;
}

interface Compared {
  readonly head: Checkpoint;
  readonly held: Checkpoint;
  readonly restarts: readonly ProvedRestart[];
}

/** A head of a former name leads to the tree as well, unless the restart has lost what it is of: then it is to be the one that the restart names. */
function requireConsistency({ consistency }: EvidenceFile, { head, held, restarts }: Compared): void {
  if (originAfter(held.origin, 1) !== originAfter(head.origin, 1))
    throw new NotProved('the head of the witness is of another tree');
  const generation = generationIn(held.origin) ?? 1;
  const next = restarts.find((restart) => restart.generation > generation);
  if (next !== undefined && held.size > next.leaves) {
    if (next.lostHead?.text === held.text) return;
    throw new NotProved(
      `the head of the witness is of ${held.size} leaves, of which a restore has kept ${next.leaves}: compare the head that ` +
        `the restart names, of ${next.lostHead?.size ?? 0} leaves`,
    );
  }
  if (held.size > head.size)
    throw new NotProved('the head of the witness is of a larger tree: export the evidence again, with that head');
  const path = held.size === head.size ? [] : consistency?.from === held.size ? consistency.path : undefined;
  if (path === undefined)
    throw new NotProved('the file does not lead from the head of the witness: export it again with --checkpoint');
  if (!isConsistent(held, head, hashesOf(path))) throw new NotProved('the tree did not begin as the witness saw it');
}

/** Runs the decision again, as a thread of the server does, and compares what the record has of it, byte for byte. */
async function requireSameOutcome({ record: text, model }: EvidenceFile, record: AuditedRecord): Promise<void> {
  const { context, program, configuration, execution } = record;
  if (context === null || program === null || configuration === null)
    throw new NotProved('the record does not say what the execution ran: it cannot run again');
  if (execution.fact === null || context.factRedacted)
    throw new NotProved('the fact is not in the record as it was run: it cannot run again');
  const bundle = bundleOf(program, context.programId, model);
  const { digest, ...told } = configuration;
  if (sha256(formatJson(told)) !== digest) throw new NotProved('the configuration is not that of its digest');
  const facts = memberTexts(memberTexts(text).get('execution') ?? '{}');
  const variables: Configuration = { variables: { ...told.variables }, secrets: [], httpHosts: [] };
  const task = {
    ...{ programId: context.programId, workspaceId: execution.workspaceId, bundle: JSON.stringify(bundle) },
    ...{
      configurationId: 'evidence',
      configuration: formatJson(variables),
      body: bodyOf(facts.get('fact') ?? '', facts.get('select') ?? null),
    },
    ...({
      traced: false,
      clock: context.clock,
      seed: context.seed,
      withoutHttp: true,
      timeoutMs: timeLimitMs,
    } as const),
  };
  const reply: RunReply = await run(task);
  if (reply.kind === 'miss' || reply.kind === 'refused') throw new NotProved('the model cannot run from the file');
  const { status, result, error } = outcomeOf(reply);
  const isSame =
    status === execution.status && result === facts.get('result') && (error ?? 'null') === facts.get('error');
  if (isSame) return;
  const reasons = [
    ...(context.engine === engineNumber ? [] : ['another release of the engine ran it']),
    ...(configuration.secrets.length === 0 ? [] : ['it may have read secrets, which are not in the file']),
    ...(error?.includes('"http_withheld"') === true ? ['it called a host'] : []),
  ];
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  throw new NotProved(`the decision does not give what the record says when it runs again${why}`);
}

const timeLimitMs = 30_000;

function bundleOf(manifest: Manifest, programId: string, model: EvidenceFile['model']): Bundle {
  if (sha256(JSON.stringify(manifest)) !== programId) throw new NotProved('the program is not the one that was run');
  const contents: Record<string, string> = {};
  for (const { key, contentHash, content } of model) {
    if (sha256(content) !== contentHash) throw new NotProved(`the model ${key} is not that of its hash`);
    contents[contentHash] = content;
  }
  const missing = manifest.entries.some(({ content }) => !Object.hasOwn(contents, content));
  if (
    missing ||
    model.length !== manifest.entries.length ||
    model.some(({ contentHash }, at) => contentHash !== manifest.entries[at]?.content)
  )
    throw new NotProved('the model is not the one that the record names');
  return { manifest, contents };
}
