/** Names the trees of a service: `verdict.example/evidence/<workspace>`, a URL without its scheme, as C2SP recommends. */
export const originIn =
  (issuer: string) =>
  (workspaceId: string): string => {
    const { host, pathname } = new URL(issuer);
    return `${host}${pathname.replace(/\/$/, '')}/evidence/${workspaceId}`;
  };

const restarted = /^(.*\/evidence\/[0-9a-f-]{36})(?:\/(\d+))?$/;

/** The number in the name of a tree: 1, and one more for each restart. Undefined where it is no name of a tree. */
export function generationIn(origin: string): number | undefined {
  const found = restarted.exec(origin);
  return found === null ? undefined : Number(found[2] ?? 1);
}

/** The name that the tree of a workspace has after so many restarts. @param origin any of its names */
export function originAfter(origin: string, generation: number): string {
  const base = restarted.exec(origin)?.[1] ?? origin;
  return generation === 1 ? base : `${base}/${generation}`;
}
