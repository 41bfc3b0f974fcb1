import type { Operation } from '#openapi/operations.gen.js';
import type { Call } from '../command.js';
import { own, text, type Input } from '../params.js';
import { writeFileAt } from './sheets/files.js';

/** Options of what can be a page to print and hand over. */
export const printing = {
  html: own(text('--html <file>', 'write it as a page too, to print and hand over: it needs no other file')),
};

/** The language of what the model says, on such a page. */
export const inLanguage = {
  language: own(text('--language <tags>', 'what the reader of the page understands, such as fi or "sv, en"')),
};

/** Writes the page where it is asked for. */
export async function writePage(
  { session, service }: Call,
  operation: Operation<unknown>,
  { id, html, language }: Input<typeof printing> & { readonly id: string; readonly language?: string | undefined },
): Promise<void> {
  if (html === undefined) return;
  const headers = { Accept: 'text/html', ...(language === undefined ? {} : { 'Accept-Language': language }) };
  await writeFileAt(session, html, await service.receive(operation, { params: { id }, headers }));
}
