import type { Colors } from 'picocolors/types.js'
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
  const lines = terminal.isWatched ? liveLines(address, terminal, colors) : plainLines(address, terminal)
  return {
    asks: lines.asks,
    show(event) {
      if (event.type === 'start' && event.waits) lines.mayWait()
      else if (event.type === 'check') lines.begin(event.check.id, event.index, event.total)
      else if (event.type === 'result') end(event.result)
      else if (event.type === 'wait') lines.waits(`the shop counts calls and wants a pause of ${event.seconds} s`)
    },
    clear: lines.clear,
  }

  function end({ check, failure }: CheckResult): void {
    if (failure === undefined) return
    lines.fails(check.id, failure.requirement, requirementOf(failure.requirement).level === 'must')
  }
}

/** Output for each event. */
interface Lines extends Pick<Progress, 'asks' | 'clear'> {
  mayWait(): void
  begin(id: string, index: number, total: number): void
  fails(id: string, requirement: string, isMust: boolean): void
  waits(words: string): void
}

function liveLines(address: string, terminal: Terminal, colors: Colors): Lines {
  const counts = { failed: 0, warnings: 0 }
  const over = (text: string) => terminal.err(`\r\u001b[2K${text}`)
  return {
    asks: () => over(colors.dim(`  ${address}: which endpoints are there? …`.slice(0, terminal.columns() - 1))),
    mayWait: () => over(`  ${colors.dim(mayWait)}\n`),
    begin(id, index, total) {
      const done = Math.floor((index / total) * barLength)
      const bar = '━'.repeat(done) + colors.dim('┄'.repeat(barLength - done))
      const found = [
        ...(counts.failed > 0 ? [colors.red(`${counts.failed} failed`)] : []),
        ...(counts.warnings > 0 ? [colors.yellow(`${counts.warnings} warned`)] : []),
      ]
      const place = `${index + 1}/${total}`
      const taken = 2 + barLength + 1 + place.length + 2 + 14 * found.length
      const room = Math.max(0, terminal.columns() - taken - 3)
      over(['  ' + bar, place, ...found, colors.dim(id.slice(0, room))].join('  '))
    },
    fails(id, requirement, isMust) {
      counts[isMust ? 'failed' : 'warnings'] += 1
      over(`  ${isMust ? colors.red('✗') : colors.yellow('!')} ${id}  ${colors.dim(requirement)}\n`)
    },
    waits: (words) => over(colors.dim(`  ${words} …`)),
    clear: () => over(''),
  }
}

/** How often a run that has nothing else to say says that it goes on, in milliseconds. */
const silence = 10_000

/** For a log: what failed, what keeps the run waiting, and now and then how far it is. */
function plainLines(address: string, terminal: Terminal): Lines {
  let last = 0
  const line = (text: string) => {
    last = performance.now()
    terminal.err(`${text}\n`)
  }
  return {
    asks() {},
    mayWait: () => line(mayWait),
    begin(_id, index, total) {
      if (index === 0) line(`${address}: ${plural(total, 'check')} …`)
      else if (performance.now() - last > silence) line(`${index} of ${plural(total, 'check')} made …`)
    },
    fails: (id, requirement, isMust) => line(`${isMust ? 'failed ' : 'warning'}  ${id}  ${requirement}`),
    waits: line,
    clear() {},
  }
}

/** Said before the first check: who starts a run should know how long it may take. */
const mayWait = `A shop that counts calls makes the run wait, up to ${longestWaitSeconds} s a time.`
