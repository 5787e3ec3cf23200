/** Sizes of the repository: lines of code, and words of Markdown. */
export interface Sizes {
  readonly lines: number
  readonly words: number
}

/** How far a size may be above its budget, unless the check is strict. */
const tolerance: Sizes = { lines: 1_500, words: 1_000 }

/** Returns an error or a warning for each size above its budget. */
export function checkSize(sizes: Sizes, budget: Sizes, isStrict: boolean): readonly string[] {
  return (['lines', 'words'] as const)
    .filter((name) => sizes[name] > budget[name])
    .map((name) => {
      const excess = sizes[name] - budget[name]
      const severity = isStrict || excess > tolerance[name] ? 'error' : 'warning'
      return `${severity}: ${sizes[name]} ${name} are ${excess} more than the budget of ${budget[name]}.`
    })
}
