import { appendFileSync, readFileSync } from 'node:fs'

/**
 * Creates a function that kills this process at a step with `killRate`; 20 times as often at a step that has not killed
 * a process yet, so that each run includes most steps. `afterMs` is the delay of the kill, in milliseconds.
 */
export function createKiller({ killRate, kills }: { readonly killRate: number; readonly kills: string }) {
  const earlierSteps = new Set(readFileSync(kills, 'utf8').split('\n'))
  return (step: string, afterMs = 0): void => {
    if (Math.random() >= killRate * (earlierSteps.has(step) ? 1 : 20)) return
    const kill = () => {
      appendFileSync(kills, `${step}\n`)
      process.kill(process.pid, 'SIGKILL')
    }
    if (afterMs === 0) kill()
    else setTimeout(kill, afterMs)
  }
}
