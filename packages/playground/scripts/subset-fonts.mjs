// Creates the page's fonts from npm packages, with only the weights in use and the characters of Western languages.
// Run `node scripts/subset-fonts.mjs` after you update a font package, or to add a weight or a character.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

const { resolve } = createRequire(import.meta.url)
const folder = new URL('../page/fonts/', import.meta.url)

const ascii = between(0x20, 0x7e)
/** ASCII, Latin-1 and other characters that the page displays. */
const latin = `${ascii}${between(0xa0, 0xff)}ıŒœŠšŸŽžˆ˜–—‘’‚“”„•…‹›€™−`

/** Fonts of the page. Inter requires its alternate glyphs to align figures in tables. */
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
    // Uses the optical size and the weight of the headlines.
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
