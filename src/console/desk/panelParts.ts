// One script for the tabs that are not seen at first; changes have another, since the trail has it, too.
export { AnalysisPart } from '../analysis/analysisPart.js';
export { TestsPanel } from '../tests/testsPanel.js';
