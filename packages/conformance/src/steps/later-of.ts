/** The later one of two dates. */
export function laterOf(one: string, other: string): string {
  return one > other ? one : other
}
