import type { Knex } from 'knex';
import { problems } from '../../../src/errors.js';
import type { Store } from '../../support/factories.js';
import type { Answer } from '../../support/http.js';
import { doubling } from '../../support/models.js';
import type { ServerProcess } from '../../support/process.js';
import { buildScene, type Scene } from '../../support/scene.js';

/** What an attempt came to: `done`, or a code of the contract; anything else is a fault of ours. */
export type Ending = string;

/** One kind of request, made again and again while something is broken, and then held against the database. */
export interface Operation {
  readonly name: string;
  attempt(): Promise<Ending>;
  /** What is there and should not be, or is not and should; once all is well again. */
  verify(): Promise<readonly string[]>;
}

export interface Stage {
  readonly server: ServerProcess;
  readonly scene: Scene;
  /** Straight to MySQL, whatever is broken between it and the server. */
  readonly store: Store;
  /** By the same way as the server's, for what the command line does. */
  readonly hurt: Store;
  readonly decisionId: string;
  readonly environmentId: string;
}

export async function setStage(server: ServerProcess, store: Store, hurt: Store): Promise<Stage> {
  const scene = await buildScene(server, { store });
  const { decisionId, environmentId } = await scene.deployed('pairs.json', doubling(2));
  return { server, scene, store, hurt, decisionId, environmentId };
}

const longestMs = 60_000;

/** The ending of an HTTP request; `onDone` gets a successful answer. */
export async function ending(request: Promise<Answer>, onDone: (body: never) => string | undefined): Promise<Ending> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), longestMs).unref());
  const answer = await Promise.race([request, late]).catch((error: unknown) => (error as Error).message);
  if (answer === undefined) return `no answer in ${longestMs} ms`;
  if (typeof answer === 'string') return answer;
  if (answer.status < 300) return onDone(answer.body as never) ?? 'done';
  const { code, error } = (answer.body ?? {}) as { code?: string; error?: string };
  if (error === 'temporarily_unavailable' && answer.status === 503) return 'dependency_unavailable';
  const known =
    code !== undefined && code in problems && problems[code as keyof typeof problems].status === answer.status;
  return known ? code : `${answer.status} ${answer.text.slice(0, 200)}`;
}

export const rowsWhere = (database: Knex, table: string, where: object): Promise<Record<string, unknown>[]> =>
  database(table).where(where);
