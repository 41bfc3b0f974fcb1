import type { Random } from './random.js';
import { crud, list, read, refused, token } from './requests.js';
import { batch, evaluation, execution, failing, idempotent, keyReused, scripted, type Kind } from './runs.js';

/** How often each kind is sent, in a hundred. */
export const mix = {
  execution: { kind: execution, share: 62 },
  idempotent: { kind: idempotent, share: 6 },
  keyReused: { kind: keyReused, share: 1 },
  batch: { kind: batch, share: 2 },
  scripted: { kind: scripted, share: 6 },
  failing: { kind: failing, share: 5 },
  evaluation: { kind: evaluation, share: 9 },
  list: { kind: list, share: 3 },
  read: { kind: read, share: 2 },
  crud: { kind: crud, share: 2 },
  token: { kind: token, share: 1 },
  refused: { kind: refused, share: 1 },
} as const satisfies Record<string, { readonly kind: Kind; readonly share: number }>;

export type KindName = keyof typeof mix;

/** A kind by chance, of those named. */
export function draw(names: readonly KindName[], random: Random): Kind {
  const total = names.reduce((sum, name) => sum + mix[name].share, 0);
  let left = random.upTo(total);
  for (const name of names) {
    left -= mix[name].share;
    if (left < 0) return mix[name].kind;
  }
  throw new Error('nothing to draw from');
}
