import { createHash } from 'node:crypto'
import type { Report, ReportResult } from './report.ts'
import { requirementSet, toSetFile } from './requirement-set.ts'

/** The software that a run tested, and the page of the run. */
export interface Attested {
  /** Digest of the tested software, such as its Git commit: hexadecimal digits by the name of the algorithm. */
  readonly digest: Readonly<Record<string, string>>
  /** URL of the run, such as a job in a pipeline. */
  readonly url?: string | undefined
}

/**
 * Creates an in-toto statement (`https://in-toto.io/Statement/v1`) with the predicate `test-result/v0.1`, for a
 * pipeline to sign. The result is PASSED or WARNED only for the verdict READY.
 */
export function toStatement(report: Report, { digest, url }: Attested) {
  const { kit, contract, address, mode, only, strict, verdict, counts, groups, settings } = report
  const results = groups.flatMap((group) => group.results)
  const idsOf = (wanted: ReportResult['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).map(({ id }) => id)
  const { skip = [], framework, testMode = false } = settings ?? {}
  const run = { kit, verdict, mode, only, strict, skip, framework, testMode }
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ digest }],
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: verdict !== 'READY' ? 'FAILED' : counts.warnings > 0 ? 'WARNED' : 'PASSED',
      configuration: [
        { name: 'shop', uri: address },
        {
          name: `requirements/${contract}.json`,
          digest: {
            sha256: createHash('sha256')
              .update(toSetFile(requirementSet(contract)))
              .digest('hex'),
          },
        },
        {
          name: 'settings',
          content: Buffer.from(JSON.stringify(run)).toString('base64'),
          mediaType: 'application/json',
        },
      ],
      ...(url !== undefined && { url }),
      passedTests: idsOf('passed'),
      warnedTests: idsOf('warning'),
      failedTests: idsOf('failed'),
    },
  }
}
