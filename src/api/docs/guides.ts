/** The guides at `/docs/<name>`, in the order of the index. Each is the Markdown file `<name>.md` of this folder. */
export const guides = [
  { name: 'callers', title: 'For callers', summary: 'Get a token, execute a decision, read the answer' },
  { name: 'errors', title: 'Errors', summary: 'Every code, what to do about it, and when to repeat a request' },
  { name: 'idempotency', title: 'Idempotency', summary: 'Repeat an execution without running it twice' },
  { name: 'batches', title: 'Batches', summary: 'Execute on many facts for one request, also in streams' },
  {
    name: 'paging',
    title: 'Paging and ETags',
    summary: 'Read long lists, and change nothing that somebody else changed',
  },
  { name: 'decisions', title: 'Writing decisions', summary: 'Make, check, save, compare and delete them over HTTP' },
  {
    name: 'language',
    title: 'The language',
    summary: 'Values, operators, ranges, cells and functions, each with an example',
  },
  { name: 'dmn', title: 'DMN', summary: 'Documents of DMN 1.1 to 1.5: bring them in, run them, what differs' },
  {
    name: 'spreadsheets',
    title: 'Spreadsheets',
    summary: 'Tables, tests and batches as .xlsx and .csv, out and in again',
  },
  { name: 'proofs', title: 'Proofs', summary: 'What is proved of a model and of a change, what is not, and how' },
  { name: 'history', title: 'History and audit', summary: 'Find what was executed, and who changed what' },
  { name: 'evidence', title: 'Evidence', summary: 'Records that prove themselves, for auditors' },
  { name: 'agents', title: 'Agents', summary: 'Give an agent one decision as a tool, and nothing else' },
  { name: 'replays', title: 'Replays and shadows', summary: 'What would another version have decided?' },
  { name: 'outcomes', title: 'Outcomes and measures', summary: 'Tell what really happened, and see what is decided' },
  {
    name: 'changes',
    title: 'Change requests',
    summary: 'Protect an environment; ask, approve and apply; hear of events',
  },
  { name: 'console', title: 'The console', summary: 'Pages for people: draw, run, compare, deploy, look back' },
  { name: 'access', title: 'Clients, workspaces and policies', summary: 'Who may do what, and how often' },
  { name: 'limits', title: 'Limits', summary: 'How large, how deep, how long, how many, and what happens beyond' },
  { name: 'inquiries', title: 'Inquiries and events', summary: 'Ask a person for consents; receive signed webhooks' },
] as const;
