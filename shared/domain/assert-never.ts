/** Ends a switch over all cases: a case that is missing does not compile. */
export function assertNever(value: never): never {
  throw new Error(`A case is missing for ${JSON.stringify(value)}.`);
}
