/** Returns a seeded random number generator with values from 0 (inclusive) to 1 (exclusive). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  // Linear congruential generator with the constants from Numerical Recipes. Its upper bits are sufficiently random.
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
