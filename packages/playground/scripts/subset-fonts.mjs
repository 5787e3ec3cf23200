// Creates the fonts of the page from their npm packages, with only the characters of western languages and the weights in use.
// Run `node scripts/subset-fonts.mjs` after an update of a font package, or to add a weight or a character.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

const { resolve } = createRequire(import.meta.url)
const folder = new URL('../page/fonts/', import.meta.url)

const ascii = between(0x20, 0x7e)
/** Latin-1 and the other characters on the page. */
const latin = `${ascii}${between(0xa0, 0xff)}ıŒœŠšŸŽžˆ˜–—‘’‚“”„•…‹›€™−`

/** Inter requires its alternate glyphs for tabular figures. */
const fonts = [
  {
    name: 'inter',
    file: 'inter-latin-wght-normal',
    text: latin,
    axes: { wght: { min: 400, max: 600 } },
    alternates: true,
  },
  {
    name: 'fraunces',
    file: 'fraunces-latin-standard-normal',
    text: latin,
    // Optical size and weight of the headlines.
    axes: { wght: 500, opsz: 72 },
  },
  {
    name: 'jetbrains-mono',
    file: 'jetbrains-mono-latin-wght-normal',
    text: `${ascii}…–—·`,
    axes: { wght: { min: 400, max: 600 } },
  },
]

for (const { name, file, text, axes, alternates = false } of fonts) {
  const source = `@fontsource-variable/${name}`
  const sourceFile = readFileSync(resolve(`${source}/files/${file}.woff2`))
  const options = { targetFormat: 'woff2', variationAxes: axes, noLayoutClosure: !alternates }
  const subset = await subsetFont(sourceFile, text, options)
  writeFileSync(new URL(`${name}.woff2`, folder), subset)
  copyFileSync(resolve(`${source}/LICENSE`), new URL(`${name}-OFL.txt`, folder))
  process.stdout.write(`${name}: ${subset.length} bytes\n`)
}

function between(first, last) {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
