/** Returns the `X-Request-Id` that a caller sent when it is safe to log and to repeat, else `undefined` (HEADER-5, HEADER-6). */
export function safeRequestId(sent: unknown): string | undefined {
  return typeof sent === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : undefined
}
