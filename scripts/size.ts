import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parseArgs } from 'node:util'

/*
 * Prints the size of this repository. `--check` compares the lines of code and the words of Markdown with
 * `size-budget.json`: it fails far above the budget, and with `--strict` above it at all.
 */

const code = new Set(['.ts', '.tsx', '.css', '.mjs'])
const other = new Set(['.sql', '.svg', '.html', '.sh', '.py', '.yml'])
/** How far a size may be above its budget, unless the check is strict. */
const tolerance = { lines: 1_500, words: 1_000 }

const flag = { type: 'boolean', default: false } as const
const { check, strict } = parseArgs({ options: { check: flag, strict: flag } }).values
const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
const linesOf = new Map(files.filter((file) => code.has(extname(file))).map((file) => [file, countLines(file)]))
const lines = sum([...linesOf.values()])
if (check) {
  const budget: typeof tolerance = JSON.parse(readFileSync('scripts/size-budget.json', 'utf8'))
  const sizes = { lines, words: sum(files.filter((file) => file.endsWith('.md')).map(countWords)) }
  console.log(`${sizes.lines} lines of code, ${sizes.words} words of Markdown`)
  for (const name of ['lines', 'words'] as const) {
    const excess = sizes[name] - budget[name]
    if (excess <= 0) continue
    const isError = strict || excess > tolerance[name]
    if (isError) process.exitCode = 1
    console.error(
      `${isError ? 'error' : 'warning'}: ${sizes[name]} ${name} are ${excess} more than the budget of ${budget[name]}.`,
    )
  }
} else {
  const sources = [...linesOf].filter(([file]) => /^packages\/[^/]+\/(src|page)\/.*\.tsx?$/.test(file))
  const lengths = sources.map(([, length]) => length).toSorted((one, two) => one - two)
  const tests = [...linesOf].filter(([file]) => /^(test|testing)\/|\/test\//.test(file))
  console.log(`${lines} lines of code (ts, tsx, css, mjs)
${sum(tests.map(([, length]) => length))} of these in tests
${sum(files.filter((file) => other.has(extname(file))).map(countLines))} lines in other languages
${linesOf.size} code files
${sources.length} source files
${lengths[Math.floor(lengths.length / 2)] ?? 0} lines of the median source file`)
}

function countLines(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1
}

/** Counts words as `wc -w` does. */
function countWords(file: string): number {
  return readFileSync(file, 'utf8').split(/\s+/).filter(Boolean).length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
