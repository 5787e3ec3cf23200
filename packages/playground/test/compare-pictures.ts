import type { Browser } from 'playwright-core'

/** How far two pictures are apart. */
export interface PictureDifference {
  /** Mean difference of a colour channel, 0 to 255. */
  readonly mean: number
  /** Share of the places that differ clearly, 0 to 1. */
  readonly share: number
}

/**
 * Compares two pictures place by place, a place being 8 × 8 pixels: coarse enough for other fonts and edges, fine enough
 * to see something that is missing, has moved or has another colour. Pictures of different size differ everywhere.
 */
export async function comparePictures(browser: Browser, one: Buffer, other: Buffer): Promise<PictureDifference> {
  const page = await browser.newPage()
  try {
    return await page.evaluate(`(async (sources) => {
      const pictures = await Promise.all(sources.map(async (source) => {
        const picture = new Image()
        picture.src = source
        await picture.decode()
        return picture
      }))
      const [first, second] = pictures
      if (first.width !== second.width || first.height !== second.height) return { mean: 255, share: 1 }
      const width = Math.ceil(first.width / 8)
      const height = Math.ceil(first.height / 8)
      const [left, right] = pictures.map((picture) => {
        const context = new OffscreenCanvas(width, height).getContext('2d')
        context.imageSmoothingQuality = 'high'
        context.drawImage(picture, 0, 0, width, height)
        return context.getImageData(0, 0, width, height).data
      })
      let sum = 0
      let clear = 0
      for (let at = 0; at < left.length; at += 4) {
        const apart = [0, 1, 2].map((channel) => Math.abs(left[at + channel] - right[at + channel]))
        sum += apart[0] + apart[1] + apart[2]
        if (Math.max(...apart) > 24) clear++
      }
      return { mean: sum / (width * height * 3), share: clear / (width * height) }
    })(${JSON.stringify([one, other].map(toAddress))})`)
  } finally {
    await page.close()
  }
}

function toAddress(picture: Buffer): string {
  return `data:image/jpeg;base64,${picture.toString('base64')}`
}
