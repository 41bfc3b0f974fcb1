// One script for the tabs that are not seen at first.
export { AnalysisPart } from '../analysis/analysisPart.js';
export { TestsPanel } from '../tests/testsPanel.js';
