import { Problem } from '../../errors.js';

/** Of a workspace in a server process; each may hold a line, and chunks that run or wait. */
const maxStreams = 32;

/** The streams of lines that workspaces have open. */
export class Streams {
  readonly #open = new Map<string, number>();

  /** Throws `overloaded`. @returns what is to be called at the stream's end */
  begin(workspaceId: string): () => void {
    const open = this.#open.get(workspaceId) ?? 0;
    if (open >= maxStreams) {
      const detail = `The workspace has ${maxStreams} streams of lines open already. Nothing was run.`;
      throw new Problem('overloaded', detail, { retryAfter: 1 });
    }
    this.#open.set(workspaceId, open + 1);
    return () => {
      const left = (this.#open.get(workspaceId) ?? 0) - 1;
      if (left > 0) this.#open.set(workspaceId, left);
      else this.#open.delete(workspaceId);
    };
  }
}
