/** Names the trees of a service: `verdict.example/evidence/<workspace>`, a URL without its scheme, as C2SP recommends. */
export const originIn =
  (issuer: string) =>
  (workspaceId: string): string => {
    const { host, pathname } = new URL(issuer);
    return `${host}${pathname.replace(/\/$/, '')}/evidence/${workspaceId}`;
  };
