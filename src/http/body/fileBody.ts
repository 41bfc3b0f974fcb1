import { Problem } from '../../errors.js';
import type { HttpContext } from '../server/context.js';
import type { ByteAccount } from '../../admission/byteBudget.js';
import { readShared } from './largeBody.js';
import { fileTypes, type FileFormat } from './fileTypes.js';
import { mediaTypeOf } from './jsonText.js';

/** A spreadsheet as it came; threads read it. */
export interface FileBody {
  readonly format: FileFormat;
  readonly bytes: Uint8Array;
}

/** Undefined for another media type. */
export function fileFormatOf(ctx: HttpContext): FileFormat | undefined {
  const type = mediaTypeOf(ctx.req);
  return type === fileTypes.xlsx ? 'xlsx' : type === fileTypes.csv ? 'csv' : undefined;
}

export type ReadFile = (ctx: HttpContext, account: ByteAccount, formats: readonly FileFormat[]) => Promise<FileBody>;

/** @throws Problem `unsupported_media_type`, `body_too_large`, and what the account throws */
export function createReadFile({ maxBytes }: { readonly maxBytes: number }): ReadFile {
  return async (ctx, account, formats) => {
    const format = fileFormatOf(ctx);
    if (format === undefined || !formats.includes(format)) {
      const types = formats.map((each) => `\`${fileTypes[each]}\``).join(' or ');
      throw new Problem('unsupported_media_type', `The body must be a file of type ${types}.`);
    }
    return { format, bytes: await readShared(ctx, account, maxBytes) };
  };
}
