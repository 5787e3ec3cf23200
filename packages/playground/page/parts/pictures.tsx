import { useState } from 'react'

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

/** A product's first image, or the first letter of its title. Hidden from screen readers, which read the title. */
export function Picture({ images, title }: { images: readonly string[]; title: string }) {
  const [broken, setBroken] = useState(false)
  const [address] = images
  return (
    <span className="picture" aria-hidden="true">
      {address === undefined || broken ? (
        [...title][0]
      ) : (
        <img src={address} alt="" width="400" height="400" onError={() => setBroken(true)} />
      )}
    </span>
  )
}
