import { parseArgs } from 'node:util'
import { useAllProcessors } from './measure/pin.ts'
import { machineOf, versionsOf } from './report/machine.ts'
import { printSection } from './report/print-section.ts'
import { readResults, writeResults } from './report/results.ts'
import type { Effort, Section } from './report/section.ts'
import { accountSize } from './sections/account-size.ts'
import { bundle } from './sections/bundle.ts'
import { burst } from './sections/burst.ts'
import { click } from './sections/click.ts'
import { fetch } from './sections/fetch.ts'
import { http } from './sections/http.ts'
import { instructions } from './sections/instructions.ts'
import { importTime } from './sections/import-time.ts'
import { memory } from './sections/memory.ts'
import { restart } from './sections/restart.ts'
import { shieldBefore } from './sections/shield.ts'
import { storeCost } from './sections/store-cost.ts'

/*
 * Every figure as a ratio against something measured in turns with it; no absolute time is asserted anywhere.
 *
 *   npm run bench                     about three minutes
 *   npm run bench -- --full           what docs/benchmarks.md shows
 *   npm run bench -- --only http,fetch --write
 */

const sections: Readonly<Record<string, (effort: Effort) => Promise<Section>>> = {
  http,
  fetch,
  instructions,
  bundle,
  import: importTime,
  store: storeCost,
  account: accountSize,
  click,
  burst,
  memory,
  restart,
  shield: shieldBefore,
}

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    customers: { type: 'string' },
  },
})
if (values.help) {
  console.log(`npm run bench -- [--full] [--write] [--customers N] [--only ${Object.keys(sections).join(',')}]`)
  process.exit()
}
const effort = { full: values.full, customers: Number(values.customers ?? (values.full ? 1_000_000 : 10_000)) }
const chosen = values.only?.split(',') ?? Object.keys(sections)
const unknown = chosen.filter((name) => sections[name] === undefined)
if (unknown.length > 0) throw new TypeError(`--only: must be of ${Object.keys(sections).join(', ')}`)

console.log(`${machineOf()}\n${versionsOf()}\n`)
const results = { ...(await readResults()) }
for (const name of chosen) {
  // The section before may have kept this process, and so all that it starts, to one.
  useAllProcessors()
  const section = await sections[name]?.(effort)
  if (section === undefined) continue
  printSection(section)
  results[name] = {
    ...section,
    machine: machineOf(),
    versions: versionsOf(),
    date: new Date().toISOString().slice(0, 10),
    full: effort.full,
  }
  // After each, so that a long run that is ended has not been in vain.
  if (values.write) await writeResults(results, Object.keys(sections))
}
