/** Time in which a problem is reported only once, in milliseconds. */
const reportedForMs = 3_600_000

/** Maximum number of problems that are reported in that time. */
const maxReported = 1000

/** Maximum number of problems that are reported for one response. */
const maxPerResponse = 20

/**
 * Creates the function that reports the problems of a response, each once in an hour. `now` returns the time in
 * milliseconds.
 */
export function createLeftOutReports<Request>(
  report: (line: string, request: Request) => void,
  now: () => number = () => performance.now(),
): (lines: readonly string[], request: Request) => void {
  /** Time of the report by problem, oldest first. */
  const reported = new Map<string, number>()

  function forgetOld(time: number): void {
    for (const [line, reportedAt] of reported) {
      if (time - reportedAt < reportedForMs) return
      reported.delete(line)
    }
  }

  return (lines, request) => {
    const time = now()
    forgetOld(time)
    if (reported.size >= maxReported) return
    const fresh = Array.from(new Set(lines)).filter((line) => !reported.has(line))
    const shown = fresh.splice(0, Math.min(maxPerResponse, maxReported - reported.size))
    for (const line of shown) {
      reported.set(line, time)
      report(line, request)
    }
    if (fresh.length > 0) report(`${fresh.length} more problems in this response`, request)
    if (reported.size >= maxReported)
      report(`${maxReported} problems in an hour, no more are reported in this hour`, request)
  }
}
