import { fetchByHand } from '../by-hand/fetch-handler.ts'
import { runHandler } from '../measure/run-handler.ts'

runHandler(fetchByHand)
