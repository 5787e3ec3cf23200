import { useCallback, useEffect, useRef, useState } from 'react'
import type { CheckLine, CheckMode } from '../../src/protocol.ts'
import { openPost, hostMessage } from '../shop/host.ts'
import { texts } from '../texts/texts.ts'

/** Outcomes of a check, in display order. */
export const outcomes = ['passed', 'failed', 'warning', 'skipped'] as const

/** State of a run of the conformance checks. */
export interface CheckRun {
  readonly state: 'none' | 'running' | 'done' | 'stopped'
  readonly total: number
  readonly counts: Readonly<Record<(typeof outcomes)[number], number>>
  /** Verdict of the kit; `null` until the run ends. */
  readonly verdict: string | null
  /** Why the run failed; `null` without a failure. */
  readonly problem: string | null
}

const noCounts = { passed: 0, failed: 0, warning: 0, skipped: 0 }
const noRun: CheckRun = { state: 'none', total: 0, counts: noCounts, verdict: null, problem: null }

/** Runs the conformance checks and stores their results. */
export function useChecks(onEnd: () => void) {
  const [run, setRun] = useState<CheckRun>(noRun)
  const current = useRef<AbortController | null>(null)

  useEffect(() => () => current.current?.abort(), [])

  async function start(mode: CheckMode): Promise<void> {
    if (current.current !== null) return
    const controller = new AbortController()
    current.current = controller
    setRun({ ...noRun, state: 'running' })
    try {
      const { body } = await openPost('checks', { mode }, controller.signal)
      if (body !== null) {
        for await (const line of readLines<CheckLine>(body)) setRun((before) => addLine(before, line))
      }
    } catch (error) {
      if (controller.signal.aborted) return
      const problem = hostMessage(error, { offline: texts.start.hostOffline, failed: (reason) => reason })
      setRun((before) => ({ ...before, problem }))
    } finally {
      current.current = null
      setRun((before) => (before.state === 'running' ? { ...before, state: 'stopped' } : before))
      onEnd()
    }
  }
  return { run, start, stop: useCallback(() => current.current?.abort(), []) }
}

function addLine(run: CheckRun, line: CheckLine): CheckRun {
  switch (line.type) {
    case 'start':
      return { ...run, total: line.total }
    case 'result':
      return { ...run, counts: { ...run.counts, [line.outcome]: run.counts[line.outcome] + 1 } }
    case 'end':
      return { ...run, state: 'done', verdict: line.verdict }
    case 'problem':
      return { ...run, problem: line.message }
  }
}

/** Parses a stream of JSON lines. Does not validate the values, because the playground server wrote them. */
export async function* readLines<Line>(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    for (const line of lines) if (line !== '') yield JSON.parse(line)
    if (done) return
  }
}
