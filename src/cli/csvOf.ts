import type { TSchema } from 'typebox';
import { formatJson } from '../../workers/json/index.js';
import { columnsOf, type NamesOf } from '../resource/csv.js';
import { csvTexts } from '../resource/lists.js';
import type { FilePieces } from './remote/service.js';

/** A list that no operation answers as it is shown, as a file like those of the API. @param item the schema of its items */
export const csvOf = (
  item: TSchema,
  pages: AsyncIterable<readonly object[]> | Iterable<readonly object[]>,
  namesOf?: NamesOf,
): FilePieces =>
  csvTexts(
    columnsOf(item, namesOf !== undefined),
    { pages, mayGoOn: () => true },
    (each) => formatJson(each),
    namesOf ?? (() => Promise.resolve(new Map())),
  );
