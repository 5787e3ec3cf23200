import { StoreError } from '../errors.ts'
import type { Observe } from '../observe/observe.ts'
import type { EndpointName } from '../store-port.ts'
import type { Answer, Call } from './call.ts'
import { createPipeline } from './create-pipeline.ts'
import { failureAnswer } from './failure.ts'
import { type Progress, startProgress } from './progress.ts'
import type { Settings } from './settings.ts'

/** Answers a call, or a call to one endpoint whatever its path; never rejects. */
export type AnswerCall = (call: Call, only?: EndpointName) => Promise<Answer>

/** Puts around the pipeline what every call has: the limit of calls at once, the answer to what was thrown, the observer. */
export function createAnswer(settings: Settings): AnswerCall {
  const { observe, onError, maxConcurrent } = settings
  const pipeline = createPipeline(settings)
  let running = 0

  async function answer(call: Call, progress: Progress): Promise<Answer> {
    running += 1
    try {
      if (running > maxConcurrent) throw new StoreError('store_unavailable', 'Too many calls at once: repeat it later.')
      return await pipeline(call, progress)
    } catch (error) {
      return failureAnswer(error, progress, onError)
    } finally {
      running -= 1
    }
  }

  async function answerObserved(call: Call, only: EndpointName | undefined, observing: Observe): Promise<Answer> {
    const run = async () => {
      const progress = startProgress(call, only)
      progress.answer = await answer(call, progress)
      return progress
    }
    try {
      return (await observing(call, run)).answer
    } catch (error) {
      return failureAnswer(error, startProgress(call, only), onError)
    }
  }

  if (observe === undefined) return (call, only) => answer(call, startProgress(call, only))
  return (call, only) => answerObserved(call, only, observe)
}
