import { parseArgs } from 'node:util'
import { useAllProcessors } from './measure/processes.ts'
import { markdownOf, readResults, resultOf, writeResults } from './report.ts'
import { click } from './sections/click.ts'
import { http } from './sections/http.ts'
import { memory } from './sections/memory.ts'
import { manyCustomers } from './sections/store.ts'

/*
 * npm run bench -- --full --write      runs all sections in full and writes docs/benchmarks.md
 * npm run bench -- --only http,click   runs two sections quickly
 * npm run bench -- --only= --write     writes docs/benchmarks.md from stored results
 */

const sections = new Map([
  ['http', http],
  ['click', click],
  ['store', manyCustomers],
  ['memory', memory],
])
const names = [...sections.keys()]

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: names.join(',') },
  },
})
const effort = { full: values.full, customers: values.full ? 1_000_000 : 10_000 }
const chosen = values.only.split(',').filter((name) => name !== '')
if (chosen.some((name) => !names.includes(name))) throw new TypeError(`--only: expected ${names.join(', ')}`)

const results = await readResults()
for (const name of chosen) {
  // An earlier section may have limited this process to one processor.
  useAllProcessors()
  const section = await sections.get(name)?.(effort)
  if (section === undefined) continue
  const result = resultOf(section, effort)
  console.log(`${markdownOf(result)}\n`)
  results[name] = result
  // Writes after each section, so that an interrupted run does not lose results.
  if (values.write) await writeResults(results)
}
if (values.write) await writeResults(results)
