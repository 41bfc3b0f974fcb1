/**
 * The number of the engine. It changes with every release in which some model can give another result for the same fact,
 * clock and seed, so that explanations of older executions can say why they differ. A test holds it to the golden results:
 * where those change, it is to be raised.
 */
export const engineNumber = 3;
