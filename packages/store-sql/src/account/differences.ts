interface Identified {
  readonly id: string
}

/** Returns the ids of the elements that are no longer in a list. */
export function findRemoved(before: readonly Identified[], after: readonly Identified[]): readonly string[] {
  if (before === after) return []
  const left = new Set(after.map(({ id }) => id))
  return before.map(({ id }) => id).filter((id) => !left.has(id))
}

/** Returns the elements of a list that are new or changed: a rule keeps every other one as the same object. */
export function findChanged<Element>(before: readonly Element[], after: readonly Element[]): readonly Element[] {
  if (before === after) return []
  const known = new Set(before)
  return after.filter((element) => !known.has(element))
}

/** Returns the elements of a list with their positions: those that they had, as far as that keeps the order, else the next ones. */
export function assignPositions<Element extends Identified>(
  list: readonly Element[],
  places: ReadonlyMap<string, number>,
): readonly { readonly element: Element; readonly position: number }[] {
  let last = 0
  return list.map((element) => {
    const had = places.get(element.id) ?? 0
    last = had > last ? had : last + 1
    return { element, position: last }
  })
}
