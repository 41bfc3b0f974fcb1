import Type, { type Static } from 'typebox';
import { Id, Timestamp, exampleIds, nullable } from '../api/fields.js';

const Hash = Type.String({ description: '32 bytes, base64' });
const Note = Type.String({ description: 'The head of the tree as a signed note (C2SP tlog-checkpoint)' });
const hash = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const note = `verdict.example/evidence/${exampleIds.workspace}\n4711\n${hash}\n\n— verdict.example/evidence/${exampleIds.workspace} Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n`;

export const EvidenceCheckpoint = Type.Object(
  {
    checkpoint: Note,
    checkedAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the records were last held against the tree, to the end; null before the first time',
      }),
    ),
  },
  { title: 'EvidenceCheckpoint', examples: [{ checkpoint: note, checkedAt: '2026-01-31T09:30:00.000Z' }] },
);

export const EvidenceConsistency = Type.Object(
  {
    from: Type.Integer({ minimum: 0 }),
    path: Type.Array(Hash, {
      description: 'Hashes that lead from the earlier tree to the later one (RFC 6962, 2.1.2)',
    }),
    checkpoint: Note,
  },
  { title: 'EvidenceConsistency', examples: [{ from: 42, path: [hash], checkpoint: note }] },
);

export const ConsistencyQuery = Type.Object(
  {
    from: Type.String({
      pattern: '^(0|[1-9]\\d{0,14})$',
      documentedAs: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
      description: 'The size of an earlier tree',
    }),
  },
  { additionalProperties: false },
);

const ProvedRecord = Type.Object({
  record: Type.String(),
  salt: Hash,
  index: Type.Integer({ minimum: 0 }),
  path: Type.Array(Hash),
});
/** A record beside the execution's, with its place in the same tree. */
export type ProvedRecord = Static<typeof ProvedRecord>;

export const ExecutionProof = Type.Object(
  {
    record: Type.String({ description: 'The exact text (JSON) that the leaf is the hash of' }),
    salt: Hash,
    index: Type.Integer({ minimum: 0 }),
    path: Type.Array(Hash, { description: 'Hashes that lead from the leaf to the root, the lowest first' }),
    checkpoint: Note,
    model: Type.Array(Type.Object({ key: Type.String(), contentHash: Type.String(), content: Type.String() }), {
      description: 'The model and all that it reaches, in the order in which the record names them',
    }),
    restarts: Type.Optional(
      Type.Array(ProvedRecord, {
        description: 'The audit entries of restarts after which the tree goes on under another name, in the same tree',
      }),
    ),
  },
  {
    title: 'ExecutionProof',
    examples: [
      {
        ...{ record: '{"record":1,"execution":{}}', salt: hash, index: 42, path: [hash], checkpoint: note },
        model: [{ key: 'shop/fees.json', contentHash: '0'.repeat(64), content: '{"nodes":[],"edges":[]}' }],
      },
    ],
  },
);

const findingKinds = ['altered', 'removed', 'added', 'tree', 'head'] as const;

/** What a check has found that is not as it was recorded. */
export const EvidenceFinding = Type.Object(
  {
    id: Id,
    kind: Type.Unsafe<(typeof findingKinds)[number]>({ type: 'string', enum: [...findingKinds] }),
    subjectId: {
      ...nullable(Id),
      description: 'The execution, audit entry or change request; null where it is of the tree as a whole',
    },
    detail: Type.String({ description: 'For people' }),
    foundAt: Timestamp,
    seenAt: { ...Timestamp, description: 'When a check found it last' },
    clearedAt: {
      ...nullable(Timestamp),
      description: 'When a check did not find it any more; null while it is there',
    },
  },
  {
    title: 'FoundEvidence',
    examples: [
      {
        ...{ id: exampleIds.run, kind: 'altered', subjectId: exampleIds.run },
        detail: 'the execution is not what it was',
        foundAt: '2026-01-31T09:30:00.000Z',
        seenAt: '2026-01-31T21:30:00.000Z',
        clearedAt: null,
      },
    ],
  },
);
export type EvidenceFinding = Static<typeof EvidenceFinding>;
