import type { Colors } from 'picocolors/types.js'
import { maxWaitSeconds } from '../engine/prepare-check.ts'
import { plural } from '../report/create-report.ts'
import type { CheckResult } from '../run/run-check.ts'
import type { RunEvent } from '../run/run-checks.ts'
import { requirementOf } from '../run/topics.ts'

/** The output streams of the command. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  readonly outHasColors: boolean
  readonly errHasColors: boolean
  /** Whether standard error is an interactive terminal, which can show an updating progress line. */
  readonly isWatched: boolean
  /** Width of the terminal, in characters. */
  columns(): number
}

/** Progress of a run, printed on standard error. */
export interface Progress {
  /** Shows that the kit is detecting the offered endpoints. */
  startDiscovery(): void
  /** Shows an event of the run. */
  show(event: RunEvent): void
  /** Clears the progress line. */
  clear(): void
}

const barLength = 24

/** Prints progress: an updating line below the failed checks in an interactive terminal, or plain lines in a log. */
export function createProgress(url: string, terminal: Terminal, colors: Colors): Progress {
  const lines = terminal.isWatched ? liveLines(url, terminal, colors) : plainLines(url, terminal)
  return {
    startDiscovery: lines.startDiscovery,
    show(event) {
      if (event.type === 'start' && event.waits) lines.waitNotice()
      else if (event.type === 'check') lines.begin(event.check.id, event.index, event.total)
      else if (event.type === 'result') end(event.result)
      else if (event.type === 'wait')
        lines.pauses(`the shop limits requests and requires a pause of ${event.seconds} s`)
    },
    clear: lines.clear,
  }

  function end({ check, failure }: CheckResult): void {
    if (failure === undefined) return
    lines.fails(check.id, failure.requirement, requirementOf(failure.requirement).level !== 'should')
  }
}

/** Functions that print the events of a run. */
interface Lines extends Pick<Progress, 'startDiscovery' | 'clear'> {
  waitNotice(): void
  begin(id: string, index: number, total: number): void
  fails(id: string, requirement: string, isMust: boolean): void
  pauses(text: string): void
}

function liveLines(url: string, terminal: Terminal, colors: Colors): Lines {
  const counts = { failed: 0, warnings: 0 }
  const over = (text: string) => terminal.err(`\r\u001b[2K${text}`)
  return {
    startDiscovery: () => over(colors.dim(`  ${url}: detecting endpoints …`.slice(0, terminal.columns() - 1))),
    waitNotice: () => over(`  ${colors.dim(waitNotice)}\n`),
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
    pauses: (text) => over(colors.dim(`  ${text} …`)),
    clear: () => over(''),
  }
}

/** Minimum interval between progress lines in a log, in milliseconds. */
const progressIntervalMs = 10_000

/** Prints plain lines for a log: failures, pauses, and the progress at intervals. */
function plainLines(url: string, terminal: Terminal): Lines {
  let last = 0
  const line = (text: string) => {
    last = performance.now()
    terminal.err(`${text}\n`)
  }
  return {
    startDiscovery() {},
    waitNotice: () => line(waitNotice),
    begin(_id, index, total) {
      if (index === 0) line(`${url}: ${plural(total, 'check')} …`)
      else if (performance.now() - last > progressIntervalMs) line(`${index} of ${plural(total, 'check')} done …`)
    },
    fails: (id, requirement, isMust) => line(`${isMust ? 'failed ' : 'warning'}  ${id}  ${requirement}`),
    pauses: line,
    clear() {},
  }
}

/** Notice before the first check, since pauses can make a run long. */
const waitNotice = `If the shop limits requests, the run waits up to ${maxWaitSeconds} s per pause.`
