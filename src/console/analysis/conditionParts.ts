// What is wanted once somebody asks whether a condition holds.
export { askedConditions, askedNames } from './askedConditions.js';
export { exampleOf } from './example.js';
