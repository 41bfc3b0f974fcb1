/** Chapters of the menu, in its order. */
export const chapters = ['First steps', 'Decisions', 'Change with care', 'What was decided', 'Around it'] as const;

export interface Guide {
  readonly name: string;
  readonly chapter: (typeof chapters)[number];
  readonly title: string;
  readonly summary: string;
}

/** The guides at `/docs/<name>`, in the order of the menu. Each is the Markdown file `<name>.md` of this folder. */
export const guides = [
  {
    name: 'start',
    chapter: 'First steps',
    title: 'Start',
    summary: 'From an address, a client and its secret to the first execution',
  },
  {
    name: 'command-line',
    chapter: 'First steps',
    title: 'The command line',
    summary: 'Where it is, who it works as, how it ends',
  },
  {
    name: 'callers',
    chapter: 'First steps',
    title: 'For callers',
    summary: 'Get a token, execute a decision, read the answer',
  },
  {
    name: 'errors',
    chapter: 'First steps',
    title: 'Errors',
    summary: 'Every code, what to do about it, and when to repeat a request',
  },
  {
    name: 'idempotency',
    chapter: 'First steps',
    title: 'Idempotency',
    summary: 'Repeat an execution without running it twice',
  },
  {
    name: 'batches',
    chapter: 'First steps',
    title: 'Batches',
    summary: 'Execute on many facts for one request, also in streams',
  },
  {
    name: 'paging',
    chapter: 'First steps',
    title: 'Paging and ETags',
    summary: 'Read long lists, and change nothing that somebody else changed',
  },
  {
    name: 'limits',
    chapter: 'First steps',
    title: 'Limits',
    summary: 'How large, how deep, how long, how many, and what happens beyond',
  },
  {
    name: 'decisions',
    chapter: 'Decisions',
    title: 'Writing decisions',
    summary: 'Make, check, save, compare and delete them over HTTP',
  },
  {
    name: 'language',
    chapter: 'Decisions',
    title: 'The language',
    summary: 'Values, operators, ranges, cells and functions, each with an example',
  },
  {
    name: 'spreadsheets',
    chapter: 'Decisions',
    title: 'Spreadsheets',
    summary: 'Tables, tests and batches as .xlsx and .csv, out and in again',
  },
  {
    name: 'dmn',
    chapter: 'Decisions',
    title: 'DMN',
    summary: 'Documents of DMN 1.1 to 1.5: bring them in, run them, what differs',
  },
  {
    name: 'migrating',
    chapter: 'Decisions',
    title: 'From Camunda or Drools',
    summary: 'What is the same, what differs, and how to bring a folder over',
  },
  {
    name: 'console',
    chapter: 'Decisions',
    title: 'The console',
    summary: 'Pages for people: draw, run, compare, deploy, look back',
  },
  {
    name: 'changes',
    chapter: 'Change with care',
    title: 'Change requests',
    summary: 'Protect an environment; ask, approve and apply',
  },
  {
    name: 'proofs',
    chapter: 'Change with care',
    title: 'Proofs',
    summary: 'What is proved of a model and of a change, what is not, and how',
  },
  {
    name: 'replays',
    chapter: 'Change with care',
    title: 'Replays and shadows',
    summary: 'What would another version have decided?',
  },
  {
    name: 'outcomes',
    chapter: 'Change with care',
    title: 'Outcomes and measures',
    summary: 'Tell what really happened, and see what is decided',
  },
  {
    name: 'history',
    chapter: 'What was decided',
    title: 'History and audit',
    summary: 'Find what was executed, and who changed what',
  },
  {
    name: 'auditors',
    chapter: 'What was decided',
    title: 'For auditors',
    summary: 'An hour with the trail, a case on paper, proofs and receipts',
  },
  {
    name: 'evidence',
    chapter: 'What was decided',
    title: 'Evidence',
    summary: 'Records that prove themselves, for auditors',
  },
  {
    name: 'access',
    chapter: 'Around it',
    title: 'Clients, workspaces and policies',
    summary: 'Who may do what, and how often',
  },
  {
    name: 'agents',
    chapter: 'Around it',
    title: 'Agents',
    summary: 'Give an agent one decision as a tool, and nothing else',
  },
  {
    name: 'inquiries',
    chapter: 'Around it',
    title: 'Inquiries',
    summary: 'Ask a person for consents, and hear what became of it',
  },
  {
    name: 'webhooks',
    chapter: 'Around it',
    title: 'Webhooks',
    summary: 'Have events sent to your program, and check their signature',
  },
] as const satisfies readonly Guide[];
