/**
 * Calls a function of the app with values whose types only the app knows: what its server has answered, or what its screens
 * pass to a login. The types of the session promise the app that they match.
 */
export function callWith<Result>(fn: (...args: never) => Result, ...values: readonly unknown[]): Result {
  return fn(...(values as never));
}
