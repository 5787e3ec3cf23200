import type { Observe } from '../observe/observe.ts'
import type { EndpointName } from '../store-port.ts'
import type { Answer, Call } from './call.ts'
import { createPipeline } from './create-pipeline.ts'
import { failureAnswer } from './failure.ts'
import { startProgress } from './progress.ts'
import type { Settings } from './settings.ts'

/** Answers a call, or a call to one endpoint whatever its path; never rejects. */
export type AnswerCall = (call: Call, only?: EndpointName) => Promise<Answer>

/** Puts the observer around the pipeline, where there is one. */
export function createAnswer(settings: Settings): AnswerCall {
  const { observe, onError } = settings
  const pipeline = createPipeline(settings)

  async function answerObserved(call: Call, only: EndpointName | undefined, observing: Observe): Promise<Answer> {
    const run = async () => {
      const progress = startProgress(call, only)
      progress.answer = await pipeline(call, progress)
      return progress
    }
    try {
      return (await observing(call, run)).answer
    } catch (error) {
      return failureAnswer(error, startProgress(call, only), onError)
    }
  }

  if (observe === undefined) return (call, only) => pipeline(call, startProgress(call, only))
  return (call, only) => answerObserved(call, only, observe)
}
