import { type CallOutcome, type Observe, traceCalls } from '@storeport/core'

/** One observer out of several: the first is the outermost. */
export function observeAll(observers: readonly Observe[]): Observe {
  return (call, run) =>
    observers.reduceRight<() => Promise<CallOutcome>>((inner, observe) => () => observe(call, inner), run)()
}

/** Makes calls into OpenTelemetry spans when `@opentelemetry/api` is installed; without it there is nothing to do. */
export async function tracingIfInstalled(): Promise<readonly Observe[]> {
  try {
    const { trace } = await import('@opentelemetry/api')
    return [traceCalls(trace.getTracer('storeport'))]
  } catch {
    return []
  }
}
