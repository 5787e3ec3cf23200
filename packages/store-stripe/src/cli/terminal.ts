/** The terminal or script that runs the command. */
export interface Terminal {
  /** Writes a line to the standard output. */
  out(line: string): void
  /** Writes a line to the standard error. */
  err(line: string): void
  /** Returns a signal that an interruption aborts, for example Ctrl-C. Without this call, an interruption ends the process. */
  catchInterrupts(): AbortSignal
}
