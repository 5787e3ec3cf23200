import { readFileSync } from 'node:fs'

/** Times of all processors together since the machine started, in ticks of the system. */
export interface ProcessorTimes {
  /** When there was something to run and the host of this virtual machine ran something else. */
  readonly stolen: number
  readonly all: number
}

/** Reads the times of all processors; zeros where the system does not tell, which is everywhere but on Linux. */
export function processorTimes(): ProcessorTimes {
  if (process.platform !== 'linux') return { stolen: 0, all: 0 }
  const [, line = ''] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? []
  // user, nice, system, idle, iowait, irq, softirq, steal; those of guests are in the first two.
  const ticks = line.split(' ').slice(0, 8).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) }
}

/** The share of the time between two looks that was stolen, from 0 to 1. */
export function stolenShare(before: ProcessorTimes, after: ProcessorTimes): number {
  const all = after.all - before.all
  return all === 0 ? 0 : (after.stolen - before.stolen) / all
}
