interface Identified {
  readonly id: string
}

/** A list with an element put in the place of the one with its id, or at the end when there is none. */
export function withElement<Element extends Identified>(
  list: readonly Element[],
  element: Element,
): readonly Element[] {
  if (!list.some(({ id }) => id === element.id)) return [...list, element]
  return list.map((present) => (present.id === element.id ? element : present))
}

/** A list with the element of an id changed; the same list when there is none. */
export function withChanged<Element extends Identified>(
  list: readonly Element[],
  changedId: string | null,
  change: (element: Element) => Element,
): readonly Element[] {
  const present = list.find(({ id }) => id === changedId)
  return present === undefined ? list : withElement(list, change(present))
}

/** A list without the elements that a test picks out; the same list when it picks none. */
export function without<Element>(list: readonly Element[], picked: (element: Element) => boolean): readonly Element[] {
  return list.some(picked) ? list.filter((element) => !picked(element)) : list
}
