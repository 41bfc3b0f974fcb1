import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * What the model editor's packages get in place of parts of theirs: megabytes that the console does without, one that
 * loads itself from another host, and `style` elements, which the console's policy refuses.
 * @param editor the folder `src/console/editor`
 */
export function editorPackages(editor: string): {
  readonly alias: Readonly<Record<string, string>>;
  readonly plugin: Plugin;
} {
  return {
    alias: {
      'monaco-editor': join(editor, 'stubs/monacoEditor.ts'),
      '@monaco-editor/react': join(editor, 'stubs/monacoReact.tsx'),
      '@gorules/zen-engine-wasm': join(editor, 'stubs/zenEngine.ts'),
      exceljs: join(editor, 'stubs/exceljs.ts'),
    },
    plugin: {
      name: 'editor-packages',
      setup(build) {
        build.onLoad(
          { filter: /(?:rc-util|@rc-component[\\/]util)[\\/](?:es|lib)[\\/]Dom[\\/]dynamicCSS\.js$/ },
          () => ({
            contents: `export * from ${JSON.stringify(join(editor, 'styles.ts'))}`,
            resolveDir: editor,
          }),
        );
        build.onLoad({ filter: /rc-textarea[\\/]es[\\/]calculateNodeHeight\.js$/ }, ({ path }) => ({
          contents: replaced(path, [
            `hiddenTextarea.setAttribute('style', "".concat(sizingStyle, ";").concat(HIDDEN_TEXTAREA_STYLE));`,
            'hiddenTextarea.style.cssText = `${sizingStyle};${HIDDEN_TEXTAREA_STYLE}`;',
          ]),
        }));
        build.onLoad({ filter: /style-mod[\\/]src[\\/]style-mod\.js$/ }, ({ path }) => ({
          contents: replaced(path, ['!root.head && root.adoptedStyleSheets', 'root.adoptedStyleSheets']),
        }));
        build.onLoad({ filter: /@reactflow[\\/]core[\\/]dist[\\/]esm[\\/]index\.mjs$/ }, ({ path }) => ({
          // A button must not have buttons in it, and nodes have.
          contents: replaced(path, [
            "role: isFocusable ? 'button' : undefined",
            "role: isFocusable ? 'group' : undefined",
          ]),
        }));
        build.onLoad({ filter: /jdm-editor[\\/]dist[\\/]index\.js$/ }, ({ path }) => ({
          contents: editorScript(path, join(editor, 'styles.ts')),
        }));
        build.onLoad({ filter: /jdm-editor[\\/]dist[\\/]style\.css$/ }, ({ path }) => ({
          contents: readFileSync(path),
          loader: 'text',
        }));
      },
    },
  };
}

/** Throws where the package has changed, and the replacement has to be looked at again. */
function replaced(path: string, ...replacements: readonly (readonly [part: string, by: string])[]): string {
  return replacements.reduce(
    (text, [part, by]) => {
      if (!text.includes(part)) throw new Error(`${path} has no "${part}" any more.`);
      return text.replace(part, by);
    },
    readFileSync(path, 'utf8'),
  );
}

/** The editor, with its style elements by the module that stands in for antd's, and names for what a screen reader reads. */
function editorScript(path: string, styles: string): string {
  const text = replaced(
    path,
    ['r("style", { dangerouslySetInnerHTML', 'r(ConsoleSheet, { dangerouslySetInnerHTML'],
    ['const o = document.createElement("style");', 'updateConsoleSheet(n.module.getRules(), t);'],
    ['o.id = t, o.textContent = n.module.getRules(), document.head.appendChild(o);', ''],
    ['  xi(),\n  _i(),', '  en.contentAttributes.of({ "aria-label": "Expression" }),\n  xi(),\n  _i(),'],
    ['r("th", { colSpan: 1, style', 'r("th", { colSpan: 1, role: "presentation", style'],
    ['"data-self": d,', '"data-self": d, role: n.isPlaceholder ? "presentation" : undefined,'],
  );
  return `import { Sheet as ConsoleSheet, updateCSS as updateConsoleSheet } from ${JSON.stringify(styles)};\n${text}`;
}
