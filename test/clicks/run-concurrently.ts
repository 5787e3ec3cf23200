/** Runs a function for each element, with limited concurrency. */
export async function runConcurrently<Element>(
  elements: Iterable<Element>,
  maxConcurrent: number,
  run: (element: Element) => Promise<unknown>,
): Promise<void> {
  const iterator = elements[Symbol.iterator]()
  const runLane = async () => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await run(next.value)
  }
  await Promise.all(Array.from({ length: maxConcurrent }, runLane))
}

/** Returns the numbers from 0 to `count - 1`. */
export function numbers(count: number): Iterable<number> {
  return Array(count).keys()
}
