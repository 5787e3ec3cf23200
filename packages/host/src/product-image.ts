import { readdirSync, readFileSync } from 'node:fs'

/** One file for each product of the seed, so that it looks right without a network. */
const folder = new URL('../images/', import.meta.url)

/** The products that have a picture. */
export const drawnProducts: readonly string[] = readdirSync(folder).map((file) => file.replace(/\.svg$/, ''))

/** The picture of a product of the seed as an SVG document, or `undefined` for any other. */
export function productImage(productId: string): string | undefined {
  return drawnProducts.includes(productId) ? readFileSync(new URL(`${productId}.svg`, folder), 'utf8') : undefined
}
