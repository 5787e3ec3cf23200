const drawings = new URL('../drawings.svg', import.meta.url).href

/** Returns the URL of a drawing in `drawings.svg`, for `<use>`. */
export function drawing(name: string): string {
  return `${drawings}#${name}`
}

/** A small decorative icon. */
export function Icon({ name, size = 18 }: { name: string; size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true">
      <use href={drawing(name)} />
    </svg>
  )
}
