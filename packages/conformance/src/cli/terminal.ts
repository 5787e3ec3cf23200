import type { Colors } from 'picocolors/types.js'
import type { CheckFailure } from '../engine/check-end.ts'
import { longestWaitSeconds } from '../engine/prepare-check.ts'
import { plural } from '../report/create-report.ts'
import type { CheckResult } from '../run/run-check.ts'
import type { RunEvent } from '../run/run-checks.ts'
import { requirementOf } from '../run/topics.ts'

/** Where the command writes to. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  readonly outHasColors: boolean
  readonly errHasColors: boolean
  /** Whether a person watches standard error: then progress is shown there. */
  readonly isWatched: boolean
  /** How many letters fit into a line. */
  columns(): number
}

/** Progress on standard error, while the report is being made. */
export interface Progress {
  /** The shop is asked what it offers. */
  asks(): void
  /** Shows what happens in the run. */
  show(event: RunEvent): void
  /** Takes away what is not to stay. */
  clear(): void
}

const barLength = 24

/** One line that is written over where somebody watches, and above it a line for each check that fails; else plain lines. */
export function createProgress(address: string, terminal: Terminal, colors: Colors): Progress {
  return terminal.isWatched ? liveProgress(address, terminal, colors) : plainProgress(address, terminal)
}

function liveProgress(address: string, terminal: Terminal, colors: Colors): Progress {
  const counts = { failed: 0, warnings: 0 }
  const over = (text: string) => terminal.err(`\r\u001b[2K${text}`)

  function begin(id: string, index: number, total: number): void {
    const done = Math.floor((index / total) * barLength)
    const bar = '━'.repeat(done) + colors.dim('┄'.repeat(barLength - done))
    const found = [
      ...(counts.failed > 0 ? [colors.red(`${counts.failed} failed`)] : []),
      ...(counts.warnings > 0 ? [colors.yellow(`${counts.warnings} warned`)] : []),
    ]
    const place = `${index + 1}/${total}`
    const taken = 2 + barLength + 1 + place.length + 2 + (counts.failed > 0 ? 14 : 0) + (counts.warnings > 0 ? 14 : 0)
    const room = Math.max(0, terminal.columns() - taken - 3)
    over(['  ' + bar, place, ...found, colors.dim(id.slice(0, room))].join('  '))
  }

  function end({ check, failure }: CheckResult): void {
    if (failure === undefined) return
    const isMust = isSpecified(failure)
    if (isMust) counts.failed += 1
    else counts.warnings += 1
    over(`  ${isMust ? colors.red('✗') : colors.yellow('!')} ${check.id}  ${colors.dim(failure.requirement)}\n`)
  }

  return {
    asks() {
      over(colors.dim(`  ${address}: which endpoints are there? …`.slice(0, terminal.columns() - 1)))
    },
    show(event) {
      if (event.type === 'start' && event.waits) over(`  ${colors.dim(mayWait)}\n`)
      else if (event.type === 'check') begin(event.check.id, event.index, event.total)
      else if (event.type === 'result') end(event.result)
      else if (event.type === 'wait') over(colors.dim(`  ${pauseWords(event.seconds)} …`))
    },
    clear() {
      over('')
    },
  }
}

/** How often a run that has nothing else to say says that it goes on, in milliseconds. */
const silence = 10_000

/** For a log: what failed, what keeps the run waiting, and now and then how far it is. */
function plainProgress(address: string, terminal: Terminal): Progress {
  let last = 0
  const line = (text: string) => {
    last = performance.now()
    terminal.err(`${text}\n`)
  }
  function begin(index: number, total: number): void {
    if (index === 0) line(`${address}: ${plural(total, 'check')} …`)
    else if (performance.now() - last > silence) line(`${index} of ${plural(total, 'check')} made …`)
  }

  function end({ check, failure }: CheckResult): void {
    if (failure === undefined) return
    line(`${isSpecified(failure) ? 'failed ' : 'warning'}  ${check.id}  ${failure.requirement}`)
  }

  return {
    asks() {},
    show(event) {
      if (event.type === 'start' && event.waits) line(mayWait)
      else if (event.type === 'check') begin(event.index, event.total)
      else if (event.type === 'result') end(event.result)
      else if (event.type === 'wait') line(pauseWords(event.seconds))
    },
    clear() {},
  }
}

function isSpecified({ requirement }: CheckFailure): boolean {
  return requirementOf(requirement).level === 'must'
}

/** Said before the first check: who starts a run should know how long it may take. */
const mayWait = `A shop that counts calls makes the run wait, up to ${longestWaitSeconds} s a time.`

function pauseWords(seconds: number): string {
  return `the shop counts calls and wants a pause of ${seconds} s`
}
