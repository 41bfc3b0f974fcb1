import { loadPart } from '../parts/loadPart.js';
import { formatJson } from './exactJson.js';
import type { Fault, Model, ModelTest } from './types.js';

/** What the service keeps of a document of DMN. */
interface DocumentContent {
  readonly contentType: 'application/dmn+xml';
  readonly xml: string;
  readonly tests?: readonly ModelTest[];
}

/** A model as the service gives it: other models do without the part that reads documents of DMN. */
export async function modelOf(content: Model | DocumentContent): Promise<Model> {
  if (!('xml' in content)) return content;
  const { readDocument } = await loadPart(import('../dmn/index.js'));
  return readDocument(content.xml, content.tests);
}

/** What the service keeps of a model. */
export async function contentOf(model: Model): Promise<Model | DocumentContent> {
  if (model.document === undefined) return model;
  const { documentOf } = await loadPart(import('../dmn/index.js'));
  const { tests } = model;
  const xml = documentOf(model);
  return { contentType: 'application/dmn+xml', xml, ...(tests === undefined ? {} : { tests }) };
}

/** What the service found in a content, as it is of the model that the content was made of. */
export async function faultsOf(
  content: Model | DocumentContent,
  faults: readonly Fault[],
  model?: Model,
): Promise<readonly Fault[]> {
  if (!('xml' in content)) return faults;
  const { placedFaults } = await loadPart(import('../dmn/index.js'));
  return placedFaults(content.xml, faults, model);
}

/** A document of DMN in a file. Rejects with what is wrong with it, by line and column. */
export async function documentIn(file: Blob, tests?: readonly ModelTest[]): Promise<Model> {
  const { readDocument, textOfFile } = await loadPart(import('../dmn/index.js'));
  return readDocument(textOfFile(new Uint8Array(await file.arrayBuffer())), tests);
}

/** A model as a file of its own: a document as its modeler wrote it, all others as JSON. */
export async function fileOf(model: Model): Promise<Blob> {
  const content = await contentOf(model);
  return 'xml' in content ? new Blob([content.xml]) : new Blob([`${formatJson(content)}\n`]);
}
