import { expect } from 'chai';
import type { Knex } from 'knex';
import { unsetVariable } from '../../src/environments/variables.store.js';
import { idFromBytes, idToBytes } from '../../src/storage/ids.js';
import { callerOf, type Answer, type Caller } from '../support/http.js';
import { expressing } from '../support/models.js';
import type { ServerProcess } from '../support/process.js';
import { buildScene, testDatabase, testStore, type Scene } from '../support/scene.js';
import type { Service } from '../support/service.js';
import { recordedRows } from '../support/records.js';

/** The real thing: two processes, their Redis, and a workspace of this run's own. */
export interface System {
  readonly scene: Scene;
  readonly database: Knex;
  readonly redis: Service;
  /** To either process. */
  readonly at: readonly [Caller, Caller];
  readonly decisionIds: readonly string[];
  /** Writes the working copy of a decision; with `save`, a version too. */
  author(decision: number, factor: number, save: boolean): Promise<void>;
  unset(environmentId: string): Promise<void>;
  /** Which deployment the execution of that id is recorded for. */
  deploymentOf(executionId: string): Promise<string | undefined>;
}

/** The secret-free variable that the models read. */
export const variable = 'RATE';

const keyOf = (decision: number): string => `decision-${decision}.json`;
const multiplying = (factor: number): ReturnType<typeof expressing> =>
  expressing({ y: `x * ${factor}`, rate: `$env.${variable}` });

export async function buildSystem(
  servers: readonly [ServerProcess, ServerProcess],
  redis: Service,
  decisions: number,
): Promise<System> {
  const scene = await buildScene(servers[0]);
  const database = testDatabase();
  const { token, workspaceId } = scene;
  const author = async (decision: number, factor: number, save: boolean): Promise<string> =>
    save ? scene.decision(keyOf(decision), multiplying(factor)) : scene.write(keyOf(decision), multiplying(factor));
  const decisionIds: string[] = [];
  for (let decision = 0; decision < decisions; decision++) decisionIds.push(await author(decision, 1, true));
  return {
    scene,
    database,
    redis,
    at: [callerOf(servers[0].baseUrl, token, workspaceId), callerOf(servers[1].baseUrl, token, workspaceId)],
    decisionIds,
    async author(decision, factor, save) {
      await author(decision, factor, save);
    },
    async unset(environmentId) {
      await unsetVariable(testStore(), { workspaceId, environmentId }, variable);
    },
    async deploymentOf(executionId) {
      const [row] = (await recordedRows(database).select('deployment_id').where('id', idToBytes(executionId))) as {
        deployment_id: Buffer;
      }[];
      return row && idFromBytes(row.deployment_id);
    },
  };
}

const codeOf = ({ body }: Answer): string | undefined => (body as { code?: string } | undefined)?.code;

export function expectStatus(answer: Answer, status: number, code?: string): void {
  expect([answer.status, codeOf(answer)], answer.text).to.deep.equal([status, code]);
}
