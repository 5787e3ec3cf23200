/** Numbers that a seed repeats: at least 0, below 1. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  // A linear congruential generator with the constants of Numerical Recipes; its upper bits are good enough to choose by.
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Chooses one of a list. */
export function chooseOne<Element>(random: () => number, list: readonly Element[]): Element {
  const chosen = list[Math.floor(random() * list.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}
