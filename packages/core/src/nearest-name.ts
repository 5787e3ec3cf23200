/** The one of several names that a misspelt one probably means; `undefined` when none is near. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const word = plain(written)
  return names.find((name) => plain(name) === word) ?? names.find((name) => areNear(word, plain(name)))
}

/** Letter case, hyphens and underscores are what is confused most. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

function areNear(left: string, right: string): boolean {
  return left.length < 50 && distance(left, right) <= Math.min(2, Math.floor(right.length / 3))
}

/** How many letters must be added, left out or replaced (Levenshtein). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 0; at < left.length; at += 1) {
    const next = [at + 1]
    for (let index = 0; index < right.length; index += 1) {
      const replaced = (row[index] ?? 0) + (left[at] === right[index] ? 0 : 1)
      next.push(Math.min(replaced, (next[index] ?? 0) + 1, (row[index + 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
