import { expect } from 'chai';
import { useApp } from '../../support/app.js';
import { calling, doubling, type Model } from '../../support/models.js';
import { useFreshScene } from '../../support/scene.js';

const path = '/logic/decisions';

interface Told {
  readonly key: string;
  readonly severity: string;
  readonly pointer: string;
  readonly message: string;
}

/** `a` calls `b`, `b` calls `c`, and so on; the last one calls nothing. */
const chain = (count: number): { key: string; content: Model }[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `d/${index}.json`,
    content: index === count - 1 ? doubling(2) : calling(`./${index + 1}.json`),
  }));

describe('decisions that no run can go through', () => {
  const app = useApp();
  const scene = useFreshScene(app);

  const circle = [
    { key: 'k/a.json', content: calling('./b.json') },
    { key: 'k/b.json', content: calling('./a.json') },
  ];
  const toldBy = async (at: string, body: object): Promise<unknown[]> => {
    const answer = await scene.caller.post(at, body);
    expect(answer.status, answer.text).to.equal(200);
    return (answer.body as { faults: Told[] }).faults.map(({ key, severity, message }) => [key, severity, message]);
  };
  const round = (keys: string): string => `Decisions call each other in a circle: ${keys}.`;

  it('are told with the circle that they call each other in, by checks and imports, which refuse nothing', async () => {
    const warnings = [
      ['k/a.json', 'warning', round('k/a.json → k/b.json → k/a.json')],
      ['k/b.json', 'warning', round('k/b.json → k/a.json → k/b.json')],
    ];
    expect(await toldBy('/logic/validations', { decisions: circle })).to.deep.equal(warnings);
    expect(await toldBy('/logic/imports', { decisions: circle, save: true })).to.deep.equal(warnings);
    const outside = { decisions: [{ key: 'out.json', content: calling('k/a.json') }] };
    expect(await toldBy('/logic/validations', outside)).to.deep.equal([
      ['out.json', 'warning', round('out.json → k/a.json → k/b.json → k/a.json')],
    ]);
    const itself = { decisions: [{ key: 'own.json', content: calling('own.json') }] };
    expect(await toldBy('/logic/validations', itself)).to.deep.equal([
      ['own.json', 'warning', round('own.json → own.json')],
    ]);
  });

  it('are counted where one is changed or saved as a version', async () => {
    const made = await Promise.all(
      ['a', 'b'].map(async (name) => {
        const answer = await scene.caller.post(path, { key: `${name}.json`, content: doubling(2) });
        return (answer.body as { id: string }).id;
      }),
    );
    const [a, b] = made as [string, string];
    const first = await scene.caller.patch(`${path}/${a}`, { content: calling('b.json') });
    expect(first.body).to.include({ faults: 0, warnings: 0 });
    const second = await scene.caller.patch(`${path}/${b}`, { content: calling('a.json') });
    expect(second.body).to.include({ faults: 0, warnings: 1 });
    expect((await scene.caller.post(`${path}/${a}/versions`, {})).status).to.equal(201);
    expect((await scene.caller.get(`${path}/${a}`)).body).to.include({ faults: 0, warnings: 1 });
  });

  it('are told where they nest deeper than a run may, and not where they nest as deep', async () => {
    // The first decision, and ten in it.
    const most = chain(11);
    expect(await toldBy('/logic/imports', { decisions: most })).to.deep.equal([]);
    const environmentId = await scene.environment();
    const run = async (): Promise<unknown> => {
      const found = (await scene.caller.get(`${path}?key=d/0.json`)).body as { data: { id: string }[] };
      const id = found.data[0]?.id ?? '';
      await scene.deploy(id, environmentId);
      const answer = await scene.caller.post(`/logic/${environmentId}/decisions/${id}/executions`, { fact: { x: 1 } });
      return (answer.body as { status: string }).status;
    };
    expect(await run()).to.equal('COMPLETED');
    const keys = Array.from({ length: 12 }, (_, index) => `d/${index}.json`).join(' → ');
    const told = [['d/0.json', 'warning', `Decisions are nested more than 10 deep: ${keys}.`]];
    const deeper = chain(12).slice(10);
    expect(await toldBy('/logic/imports', { decisions: deeper })).to.deep.equal([]);
    expect(await run()).to.equal('FAILED');
    expect(await toldBy('/logic/validations', { decisions: most.slice(0, 2) })).to.deep.equal(told);
  });
});
