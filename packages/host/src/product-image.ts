import { readdirSync, readFileSync } from 'node:fs'

/** Folder with one image per seed product. */
const folder = new URL('../images/', import.meta.url)

/** Ids of the products that have an image. */
export const drawnProducts: readonly string[] = readdirSync(folder).map((file) => file.replace(/\.svg$/, ''))

/** Returns the SVG image of a seed product; `undefined` for other products. */
export function productImage(productId: string): string | undefined {
  return drawnProducts.includes(productId) ? readFileSync(new URL(`${productId}.svg`, folder), 'utf8') : undefined
}
