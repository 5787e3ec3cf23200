import type { RunEvent, RunReport } from './run-checks.ts'

/** Waits for the end of a run and returns its report: `await collectReport(runChecks(options))`. */
export async function collectReport(events: AsyncIterable<RunEvent>): Promise<RunReport> {
  for await (const event of events) if (event.type === 'end') return event.report
  throw new TypeError('collectReport: these are not the events of a whole run')
}
