import { IdParams } from '../../api/fields.js';
import { conditionalWrite } from '../../resource/answers.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import type { FileFormat } from '../../http/body/fileTypes.js';
import { exportFile, type ExportDependencies } from './exportFile.js';
import { importFile, type ImportFileDependencies } from './importFile.js';
import { bothFormats } from './readFile.js';
import { fileProblems } from './tables.routes.js';
import { DryRunQuery, FileImport, TestsSheetQuery } from './tables.schema.js';

const tests = { kind: 'tests' } as const;

/** The tests of a working copy as spreadsheets. */
export const testFileRoutes = (dependencies: ExportDependencies & ImportFileDependencies): LogicRoute[] =>
  bothFormats.flatMap((format) => [getRoute(dependencies, format), putRoute(dependencies, format)]);

const pathOf = (format: FileFormat): string => `/logic/decisions/{id}/tests.${format}`;

const getRoute = (dependencies: ExportDependencies, format: FileFormat): LogicRoute =>
  logicRoute({
    method: 'GET',
    path: pathOf(format),
    operationId: format === 'xlsx' ? 'getTestsSheet' : 'getTestsCsv',
    tag: 'Decisions',
    summary: `Get the tests of the working copy as .${format}, one row each`,
    scope: 'decision:read',
    params: IdParams,
    fileReply: [format],
    replies: { 200: null },
    replyHeaders: ['ETag', 'Content-Disposition'],
    problems: [...fileProblems, 'model_too_large'],
    handle: (request) => exportFile(dependencies, { ...request, id: request.params.id, version: 0 }, tests, format),
  });

const putRoute = (dependencies: ImportFileDependencies, format: FileFormat): LogicRoute =>
  logicRoute({
    method: 'PUT',
    path: pathOf(format),
    operationId: format === 'xlsx' ? 'importTestsSheet' : 'importTestsCsv',
    tag: 'Decisions',
    summary: `Replace the tests of the working copy by those of a .${format}`,
    scope: 'decision:update',
    params: IdParams,
    query: format === 'xlsx' ? TestsSheetQuery : DryRunQuery,
    fileBody: [format],
    ...conditionalWrite(FileImport),
    problems: [...fileProblems, 'precondition_failed', 'model_has_faults', 'workspace_full', 'approval_required'],
    handle: (request) => importFile(dependencies, request, tests),
  });
