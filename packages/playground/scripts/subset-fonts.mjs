// Makes the fonts of the page out of their npm packages: the signs of western languages, and the weights that the styles use.
// `node scripts/subset-fonts.mjs` after one of the packages was updated, or a weight or sign is new.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import subsetFont from 'subset-font'

const { resolve } = createRequire(import.meta.url)
const folder = new URL('../page/fonts/', import.meta.url)

const ascii = between(0x20, 0x7e)
/** Latin-1, and what words, amounts and marks of the page need beyond it. */
const latin = `${ascii}${between(0xa0, 0xff)}ıŒœŠšŸŽžˆ˜–—‘’‚“”„•…‹›€™−`

/** Figures of equal width are among the alternates that a font is asked for; the others of the page are asked for none. */
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
    // The cut for headlines, in the one weight that they have.
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
  const whole = readFileSync(resolve(`${source}/files/${file}.woff2`))
  const options = { targetFormat: 'woff2', variationAxes: axes, noLayoutClosure: !alternates }
  const subset = await subsetFont(whole, text, options)
  writeFileSync(new URL(`${name}.woff2`, folder), subset)
  copyFileSync(resolve(`${source}/LICENSE`), new URL(`${name}-OFL.txt`, folder))
  process.stdout.write(`${name}: ${subset.length} bytes\n`)
}

function between(first, last) {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
