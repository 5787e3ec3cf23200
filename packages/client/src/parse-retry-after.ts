/** Seconds that a `Retry-After` header asks for, given in seconds or as an HTTP date; `undefined` for anything else. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,10}$/.test(header)) return Number(header)
  if (!/^[A-Z][a-z]{2,8}, .{6,40} GMT$/.test(header)) return undefined
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
