/** A simulated failure of the network or of Stripe. */
export interface Fault {
  /** Returns whether the fault applies to a request. Default: the fault applies to all requests. */
  matches?(request: { readonly method: string; readonly path: string }): boolean
  /** Number of requests to which the fault applies. Default: 1. `Infinity` means all requests. */
  readonly times?: number
  /**
   * `cut_before`: closes the connection without running the request. `cut_after`: runs the request, then closes the connection.
   * `hang`: neither runs nor responds. `hang_after`: runs the request but does not respond. `html`: 502 with an HTML page.
   * `rate_limited`: 429. `server_error`: 500, which Stripe stores under the idempotency key.
   */
  readonly kind: 'cut_after' | 'cut_before' | 'hang' | 'hang_after' | 'html' | 'rate_limited' | 'server_error'
}

/** Faults for later requests. */
export interface Faults {
  add(fault: Fault): void
  /** Returns the kind of the first fault that applies to a request, and reduces its remaining number of requests by one. */
  take(request: { readonly method: string; readonly path: string }): Fault['kind'] | undefined
}

/** Creates a list of faults, applied in the order in which they were added. */
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
