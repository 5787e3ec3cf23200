/** Numbers of the log levels in JSON lines. `silent` is only a minimum level. */
const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Infinity } as const

/** Minimum level of a log. */
export type LogLevel = keyof typeof levels

/** Returns whether a word is a log level. */
export function isLogLevel(word: string): word is LogLevel {
  return Object.hasOwn(levels, word)
}

/** Names of the log levels. */
export const logLevels: readonly string[] = Object.keys(levels)

/** A log line, without customer data. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error' | 'fatal'
  readonly message: string
  /** Further fields of the line. */
  readonly fields: object
}

/** Logs a message, or fields and a message. */
type LogMessage = (...line: [message: string] | [fields: object, message: string]) => void

/** Functions that log at a level. */
export type Log = Readonly<Record<LogLine['level'], LogMessage>>

/** Creates a log that passes its lines, from a minimum level, to `write`. */
export function createLog(minimum: LogLevel, write: (line: LogLine) => void = writeJson): Log {
  const logAt =
    (level: LogLine['level']): LogMessage =>
    (first, second?: string) => {
      if (levels[level] < levels[minimum]) return
      if (typeof first === 'string') write({ level, message: first, fields: {} })
      else write({ level, message: second ?? '', fields: first })
    }
  return { info: logAt('info'), warn: logAt('warn'), error: logAt('error'), fatal: logAt('fatal') }
}

/** Prints a line as JSON. */
function writeJson({ level, fields, message }: LogLine): void {
  ignoreFailedWrites()
  // oxlint-disable-next-line eslint/no-console -- the log of a server without another output
  console.log(JSON.stringify({ level: levels[level], time: Date.now(), ...fields, msg: message }))
}

const ignore = () => {}

/** Prevents a closed pipe from ending the process. `console.log` handles only the first failed write. */
function ignoreFailedWrites(): void {
  const { stdout } = process
  if (!stdout.listeners('error').includes(ignore)) stdout.on('error', ignore)
}

/** Waits until standard output is written, for at most 1 s, because its reader may have stalled. */
export async function flushOutput(): Promise<void> {
  ignoreFailedWrites()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 1000)
    process.stdout.write('', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Limits the log lines that clients without a key cause, so that these clients cannot fill the disk. */
export interface LineLimit {
  /** Returns whether a line may be written now; otherwise counts the line as suppressed. */
  admits(): boolean
  /** Logs the number of suppressed lines. */
  report(): void
}

/** Length of the counting window, in milliseconds, and maximum number of lines in a window. */
const [windowMs, maxLines] = [1000, 10]

/** Admits at most 10 lines per second and logs the number of suppressed lines after each second. */
export function limitLines(log: Pick<Log, 'warn'>): LineLimit {
  let [admitted, unloggedCalls] = [0, 0]
  let timer: NodeJS.Timeout | undefined

  function report(): void {
    clearTimeout(timer)
    timer = undefined
    admitted = 0
    if (unloggedCalls > 0) log.warn({ unloggedCalls }, 'some rejected requests were not logged')
    unloggedCalls = 0
  }

  return {
    admits() {
      timer ??= setTimeout(report, windowMs).unref()
      if (admitted < maxLines) {
        admitted += 1
        return true
      }
      unloggedCalls += 1
      return false
    },
    report,
  }
}
