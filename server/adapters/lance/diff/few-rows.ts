/** Below this, reading the cells is cheaper than asking the versions whether they have to be read. */
export const fewRows = 2000;
