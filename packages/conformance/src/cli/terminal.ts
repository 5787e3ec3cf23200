import type { Colors } from 'picocolors/types.js'
import { maxWaitSeconds } from '../engine/prepare-check.ts'
import { plural } from '../report/create-report.ts'
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

const barLength = 24

/** Minimum interval between progress lines in a log, in milliseconds. */
const progressIntervalMs = 10_000

/** Notice that is printed before the first check, since pauses can make a run long. */
const waitNotice = `If the shop has a rate limit, the run pauses for up to ${maxWaitSeconds} s at a time.`

/**
 * Prints progress on standard error. In a terminal, a progress line is updated below the failed checks. In a log, a new
 * line is printed instead.
 */
export function createProgress(url: string, { isWatched, err, columns }: Terminal, colors: Colors) {
  const counts = { failed: 0, warned: 0 }
  let last = 0

  /** Replaces the progress line. */
  const over = (text: string) => err(`\r\u001b[2K${text}`)

  /** Prints a line above the progress line, or a plain line in a log. */
  function print(styled: string, plain: string): void {
    last = performance.now()
    if (isWatched) over(`  ${styled}\n`)
    else err(`${plain}\n`)
  }

  function printProgress(id: string, index: number, total: number): void {
    if (!isWatched) {
      if (index === 0) print('', `${url}: ${plural(total, 'check')} …`)
      else if (performance.now() - last > progressIntervalMs) print('', `${index} of ${plural(total, 'check')} done …`)
      return
    }
    const done = Math.floor((index / total) * barLength)
    const found = [
      ...(counts.failed > 0 ? [colors.red(`${counts.failed} failed`)] : []),
      ...(counts.warned > 0 ? [colors.yellow(`${counts.warned} warned`)] : []),
    ]
    const place = `${index + 1}/${total}`
    const room = Math.max(0, columns() - (barLength + 8 + place.length + 14 * found.length))
    const bar = '━'.repeat(done) + colors.dim('┄'.repeat(barLength - done))
    over([`  ${bar}`, place, ...found, colors.dim(id.slice(0, room))].join('  '))
  }

  return {
    /** Shows that the kit is detecting the offered endpoints. */
    startDiscovery(): void {
      if (isWatched) over(colors.dim(`  ${url}: detecting endpoints …`.slice(0, columns() - 1)))
    },
    /** Shows an event of the run. */
    show(event: RunEvent): void {
      if (event.type === 'start' && event.waits) print(colors.dim(waitNotice), waitNotice)
      if (event.type === 'check') printProgress(event.check.id, event.index, event.total)
      if (event.type === 'wait') {
        const text = `the shop's rate limit requires a pause of ${event.seconds} s`
        if (isWatched) over(colors.dim(`  ${text} …`))
        else print('', text)
      }
      if (event.type !== 'result' || event.result.failure === undefined) return
      const { check, failure } = event.result
      const isWarning = requirementOf(failure.requirement).level === 'should'
      counts[isWarning ? 'warned' : 'failed'] += 1
      const mark = isWarning ? colors.yellow('!') : colors.red('✗')
      const word = isWarning ? 'warning' : 'failed '
      const { requirement } = failure
      print(`${mark} ${check.id}  ${colors.dim(requirement)}`, `${word}  ${check.id}  ${requirement}`)
    },
    /** Clears the progress line. */
    clear(): void {
      if (isWatched) over('')
    },
  }
}
