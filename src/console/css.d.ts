/** The build bundles these. */
declare module '*/console.css';

/** A style sheet as text, as the build has it for the editor. */
declare module '@gorules/jdm-editor/dist/style.css' {
  const css: string;
  export default css;
}
