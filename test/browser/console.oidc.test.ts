import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { setPolicy } from '../../src/access/workspaces.service.js';
import { bootApp, type TestApp } from '../support/app.js';
import { atOwnConsole, openConsole, type ConsolePage } from '../support/consolePage.js';
import { doubling } from '../support/models.js';
import { startProvider, type OpenIdProvider } from '../support/provider.js';
import { buildScene, testStore, type Scene } from '../support/scene.js';
import { soon } from '../support/eventually.js';

describe('the console’s sign-in by an OpenID provider', () => {
  let app: TestApp;
  let scene: Scene;
  let provider: OpenIdProvider;
  let view: ConsolePage;
  let page: Page;
  atOwnConsole(
    async () => {
      provider = await startProvider('ada');
      app = await bootApp({ TRUSTED_ISSUERS: JSON.stringify([provider.setting]), CONSOLE_OIDC: provider.issuer });
      return { stop: () => app.stop().finally(() => provider.close()) };
    },
    async () => {
      scene = await buildScene(app);
      const scopes = ['decisions:read', 'decision:read', 'environments:read', 'deployments:read', 'executions:read'];
      const policy = { effect: 'allow', subjects: [], roles: ['author'], scopes } as const;
      await setPolicy(testStore(), { workspaceId: scene.workspaceId }, policy);
      view = await openConsole(app.baseUrl, scene);
      page = view.page;
    },
  );
  // The next one comes as a stranger, to a provider that is as it should be.
  afterEach(async () => {
    await page.unrouteAll();
    await view.context.clearCookies();
  });

  it('goes there and comes back to the page that was opened, with a token in memory alone', async () => {
    const decisionId = await scene.decision('double.json', doubling(2));
    await page.goto(`${app.baseUrl}/console/decisions/${decisionId}?node=calc`);
    await page.getByRole('button', { name: 'Continue with' }).click();
    await page.getByRole('region', { name: 'Node' }).getByRole('heading', { name: 'Calculation' }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).to.equal(`/console/decisions/${decisionId}?node=calc`);
    await soon(async () =>
      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).to.deep.equal([
        0,
        0,
        '',
      ]),
    );
    expect(provider.refusals).to.deep.equal([]);
  });

  describe('from a provider that is not what it says', () => {
    /** What the page says where the provider's description has other members. */
    const saidOf = async (members: object): Promise<string> => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.unrouteAll();
      await page.route(`${provider.issuer}/.well-known/openid-configuration`, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), ...members } });
      });
      await page.goto(`${app.baseUrl}/console`);
      await page.getByRole('button', { name: 'Continue with' }).click();
      const said = await page.getByRole('alert').innerText();
      await soon(async () => expect(await page.evaluate('document.title')).to.not.equal('taken'));
      expect(asked.filter((url) => url.startsWith('http://elsewhere.test'))).to.deep.equal([]);
      return said;
    };

    it('goes to no issuer but the one that the operator named', async () => {
      expect(await saidOf({ issuer: 'http://elsewhere.test' })).to.contain('Its description is of another issuer.');
    });

    it('runs no address as a script, and sends a code nowhere else', async () => {
      for (const name of ['authorization_endpoint', 'token_endpoint']) {
        const said = await saidOf({ [name]: `javascript:document.title='taken'` });
        expect(said).to.contain(`Its ${name} is no address of http or https.`);
      }
    });

    it('takes no answer that another provider made', async () => {
      await page.route(`${provider.issuer}/authorize*`, (route) => {
        const query = new URL(route.request().url()).searchParams;
        const target = new URL(query.get('redirect_uri') ?? '');
        target.search = String(
          new URLSearchParams({ code: 'c', state: query.get('state') ?? '', iss: 'http://elsewhere.test' }),
        );
        return route.fulfill({ status: 302, headers: { Location: target.href } });
      });
      await page.goto(`${app.baseUrl}/console`);
      await page.getByRole('button', { name: 'Continue with' }).click();
      await soon(async () =>
        expect(await page.getByRole('alert').innerText()).to.contain('another provider, http://elsewhere.test'),
      );
      expect(provider.refusals).to.deep.equal([]);
    });

    it('says so where it answers with a page in place of a token, whatever stands there', async () => {
      const taken = `<script>document.title = 'taken'</script>`;
      await page.route(`${provider.issuer}/token`, (route) =>
        route.fulfill({
          status: 200,
          contentType: 'text/html',
          headers: { 'Access-Control-Allow-Origin': '*' },
          body: taken,
        }),
      );
      await page.goto(`${app.baseUrl}/console`);
      await page.getByRole('button', { name: 'Continue with' }).click();
      await soon(async () =>
        expect(await page.getByRole('alert').innerText()).to.contain('Its token endpoint answered 200.'),
      );
      await soon(async () => expect(await page.evaluate('document.title')).to.not.equal('taken'));
    });
  });

  it('takes no answer that belongs to another sign-in', async () => {
    await page.route(`${provider.issuer}/authorize*`, (route) => {
      const target = new URL(new URL(route.request().url()).searchParams.get('redirect_uri') ?? '');
      target.search = '?code=stolen&state=other';
      return route.fulfill({ status: 302, headers: { Location: target.href } });
    });
    await page.goto(`${app.baseUrl}/console`);
    await page.getByRole('button', { name: 'Continue with' }).click();
    await soon(async () =>
      expect(await page.getByRole('alert').innerText()).to.contain('The answer belongs to another sign-in.'),
    );
    await soon(async () => expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).to.equal(true));
  });
});
