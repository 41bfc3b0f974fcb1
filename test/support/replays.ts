import { expect } from 'chai';
import { eventually } from './eventually.js';
import type { Caller } from './http.js';

export interface ShownReport {
  readonly replayed: number;
  readonly identical: number;
  readonly changed: number;
  readonly newlyFailed: number;
  readonly newlyCompleted: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly fields: readonly { pointer: string; count: number }[];
  readonly transitions: readonly { pointer: string; before?: unknown; after?: unknown; count: number }[];
  readonly measures: readonly { name: string; before: number | null; after: number | null }[];
  readonly engine: Record<'before' | 'after', Record<'p50' | 'p99', number | null>>;
}

export interface ShownReplay {
  readonly id: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
  readonly report: ShownReport;
  readonly request: object;
  readonly error?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export async function startReplay(caller: Caller, request: object): Promise<ShownReplay> {
  const answer = await caller.post('/logic/replays', request);
  expect(answer.status, answer.text).to.equal(202);
  return answer.body as ShownReplay;
}

/** The replay, once it has ended. */
export async function ended(caller: Caller, id: string): Promise<ShownReplay> {
  let shown: ShownReplay | undefined;
  await eventually(async () => {
    const answer = await caller.get(`/logic/replays/${id}`);
    expect(answer.status, answer.text).to.equal(200);
    shown = answer.body as ShownReplay;
    return shown.status !== 'RUNNING';
  });
  return shown!;
}

/** Starts a replay, and gives it once it has ended. */
export async function replayed(caller: Caller, request: object): Promise<ShownReplay> {
  return ended(caller, (await startReplay(caller, request)).id);
}
