import { transform } from 'sucrase';

/** TypeScript without its types, line by line where it was; raises for what is neither TypeScript nor JavaScript. */
export function strip(source: string): string {
  return transform(source, { transforms: ['typescript'], disableESTransforms: true }).code;
}
