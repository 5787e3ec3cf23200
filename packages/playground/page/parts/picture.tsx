import { useState } from 'react'

/** The first picture of a product on a tile of fixed size; its initial where there is none. The title is next to it. */
export function Picture({ images, title }: { images: readonly string[]; title: string }) {
  const [broken, setBroken] = useState(false)
  const [address] = images
  return (
    <span className="picture" aria-hidden="true">
      {address === undefined || broken ? (
        <span className="picture-initial">{[...title][0]}</span>
      ) : (
        <img src={address} alt="" width="400" height="400" onError={() => setBroken(true)} />
      )}
    </span>
  )
}
