import { useState } from 'react'
import { texts } from '../texts/texts.ts'

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

/** A placeholder for rows that are loading. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label={texts.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row row" aria-hidden="true">
          <span className="picture" />
          <span className="bone" />
        </div>
      ))}
    </div>
  )
}
