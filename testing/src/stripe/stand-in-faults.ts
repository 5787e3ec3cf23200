/** A failure of the network or of Stripe that a test asks for. */
export interface Fault {
  /** Which requests it is for; every request without it. */
  matches?(request: { readonly method: string; readonly path: string }): boolean
  /** For how many of them: 1 without it, `Infinity` until the end. */
  readonly times?: number
  /**
   * `cut_before`: the connection ends and nothing is done. `cut_after`: it is done, and the connection ends without an
   * answer. `hang`: nothing is done and nothing answered. `hang_after`: it is done and never answered. `html`: 502 with a
   * page of a proxy. `rate_limited`: 429. `server_error`: 500, which Stripe keeps under the idempotency key.
   */
  readonly kind: 'cut_after' | 'cut_before' | 'hang' | 'hang_after' | 'html' | 'rate_limited' | 'server_error'
}

/** The faults that are still to come. */
export interface Faults {
  add(fault: Fault): void
  /** The kind of the first fault that is for a request, which counts as one of its times. */
  take(request: { readonly method: string; readonly path: string }): Fault['kind'] | undefined
}

/** Keeps faults in the order in which they were asked for. */
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
