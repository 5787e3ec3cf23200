/** Runs something for each element of a list, some at a time. */
export async function runSideBySide<Element>(
  elements: Iterable<Element>,
  atOnce: number,
  run: (element: Element) => Promise<unknown>,
): Promise<void> {
  const left = elements[Symbol.iterator]()
  const runInTurn = async () => {
    for (let next = left.next(); next.done !== true; next = left.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: atOnce }, runInTurn))
}

/** The numbers from 0 to one less than a count. */
export function numbers(count: number): Iterable<number> {
  return Array(count).keys()
}
