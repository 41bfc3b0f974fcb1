import { expect } from 'chai';
import { problems, type ProblemCode } from '../../src/errors.js';
import { idToBytes } from '../../src/storage/ids.js';
import { definitions, dmn } from '../support/dmn.js';
import { tableDocument } from '../support/dmnTables.js';
import { allowedMs, isLong } from '../support/environment.js';
import { startLoad } from '../support/load.js';
import { doubling, type Model } from '../support/models.js';
import { ownTime } from '../support/ownTime.js';
import { useServer } from '../support/process.js';
import { buildScene, imported, testDatabase, type Scene } from '../support/scene.js';
import { chain, expressions, type TestNode } from '../support/tasks.js';
import { attacks, handler } from '../faults/attacks.js';

/** Of models that may pass it; the neighbour's runs may not, even where the machine stands still for a moment. */
const runTimeoutMs = 1500;
/** Of models that end by themselves. */
const longTimeoutMs = 60_000;
/** From the time limit until a thread that does not stop itself is gone and replaced, with room for a busy machine. */
const graceMs = 3500;

interface Hostile {
  readonly nodes?: readonly TestNode[];
  /** A model of another kind than JDM. */
  readonly model?: Model;
  readonly fact?: unknown;
  /** COMPLETED, FAILED, or the code of a problem. */
  readonly ends: readonly ('COMPLETED' | 'FAILED' | ProblemCode)[];
}

const stopped = ['engine_timeout', 'engine_failure', 'FAILED'] as const;

/** A document with one decision of one expression of FEEL, and what it requires. */
const feel = (expression: string, others = '', required = ''): Model =>
  dmn(
    definitions(
      `${others}<decision id="x" name="x"><variable name="x"/>${required}<literalExpression><text>${expression}</text></literalExpression></decision>`,
    ),
  );

/** Of those that are tried on the pool alone (`faults/hostile`) the short form takes one of each way to end here. */
const ofEachKind = ['an endless loop', 'a bomb of arrays', 'sort of 2^32 items', 'prototypes bent for others'];
const onThePool = Object.entries(attacks)
  .filter(([name, { body, traced }]) => (isLong ? body === undefined && traced !== true : ofEachKind.includes(name)))
  .map(([name, { nodes, fact, end }]): [string, Hostile] => {
    const ends = /timeout|memory|^limit/.test(end)
      ? stopped
      : end === 'ok'
        ? (['COMPLETED'] as const)
        : (['FAILED'] as const);
    return [name, { nodes, fact, ends }];
  });

const models: Readonly<Record<string, Hostile>> = {
  ...Object.fromEntries(onThePool),
  // Half of what the heap holds: with more, it was a matter of collecting in time which limit came first.
  'a giant result': { nodes: [expressions({ x: "map([1..400000], 'a text of some length')" })], ends: ['FAILED'] },
  'a giant error': { nodes: [handler("throw new Error('x'.repeat(5e6))")], ends: ['FAILED'] },
  'an error of odd characters': {
    nodes: [handler("throw new Error('\\u0000\\ud800\\u2028 \\udbff\"' + String.fromCharCode(0xdfff).repeat(9))")],
    ends: ['FAILED'],
  },
  'a result of odd characters': {
    nodes: [handler("return { 'a\\u0000\\ud800': '\\u0000\\udfff', '__proto__x': 1, ['__proto__']: { y: 1 } }")],
    ends: ['COMPLETED', 'FAILED'],
  },
  'a result that is no JSON': {
    nodes: [handler('const a = { n: NaN, u: undefined, i: -Infinity, d: new Date(NaN) }; a.self = a; return a')],
    ends: ['COMPLETED', 'FAILED'],
  },
  'a document of endless loops': {
    model: feel('some i in 1..900000, j in 1..900000 satisfies i = -1'),
    ends: stopped,
  },
  'a document that calls itself without end': {
    model: feel(
      'f(1)',
      '<businessKnowledgeModel id="f" name="f"><variable name="f"/><encapsulatedLogic><formalParameter name="n"/>' +
        '<literalExpression><text>f(n + 1)</text></literalExpression></encapsulatedLogic></businessKnowledgeModel>',
      '<knowledgeRequirement><requiredKnowledge href="#f"/></knowledgeRequirement>',
    ),
    ends: ['FAILED'],
  },
  'a document of a name that has a megabyte': {
    model: feel('1', `<inputData id="n" name="${'a b '.repeat(250_000)}"/>`),
    ends: ['COMPLETED'],
  },
  'a document of 10,000 rules': {
    model: dmn(
      tableDocument({
        hitPolicy: 'COLLECT',
        inputs: [{ name: 'n', type: 'number' }],
        rows: Array.from({ length: 10_000 }, (_, at) => [`>= ${at}`, String(at)]),
      }),
    ),
    fact: { n: 5000 },
    ends: ['COMPLETED'],
  },
  'a way to the host': {
    nodes: [handler("return { found: (await (async () => {}).constructor('return typeof process')()) }")],
    ends: ['COMPLETED', 'FAILED'],
  },
};

describe('hostile models through the whole server', () => {
  const server = useServer({
    RUN_TIMEOUT_MS: String(runTimeoutMs),
    RUN_MAX_HEAP_MB: '64',
    POOL_MIN_THREADS: '2',
    POOL_MAX_WAIT_MS: '60000',
    // With the usual one it rightly answers 503 on a machine that stands still for a moment.
    DATABASE_TIMEOUT_MS: '30000',
    LOG_LEVEL: 'warn',
  });
  let villain: Scene;
  let neighbour: { readonly url: string; readonly headers: Record<string, string> };
  before(async () => {
    const good = await buildScene(server);
    const { decisionId, environmentId } = await good.deployed('good.json', doubling(2));
    neighbour = {
      url: `${server.baseUrl}/logic/${environmentId}/decisions/${decisionId}/executions`,
      headers: { Authorization: `Bearer ${good.token}`, 'X-Workspace-Id': good.workspaceId },
    };
  });
  // One after the other: what was heavy gives way to all else on the machine, for a minute.
  beforeEach(async () => {
    villain = await buildScene(server);
  });

  async function limit(ms: number): Promise<void> {
    const answer = await fetch(`${server.adminUrl}/pool`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ runTimeoutMs: ms }),
    });
    expect(answer.status).to.equal(200);
  }

  /** Imported as an author may with `--force`, and deployed: its working copy is in force. */
  async function deployed(key: string, model: Model): Promise<{ decisionId: string; path: string }> {
    const how = { save: false, force: true };
    const [{ id: decisionId }] = await imported(testDatabase(), villain.workspaceId, { [key]: model }, how);
    const environmentId = await villain.environment();
    await villain.deploy(decisionId, environmentId, 0);
    return { decisionId, path: `/logic/${environmentId}/decisions/${decisionId}/executions` };
  }

  interface Came {
    readonly status?: string;
    readonly code?: ProblemCode;
    readonly id?: string;
    readonly executionId?: string;
  }

  for (const [name, { nodes = [], model, fact = {}, ends }] of Object.entries(models)) {
    it(`${name} ends as the contract says, is recorded, and leaves the neighbour alone`, async () => {
      await limit(ends.includes('engine_timeout') ? runTimeoutMs : longTimeoutMs);
      const chained = chain(...nodes, { type: 'outputNode' }) as Model;
      const { decisionId, path } = await deployed(`${name}.json`, model ?? chained);
      const load = startLoad({ ...neighbour, loops: 2, pauseMs: isLong ? 30 : 80 });
      try {
        const asked = [
          [path, { fact }],
          [`/logic/decisions/${decisionId}/evaluations`, { version: 0, fact }],
        ] as const;
        // Whatever takes all the time that it may does so by the same way in both: of these, one takes it twice.
        const isOne = isLong || !ends.includes('engine_timeout') || name === 'an endless loop';
        for (const [at, body] of isOne ? asked : asked.slice(0, 1)) {
          const took = ownTime();
          const answer = await villain.caller.post(at, body);
          // While a thread computes, its processor time counts beside the time that passes.
          expect(took(), at).to.be.below(2 * runTimeoutMs + allowedMs(graceMs));
          const came = answer.body as Came;
          const end = answer.status === 201 ? came.status : came.code;
          expect(end, answer.text.slice(0, 500)).to.be.oneOf(ends);
          if (came.code !== undefined) expect(answer.status).to.equal(problems[came.code].status);
          expect(answer.text).to.not.match(/node_modules|\/workers\/|at .*\.js:\d+/);
          if (at === path) await expectRecorded(came, end);
        }
      } finally {
        await load.stop();
      }
      expect(load.endings.length).to.be.above(1);
      expect(load.endings.filter(({ code }) => code !== undefined)).to.deep.equal([]);
      expect(Math.max(...load.endings.map(({ ownMs }) => ownMs)), "the neighbour's slowest answer").to.be.below(
        allowedMs(3000),
      );
    });
  }

  /** A problem of the engine names its record; a completed or failed one is its own. */
  async function expectRecorded({ id, executionId }: Came, end: string | undefined): Promise<void> {
    const [row] = (await testDatabase()('executions').where({ id: idToBytes(executionId ?? id ?? '') })) as {
      status: string;
      error: string | null;
    }[];
    expect(row?.status).to.equal(end === 'COMPLETED' ? 'COMPLETED' : 'FAILED');
    if (end !== 'COMPLETED') expect(JSON.parse(row?.error ?? '')).to.have.property('code');
  }
});
