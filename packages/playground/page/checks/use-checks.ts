import { useCallback, useEffect, useRef, useState } from 'react'
import type { CheckLine, CheckMode, CheckOutcome, CheckVerdict } from '../../src/protocol.ts'
import { openPost, sayHostError } from '../shop/host.ts'
import { texts } from '../texts.ts'

/** A run of the conformance checks, as far as it has got. */
export interface CheckRun {
  readonly state: 'none' | 'running' | 'done' | 'stopped'
  readonly total: number
  readonly outcomes: readonly CheckOutcome[]
  /** What the run says of the shop; `null` until it is over. */
  readonly verdict: CheckVerdict | null
  /** Why the run broke off. */
  readonly problem: string | null
}

const noRun: CheckRun = { state: 'none', total: 0, outcomes: [], verdict: null, problem: null }

/** Runs the conformance checks and keeps the report. */
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
      const problem = sayHostError(error, { offline: texts.start.hostOffline, failed: (reason) => reason })
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
      return { ...run, outcomes: [...run.outcomes, line] }
    case 'end':
      return { ...run, state: 'done', verdict: line }
    case 'problem':
      return { ...run, problem: line.message }
  }
}

/** Reads a stream of JSON lines; our own host wrote them, so their form is not checked again. */
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
