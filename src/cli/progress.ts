import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';

export interface Progress {
  advance(by?: number): void;
  end(): void;
}

const silent: Progress = { advance: () => undefined, end: () => undefined };

/** A bar of `total` steps; on anything but a terminal nothing is drawn. */
export function openProgress(stream: Writable & { readonly isTTY?: boolean }, label: string, total: number): Progress {
  if (stream.isTTY !== true || total < 2) return silent;
  const bar = new SingleBar({
    format: `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    // After Ctrl-C the terminal must still have its cursor and wrap lines.
    hideCursor: false,
    linewrap: true,
    clearOnComplete: true,
    stopOnComplete: false,
    stream,
  });
  bar.start(total, 0);
  let done = 0;
  return {
    // Work may have to be repeated; a bar beyond its end would look broken.
    advance: (by = 1) => bar.update((done = Math.min(done + by, total))),
    end: () => bar.stop(),
  };
}
