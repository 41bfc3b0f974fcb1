import { IdParams } from '../../api/fields.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { conditionalWrite } from '../../resource/answers.js';
import { exportFile, type ExportDependencies } from './exportFile.js';
import { importFile, type ImportFileDependencies } from './importFile.js';
import { bothFormats } from './readFile.js';
import {
  DryRunQuery,
  FileImport,
  TableFileParams,
  TableImportQuery,
  TableParams,
  TestsSheetQuery,
} from './tables.schema.js';

type Dependencies = ExportDependencies & ImportFileDependencies;

/** Problems of work on a model's file. */
const problems = ['decision_not_found', 'engine_failure', 'engine_timeout', 'overloaded'] as const;

/** What operations have in common that give a file of a version. */
const giving = {
  method: 'GET',
  tag: 'Decisions',
  scope: 'decision:read',
  replies: { 200: null },
  replyHeaders: ['ETag', 'Content-Disposition'],
} as const;
const givingProblems = [...problems, 'model_too_large'] as const;

/** What operations have in common that bring a file into the working copy. */
const taking = { method: 'PUT', tag: 'Decisions', scope: 'decision:update', ...conditionalWrite(FileImport) } as const;
const takingProblems = [
  ...problems,
  'precondition_failed',
  'model_has_faults',
  'workspace_full',
  'approval_required',
] as const;

/** Decision tables as spreadsheets. */
export const tableRoutes = (dependencies: Dependencies): LogicRoute[] => [
  ...bothFormats.map((format) =>
    logicRoute({
      ...giving,
      path: `/logic/decisions/{id}/versions/{version}/tables/{nodeId}.${format}`,
      operationId: format === 'xlsx' ? 'getTableSheet' : 'getTableCsv',
      summary: `Get a decision table as .${format}`,
      params: TableFileParams,
      fileReply: [format],
      problems: [...givingProblems, 'version_not_found', 'node_not_found'],
      handle(request) {
        const { id, version, nodeId } = request.params;
        const part = { kind: 'table', nodeId, decisionId: id } as const;
        return exportFile(dependencies, { ...request, id, version: Number(version) }, part, format);
      },
    }),
  ),
  logicRoute({
    ...taking,
    path: '/logic/decisions/{id}/tables/{nodeId}',
    operationId: 'importTable',
    summary: 'Bring a spreadsheet into a decision table of the working copy',
    description:
      'A file of this table is merged by row with what others changed since it was made, or refused with 412. ' +
      'See [Spreadsheets](/docs/spreadsheets).',
    params: TableParams,
    query: TableImportQuery,
    fileBody: bothFormats,
    problems: [...takingProblems, 'node_not_found'],
    handle(request) {
      const { id, nodeId } = request.params;
      return importFile(dependencies, request, { kind: 'table', nodeId, decisionId: id });
    },
  }),
];

const tests = { kind: 'tests' } as const;

/** The tests of a working copy as spreadsheets. */
export const testFileRoutes = (dependencies: Dependencies): LogicRoute[] =>
  bothFormats.flatMap((format) => [
    logicRoute({
      ...giving,
      path: `/logic/decisions/{id}/tests.${format}`,
      operationId: format === 'xlsx' ? 'getTestsSheet' : 'getTestsCsv',
      summary: `Get the tests of the working copy as .${format}, one row each`,
      params: IdParams,
      fileReply: [format],
      problems: givingProblems,
      handle: (request) => exportFile(dependencies, { ...request, id: request.params.id, version: 0 }, tests, format),
    }),
    logicRoute({
      ...taking,
      path: `/logic/decisions/{id}/tests.${format}`,
      operationId: format === 'xlsx' ? 'importTestsSheet' : 'importTestsCsv',
      summary: `Replace the tests of the working copy by those of a .${format}`,
      params: IdParams,
      query: format === 'xlsx' ? TestsSheetQuery : DryRunQuery,
      fileBody: [format],
      problems: takingProblems,
      handle: (request) => importFile(dependencies, request, tests),
    }),
  ]);
