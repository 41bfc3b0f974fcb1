// Runs on /docs/reference: the API viewer.

/** What is used of the viewer. What it knows of an operation are immutable maps and lists. */
interface Shown {
  get: (name: string) => string | undefined;
}
interface ShownOperation extends Shown {
  getIn: (path: readonly string[]) => { readonly some: (is: (each: Shown) => boolean) => boolean } | undefined;
}
interface Viewer {
  readonly specSelectors: {
    readonly operations: () => { readonly forEach: (each: (one: ShownOperation) => void) => void };
  };
  readonly specActions: {
    readonly changeParam: (
      operation: readonly (string | undefined)[],
      name: string,
      where: string,
      value: string,
    ) => void;
  };
}
interface Answer {
  readonly url: string;
  readonly ok: boolean;
  readonly obj?: { readonly access_token?: string };
}
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => Viewer;

const header = 'X-Workspace-Id';

/** The class is the viewer's own switch for dark colours. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = (): void => {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
};
dark.addEventListener('change', follow);
follow();

const viewer = SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  filter: true,
  // Without this the viewer would send the document to a host of its makers.
  validatorUrl: null,
  syntaxHighlight: { theme: 'nord' },
  responseInterceptor(answer: Answer) {
    const token = answer.obj?.access_token;
    if (answer.ok && answer.url.endsWith('/core/oauth2/token') && token !== undefined) void fillWorkspace(token);
    return answer;
  },
});

/** Where the token is for one workspace, each operation has it: nobody needs to look its id up. */
async function fillWorkspace(token: string): Promise<void> {
  const answer = await fetch('../logic/workspaces', { headers: { Authorization: `Bearer ${token}` } });
  if (!answer.ok) return;
  const [workspace, ...others] = ((await answer.json()) as { readonly data: readonly { readonly id: string }[] }).data;
  if (workspace === undefined || others.length > 0) return;
  viewer.specSelectors.operations().forEach((operation) => {
    // Parameters are references to what operations have in common, until an operation is opened.
    const parameters = operation.getIn(['operation', 'parameters']);
    const isHeader = (each: Shown): boolean =>
      each.get('name') === header || each.get('$ref')?.endsWith(`/${header}`) === true;
    if (parameters?.some(isHeader) === true)
      viewer.specActions.changeParam([operation.get('path'), operation.get('method')], header, 'header', workspace.id);
  });
}

export {};
