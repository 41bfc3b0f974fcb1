/** What a protection does not let pass, where it is proved. Pages say it before anybody asks. */
const refused: readonly string[] = ['gap', 'shadowed', 'conflict', 'fails'];

/** Rows of a collecting table may hold together; where DMN names overlaps, they make the table null. */
export const isRefused = (kind: string, hitPolicy: string | null): boolean =>
  refused.includes(kind) || (kind === 'overlap' && hitPolicy !== 'collect');
