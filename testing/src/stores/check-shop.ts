import { collectReport, createReport, runChecks, type RunOptions } from '@storeport/conformance'

/** The facts about a run that a report names. */
export const runOfTest = {
  kit: 'kit',
  baseUrl: 'http://shop.example',
  basePath: '/integration',
  startedAt: '2026-11-20T10:00:00.000Z',
  durationMs: 1,
  strict: false,
  profile: 'of the test',
  problem: undefined,
}

/** Runs the checks of a mode on a disposable shop. Returns the verdict and the results. */
export async function checkShop(options: RunOptions) {
  const { mode = 'default' } = options
  const run = await collectReport(runChecks({ ...options, disposable: true }))
  const { verdict } = createReport({ ...run, ...runOfTest, mode, only: [] })
  const failures = run.results.flatMap(({ check: { id }, failure }) =>
    failure === undefined ? [] : [{ id, ...failure }],
  )
  return {
    verdict,
    offered: run.offered,
    failures,
    findings: failures.map(({ id, message }) => `${id}: ${message}`),
    passed: run.results.filter(({ outcome }) => outcome === 'passed').length,
  }
}
