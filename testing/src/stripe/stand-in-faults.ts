/** A simulated failure of the network or of Stripe for later requests. */
export interface Fault {
  /** Returns whether the fault applies to a request; default all requests. */
  matches?(request: { readonly method: string; readonly path: string }): boolean
  /** Number of requests to which the fault applies; default 1. `Infinity` applies the fault to all requests. */
  readonly times?: number
  /**
   * `cut_before`: closes the connection without running the request. `cut_after`: runs the request, then closes the
   * connection. `hang`: neither runs the request nor responds. `hang_after`: runs the request but does not respond.
   * `html`: 502 with an HTML page. `rate_limited`: 429. `server_error`: 500, stored under the idempotency key.
   */
  readonly kind: 'cut_after' | 'cut_before' | 'hang' | 'hang_after' | 'html' | 'rate_limited' | 'server_error'
}

/** A list of faults for later requests. */
export interface Faults {
  add(fault: Fault): void
  /** Returns the kind of the first fault that applies to a request, and counts the request towards its `times`. */
  take(request: { readonly method: string; readonly path: string }): Fault['kind'] | undefined
}

/** Creates an empty list of faults. Faults apply in the order in which they are added. */
export function createFaults(): Faults {
  const waiting: { readonly fault: Fault; left: number }[] = []
  return {
    add: (fault) => void waiting.push({ fault, left: fault.times ?? 1 }),
    take: (request) => {
      const found = waiting.find(({ fault, left }) => left > 0 && (fault.matches?.(request) ?? true))
      if (found === undefined) return undefined
      found.left -= 1
      return found.fault.kind
    },
  }
}
