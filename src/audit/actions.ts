/** What is written, as audit entries call it, with the verbs that it has beside those of all. */
const verbs = {
  audit_entry: ['prune'],
  callback: ['rotate_secret'],
  change_request: ['approve', 'reject', 'comment', 'close', 'apply', 'override'],
  client: ['disable', 'enable', 'grant', 'revoke', 'rotate_secret'],
  decision: [],
  deployment: ['rollback'],
  encryption: ['rotate'],
  environment: [],
  erasure: [],
  evaluation_hosts: [],
  evidence: ['restart'],
  evidence_key: ['rotate'],
  execution: ['prune', 'keep', 'erase'],
  hosts: [],
  inquiry: ['complete'],
  key: ['rotate'],
  measured: [],
  measures: [],
  monitor: [],
  outbox: ['retry', 'drop'],
  outcomes: [],
  policy: [],
  protection: [],
  replay: ['cancel'],
  retention: [],
  routing: [],
  shadow: ['cancel'],
  tenant: [],
  variable: [],
  version: [],
  workspace: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const changes = ['create', 'update', 'delete'] as const;

/** A kind of what is written. */
export type Audited = keyof typeof verbs;

/** `<kind>.<verb>`, such as `deployment.create`. */
export type AuditAction = {
  [Kind in Audited]: `${Kind}.${(typeof changes)[number] | (typeof verbs)[Kind][number]}`;
}[Audited];

const actions: ReadonlySet<string> = new Set(
  Object.entries(verbs).flatMap(([kind, own]) => [...changes, ...own].map((verb) => `${kind}.${verb}`)),
);

/** Whether entries may be of such a resource. */
export const isAudited = (text: string): text is Audited => Object.hasOwn(verbs, text);

export const isAuditAction = (text: string): boolean => actions.has(text);
