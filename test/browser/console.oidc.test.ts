import { expect } from 'chai';
import { setPolicy } from '../../src/access/workspaces.service.js';
import { bootApp, type TestApp } from '../support/app.js';
import { atOwnConsole, openConsole } from '../support/consolePage.js';
import { doubling } from '../support/models.js';
import { startProvider, type OpenIdProvider } from '../support/provider.js';
import { buildScene, testStore, type Scene } from '../support/scene.js';

describe('the console’s sign-in by an OpenID provider', function () {
  this.timeout(60_000);
  let app: TestApp;
  let scene: Scene;
  let provider: OpenIdProvider;
  atOwnConsole(
    async () => {
      provider = await startProvider('ada');
      app = await bootApp({ TRUSTED_ISSUERS: JSON.stringify([provider.setting]), CONSOLE_OIDC: provider.issuer });
      return { stop: () => app.stop().finally(() => provider.close()) };
    },
    async () => {
      scene = await buildScene(app);
      const scopes = 'decisions:read decision:read environments:read deployments:read executions:read';
      const policy = { effect: 'allow', subjects: [], roles: ['author'], scopes } as const;
      await setPolicy(testStore(), { workspaceId: scene.workspaceId }, policy);
    },
  );

  it('goes there and comes back to the page that was opened, with a token in memory alone', async () => {
    const decisionId = await scene.decision('double.json', doubling(2));
    const { page, complaints } = await openConsole(app.baseUrl, scene);
    await page.goto(`${app.baseUrl}/console/decisions/${decisionId}?node=calc`);
    await page.getByRole('button', { name: 'Continue with' }).click();
    await page.getByRole('region', { name: 'Node' }).getByRole('heading', { name: 'Calculation' }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).to.equal(`/console/decisions/${decisionId}?node=calc`);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).to.deep.equal([
      0,
      0,
      '',
    ]);
    expect(provider.refusals).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it('takes no answer that belongs to another sign-in', async () => {
    const { page } = await openConsole(app.baseUrl, scene);
    await page.route(`${provider.issuer}/authorize*`, (route) => {
      const target = new URL(new URL(route.request().url()).searchParams.get('redirect_uri') ?? '');
      target.search = '?code=stolen&state=other';
      return route.fulfill({ status: 302, headers: { Location: target.href } });
    });
    await page.goto(`${app.baseUrl}/console`);
    await page.getByRole('button', { name: 'Continue with' }).click();
    expect(await page.getByRole('alert').innerText()).to.contain('The answer belongs to another sign-in.');
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).to.equal(true);
  });
});
