/** The build bundles it. */
declare module '*/console.css';
