/** The defaults of the options of an integration that are numbers; `docs` and comments name the same. */
export const defaultOptions = {
  /** Time for a store method, in milliseconds. */
  timeoutMs: 10_000,
  /** Largest body, in bytes. */
  maxBodyBytes: 65_536,
  /** Largest `quantity` of one call. */
  maxQuantity: 1000,
  /** Most calls that run at once. */
  maxConcurrent: 10_000,
} as const
