import { longCases } from './cases.ts'
import { exploreAll } from './report.ts'

/* `npm run test:long`: explores every schedule of the long cases, with up to two faults. */

const problems = await exploreAll(longCases)
for (const problem of problems) console.error(problem)
console.log(`${longCases.length - problems.length} passed, ${problems.length} failed, 0 skipped`)
if (problems.length > 0) process.exitCode = 1
