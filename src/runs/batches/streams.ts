import type { Owners } from '../../admission/owners.js';
import { Problem } from '../../errors.js';

/** Of a workspace, and of a tenant, in a server process; each may hold a line, and chunks that run or wait. */
const maxStreams = { workspace: 32, tenant: 64 };

/** The streams of lines that workspaces have open. */
export class Streams {
  readonly #owners: Owners;
  readonly #open = new Map<string, number>();

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  /** Throws `overloaded`. @returns what is to be called at the stream's end */
  begin(workspaceId: string): () => void {
    const { tenantId } = this.#owners.of(workspaceId);
    const sides = [['workspace', `workspace ${workspaceId}`] as const, ['tenant', `tenant ${tenantId}`] as const];
    for (const [side, name] of sides) {
      if (this.#openOf(name) < maxStreams[side]) continue;
      const detail = `The ${side} has ${maxStreams[side]} streams of lines open already. Nothing was run.`;
      throw new Problem('overloaded', detail, { retryAfter: 1 });
    }
    for (const [, name] of sides) this.#add(name, 1);
    return () => {
      for (const [, name] of sides) this.#add(name, -1);
    };
  }

  #openOf(name: string): number {
    return this.#open.get(name) ?? 0;
  }

  #add(name: string, count: number): void {
    const open = this.#openOf(name) + count;
    if (open > 0) this.#open.set(name, open);
    else this.#open.delete(name);
  }
}
