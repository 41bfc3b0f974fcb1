import type { Knex } from 'knex';
import type { ModelWork, SheetPart } from '../../../workers/models/index.js';
import type { Reply } from '../../http/server/response.js';
import { contentTag, entityTag } from '../../api/preconditions.js';
import { Problem } from '../../errors.js';
import type { Reservation } from '../../admission/byteBudget.js';
import { fileTypes, type FileFormat } from '../../http/body/fileTypes.js';
import { requireDecision } from '../decisions.store.js';
import { requireFinished } from '../programs/requireFinished.js';
import { contentText, readVersion } from '../readVersion.js';

export interface ExportDependencies {
  readonly database: Knex;
  readonly models: ModelWork;
}

interface ExportRequest {
  readonly workspaceId: string;
  readonly id: string;
  readonly version: number;
  readonly reservation: Reservation;
}

/** A part of a version as a file to be stored. @throws Problem `decision_not_found`, `version_not_found`, `node_not_found` */
export async function exportFile(
  { database, models }: ExportDependencies,
  { workspaceId, id, version, reservation }: ExportRequest,
  part: SheetPart,
  format: FileFormat,
): Promise<Reply> {
  const decision = await requireDecision(database, workspaceId, id);
  const { contentHash: hash } = version === 0 ? decision : await readVersion(database, { workspaceId, id, version });
  const text = await contentText(database, hash, reservation);
  const answer = requireFinished(await models.work(workspaceId, { kind: 'exportSheet', text, part, format }));
  const { refusal, bytes, name } = answer;
  reservation.grow(bytes?.length ?? 0);
  if (refusal !== null) throw new Problem('model_too_large', refusal.message);
  if (bytes === null) throw noTable(part);
  const headers = {
    'Content-Type': format === 'csv' ? `${fileTypes.csv}; charset=utf-8` : fileTypes.xlsx,
    'Content-Disposition': dispositionOf(
      [decision.key.replace(/\.(?:json|dmn)$/i, ''), name === '' ? 'tests' : name],
      format,
    ),
    // Of the working copy the decision's own, for If-Match when the file comes back.
    ETag: version === 0 ? entityTag(decision.revision) : contentTag(`${hash} ${format}`),
  };
  return { status: 200, body: bytes, headers };
}

export const noTable = (part: SheetPart): Problem =>
  new Problem(
    'node_not_found',
    `The model has no decision table with the id ${JSON.stringify(part.kind === 'table' ? part.nodeId : '')}.`,
  );

const longestName = 120;

/** RFC 6266: a name of ASCII, and the whole name beside it. */
function dispositionOf(parts: readonly string[], format: FileFormat): string {
  const whole = parts
    .join(' ')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .toWellFormed();
  const name = Array.from(whole).slice(0, longestName).join('');
  const ascii = name.normalize('NFKD').replace(/[^\x20-\x7e]+/g, '');
  return `attachment; filename="${ascii}.${format}"; filename*=UTF-8''${encodeURIComponent(`${name}.${format}`)}`;
}
