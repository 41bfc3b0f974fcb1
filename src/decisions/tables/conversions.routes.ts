import type { ModelWork } from '../../../workers/models/index.js';
import { logicRoute, type LogicRoute } from '../../api/logicRoute.js';
import { textBytes } from '../../admission/byteBudget.js';
import { broken } from '../../http/body/violations.js';
import { requireReadInTime } from '../programs/requireFinished.js';
import { shownDiagnostics } from '../shownFaults.js';
import { bothFormats, placeOf, requireFile, requireRead } from './readFile.js';
import { Conversion, ConversionQuery } from './tables.schema.js';

/** Models made of plain spreadsheets. */
export const conversionRoutes = ({ models }: { readonly models: ModelWork }): LogicRoute[] => [
  logicRoute({
    method: 'POST',
    path: '/logic/conversions/table',
    operationId: 'convertTable',
    tag: 'Decisions',
    summary: 'Make a model with a decision table of a plain sheet; nothing is stored',
    description:
      'The first row has the names of the columns. Without `inputs` and `outputs` the columns after an empty one are ' +
      'outputs, else the last one is.',
    scope: 'decision:read',
    query: ConversionQuery,
    fileBody: bothFormats,
    replies: { 200: Conversion },
    problems: ['engine_failure', 'engine_timeout', 'overloaded'],
    async handle({ workspaceId, query, file, reservation }) {
      const [inputs, outputs] = [namesOf(query.inputs), namesOf(query.outputs)];
      const answer = requireReadInTime(
        await models.work(workspaceId, {
          kind: 'convertSheet',
          inputs,
          outputs,
          ...placeOf(query),
          ...requireFile(file),
        }),
      );
      const { refusal, missing, converted } = answer;
      reservation.grow(textBytes(converted));
      requireRead(refusal);
      if (missing.length > 0) {
        throw broken(
          missing.map(({ parameter, name }) => ({
            in: 'query',
            pointer: parameter,
            message: `names a column that the sheet does not have: ${JSON.stringify(name)}`,
          })),
        );
      }
      const faults = await shownDiagnostics(answer.diagnostics.map((diagnostic) => ({ key: '', diagnostic })));
      return { status: 200, body: `${converted.slice(0, -1)},"faults":${JSON.stringify(faults)}}` };
    },
  }),
];

const namesOf = (names: string | readonly string[] | undefined): string[] | null =>
  names === undefined ? null : [names].flat();
