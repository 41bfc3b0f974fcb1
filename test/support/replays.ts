import { useApp, type TestApp } from './app.js';
import { eventually } from './eventually.js';
import type { Caller } from './http.js';
import type { Model } from './models.js';
import { buildScene, type Scene } from './scene.js';
import { bodyOf } from './asserts.js';

export interface ShownReport {
  readonly replayed: number;
  readonly identical: number;
  readonly changed: number;
  readonly newlyFailed: number;
  readonly newlyCompleted: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly fields: readonly { pointer: string; count: number }[];
  readonly transitions: readonly {
    pointer: string;
    before?: unknown;
    after?: unknown;
    hash?: string;
    count: number;
  }[];
  readonly measures: readonly { name: string; before: number | null; after: number | null }[];
  readonly engine: Record<'before' | 'after', Record<'p50' | 'p99', number | null>>;
}

export interface ShownReplay {
  readonly id: string;
  readonly status: string;
  readonly done: number;
  readonly total: number;
  readonly report: ShownReport;
  readonly request: object;
  readonly error?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A report with one text in place of each hash that stands for values of few executions. */
export const masked = <Report>(report: Report): Report =>
  JSON.parse(JSON.stringify(report).replaceAll(/"hash":"[0-9a-f]{32}"/g, '"hash":"#"')) as Report;

export async function startReplay(caller: Caller, request: object): Promise<ShownReplay> {
  return bodyOf(await caller.post('/logic/replays', request), 202) as ShownReplay;
}

/** The replay, once it has ended. */
export async function ended(caller: Caller, id: string): Promise<ShownReplay> {
  let shown: ShownReplay | undefined;
  await eventually(async () => {
    shown = bodyOf(await caller.get(`/logic/replays/${id}`)) as ShownReplay;
    return shown.status !== 'RUNNING';
  });
  return shown!;
}

/** Starts a replay, and gives it once it has ended. */
export async function replayed(caller: Caller, request: object): Promise<ShownReplay> {
  return ended(caller, (await startReplay(caller, request)).id);
}

/** A server for the tests of a suite, and for each of them a workspace with an environment and the decision `d.json`. */
export class ReplayStage {
  readonly app: TestApp;
  scene!: Scene;
  environmentId = '';
  decisionId = '';

  /** For the suite in which it is made. */
  constructor() {
    this.app = useApp();
    beforeEach(async () => {
      this.scene = await buildScene(this.app);
      this.environmentId = await this.scene.environment();
    });
  }

  /** Makes the decision's first version, and deploys it. */
  async deployed(model: Model): Promise<void> {
    this.decisionId = await this.scene.decision('d.json', model);
    await this.scene.deploy(this.decisionId, this.environmentId, 1);
  }

  /** Makes the next version. */
  next(model: Model): Promise<string> {
    return this.scene.decision('d.json', model);
  }

  /** Executes what is deployed. */
  async execute(fact: object, headers: Record<string, string> = {}): Promise<{ id: string; result: unknown }> {
    const path = `/logic/${this.environmentId}/decisions/${this.decisionId}/executions`;
    return bodyOf(await this.scene.caller.post(path, { fact }, headers), 201) as { id: string; result: unknown };
  }

  /** A replay of the executions on the second version. */
  request(more: object = {}): object {
    const { decisionId, environmentId } = this;
    return { decisionId, environmentId, candidate: { version: 2 }, ...more };
  }

  async differences(id: string, query = ''): Promise<{ data: object[]; page: { after: string } }> {
    const { body } = await this.scene.caller.get(`/logic/replays/${id}/differences${query}`);
    return body as { data: object[]; page: { after: string } };
  }
}
