/** The names of pino's levels. */
const levels: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'ERROR',
  60: 'FATAL',
}

/** A JSON line of the log for a person at a terminal: the time, the level, the message, then whatever else it holds. */
export function formatLine(line: string): string {
  const { level, time, msg, stack, ...others }: Readonly<Record<string, unknown>> = JSON.parse(line)
  const clock = new Date(Number(time)).toTimeString().slice(0, 8)
  const fields = Object.entries(others).map(([name, value]) => `${name}=${formatValue(value)}`)
  const first = [clock, (levels[String(level)] ?? '').padEnd(5), msg, ...fields].filter(Boolean).join(' ')
  return typeof stack === 'string' ? `${first}\n${stack.replaceAll(/^/gm, '  ')}\n` : `${first}\n`
}

/** What is more than a word stays JSON, so that nothing in it can move the cursor. */
function formatValue(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}
