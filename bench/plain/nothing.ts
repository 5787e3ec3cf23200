import { runPlainCalls } from '../measure/run-plain-calls.ts'

/** What making the calls costs, which every variant does. */
const answer = { status: 200, headers: {}, body: '' }

await runPlainCalls(async () => answer)
