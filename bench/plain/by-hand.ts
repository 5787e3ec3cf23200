import { answerCallByHand } from '../by-hand/answer-call.ts'
import { runPlainCalls } from '../measure/run-plain-calls.ts'

await runPlainCalls(answerCallByHand)
