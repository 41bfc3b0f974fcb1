import { expect } from 'chai';
import type { Caller } from './http.js';
import { asCsv, asXlsx, cellsOf } from './sheets.js';

/** A .csv as its text, an .xlsx as its bytes. */
export type File = string | Uint8Array;

export const typeOf = (file: File): Record<string, string> => (typeof file === 'string' ? asCsv : asXlsx);

/** Sends a file to a decision's batches, and gives the facts as they were recorded. */
export async function factsRecorded(caller: Caller, path: string, file: File): Promise<unknown[]> {
  const { status, text, bytes } = await caller.post(path, file, typeOf(file));
  expect(status, text).to.equal(200);
  const rows = typeof file === 'string' ? text.split('\n').map((line) => line.split(/[,;\t|]/)) : cellsOf(bytes!).sheet;
  const ids = rows.flatMap((cells) => cells.filter((cell) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(cell ?? '')));
  return Promise.all(
    ids.map(async (id) => ((await caller.get(`/logic/executions/${id}`)).body as { fact: unknown }).fact),
  );
}
