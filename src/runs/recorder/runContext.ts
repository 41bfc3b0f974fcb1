import { engineNumber } from '../../../workers/engine/index.js';

/** What a run saw besides its fact: given all of it again, it goes the same way. */
export interface RunContext {
  /** SHA-256 (hex) of the manifest, which names the model and all that it can reach. */
  readonly programId: string;
  /** Of the environment's variables. */
  readonly configurationRevision: number;
  /** Milliseconds since the epoch. */
  readonly clock: number;
  /** 32 bits, from which its random numbers came. */
  readonly seed: number;
  /** Its fact had secrets in it: the record's is not what was run. */
  readonly factRedacted: boolean;
}

/** As they are read from a record, with the number of the engine that ran it. */
export type RecordedContext = RunContext & { readonly engine: number };

const factRedacted = 1;

/** What many records have in common, 40 bytes, and what is a record's own, 11. */
const shared = { program: 0, revision: 32, engine: 38, end: 40 } as const;
const own = { clock: 0, seed: 6, flags: 10, end: 11 } as const;

/** The part of it that a setting tells, of this engine. */
export function sharedContext({ programId, configurationRevision }: RunContext): Buffer {
  const bytes = Buffer.allocUnsafe(shared.end);
  bytes.write(programId, shared.program, 'hex');
  bytes.writeUIntBE(configurationRevision, shared.revision, 6);
  bytes.writeUInt16BE(engineNumber, shared.engine);
  return bytes;
}

/** The part of it that each record tells. */
export function ownContext(context: RunContext): Buffer {
  const bytes = Buffer.allocUnsafe(own.end);
  bytes.writeUIntBE(context.clock, own.clock, 6);
  bytes.writeInt32BE(context.seed, own.seed);
  bytes[own.flags] = context.factRedacted ? factRedacted : 0;
  return bytes;
}

/** What is stored of it: a setting's part, and the record's own. */
export interface ContextColumns {
  /** Null where somebody has removed the setting: then the record is altered. */
  readonly shared_context: Buffer | null;
  readonly run_context: Buffer;
}

export function contextOf({ shared_context, run_context }: ContextColumns): RecordedContext {
  const common = shared_context ?? Buffer.alloc(shared.end);
  return {
    programId: common.toString('hex', shared.program, shared.revision),
    configurationRevision: common.readUIntBE(shared.revision, 6),
    clock: run_context.readUIntBE(own.clock, 6),
    seed: run_context.readInt32BE(own.seed),
    engine: common.readUInt16BE(shared.engine),
    factRedacted: run_context[own.flags] === factRedacted,
  };
}
