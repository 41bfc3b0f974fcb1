import { EngineError } from '../errors.js';

/** Documents within documents. */
const deepestImport = 20;

/** A document whose imports are being compiled. */
export interface Importing {
  readonly xml: string;
  readonly name: string;
}

/**
 * @param above the documents on the way to one
 * @throws EngineError `model_invalid` where it is one of them itself, or they are too many
 */
export function checkImport(xml: string, above: readonly Importing[]): void {
  const first = above.findIndex((each) => each.xml === xml);
  const circle = first === -1 ? [] : above.slice(first).map(({ name }) => JSON.stringify(name));
  const [name = ''] = circle;
  if (circle.length === 1) throw new EngineError('model_invalid', `The document ${name} imports itself.`);
  if (circle.length > 1)
    throw new EngineError(
      'model_invalid',
      `Documents import one another in a circle: ${[...circle, name].join(' → ')}.`,
    );
  if (above.length > deepestImport) throw new EngineError('model_invalid', 'Documents import one another too deep.');
}
