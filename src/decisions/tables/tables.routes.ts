import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { conditionalWrite } from '../../resource/answers.js';
import type { FileFormat } from '../../http/body/fileTypes.js';
import { exportFile, type ExportDependencies } from './exportFile.js';
import { importFile, type ImportFileDependencies } from './importFile.js';
import { bothFormats } from './readFile.js';
import { FileImport, TableFileParams, TableImportQuery, TableParams } from './tables.schema.js';

/** Problems of work on a model's file. */
export const fileProblems = ['decision_not_found', 'engine_failure', 'engine_timeout', 'overloaded'] as const;

/** Decision tables as spreadsheets. */
export function tableRoutes(dependencies: ExportDependencies & ImportFileDependencies): LogicRoute[] {
  return [
    ...bothFormats.map((format) => tableFileRoute(dependencies, format)),
    logicRoute({
      method: 'PUT',
      path: '/logic/decisions/{id}/tables/{nodeId}',
      operationId: 'importTable',
      tag: 'Decisions',
      summary: 'Bring a spreadsheet into a decision table of the working copy',
      description:
        'A file of this table is merged by row with what others changed since it was made, or refused with 412. ' +
        'See [Spreadsheets](/docs/spreadsheets).',
      scope: 'decision:update',
      params: TableParams,
      query: TableImportQuery,
      fileBody: bothFormats,
      ...conditionalWrite(FileImport),
      problems: [
        ...fileProblems,
        'node_not_found',
        'precondition_failed',
        'model_has_faults',
        'workspace_full',
        'approval_required',
      ],
      handle: (request) => {
        const { id, nodeId } = request.params;
        return importFile(dependencies, request, { kind: 'table', nodeId, decisionId: id });
      },
    }),
  ];
}

const tableFileRoute = (dependencies: ExportDependencies, format: FileFormat): LogicRoute =>
  logicRoute({
    method: 'GET',
    path: `/logic/decisions/{id}/versions/{version}/tables/{nodeId}.${format}`,
    operationId: format === 'xlsx' ? 'getTableSheet' : 'getTableCsv',
    tag: 'Decisions',
    summary: `Get a decision table as .${format}`,
    scope: 'decision:read',
    params: TableFileParams,
    fileReply: [format],
    replies: { 200: null },
    replyHeaders: ['ETag', 'Content-Disposition'],
    problems: [...fileProblems, 'version_not_found', 'node_not_found', 'model_too_large'],
    handle: (request) => {
      const { id, version, nodeId } = request.params;
      const part = { kind: 'table', nodeId, decisionId: id } as const;
      return exportFile(dependencies, { ...request, id, version: Number(version) }, part, format);
    },
  });
