// One script for the forms of nodes that are no sheets: most who open a node open a table.
export { RequestFields } from '../../schemas/requestFields.js';
export { CalledEditor } from './calledDecision.js';
