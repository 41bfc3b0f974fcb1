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

const at = { program: 0, revision: 32, clock: 38, seed: 44, engine: 48, flags: 50, end: 51 } as const;
const factRedacted = 1;

/** The column `circumstances` of this engine's record: 51 bytes. */
export function contextToBytes(context: RunContext): Buffer {
  const bytes = Buffer.allocUnsafe(at.end);
  bytes.write(context.programId, at.program, 'hex');
  bytes.writeUIntBE(context.configurationRevision, at.revision, 6);
  bytes.writeUIntBE(context.clock, at.clock, 6);
  bytes.writeInt32BE(context.seed, at.seed);
  bytes.writeUInt16BE(engineNumber, at.engine);
  bytes[at.flags] = context.factRedacted ? factRedacted : 0;
  return bytes;
}

export function contextFromBytes(bytes: Buffer): RecordedContext {
  return {
    programId: bytes.toString('hex', at.program, at.revision),
    configurationRevision: bytes.readUIntBE(at.revision, 6),
    clock: bytes.readUIntBE(at.clock, 6),
    seed: bytes.readInt32BE(at.seed),
    engine: bytes.readUInt16BE(at.engine),
    factRedacted: bytes[at.flags] === factRedacted,
  };
}
