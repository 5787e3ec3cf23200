import { setTimeout as pause } from 'node:timers/promises'
import type { Shop } from './open-shop.ts'
import type { Host } from './start-host.ts'

/** A running shop with its two processes. */
export interface RunningShop {
  readonly shop: Shop
  /** A fault may replace a process. */
  readonly hosts: [Host, Host]
  /** Resolves when the current clicks have ended, so that a fault stops waiting for them. */
  readonly idle: Promise<unknown>
}

/** Injects a fault and repairs it. Returns false if the fault did not happen. */
export type Fault = (running: RunningShop) => unknown

/** Requests that claim or settle a click, and commits. */
const writes = /\bcommit\b|"v":2/i

const pauseBetween = (min: number, max: number) => pause(min + Math.random() * (max - min))
export const chooseHost = () => (Math.random() < 0.5 ? 0 : 1)

/** Pauses a process for a time in milliseconds. */
export const pauseProcess =
  (min: number, max: number): Fault =>
  async ({ hosts }) => {
    const { child } = hosts[chooseHost()]
    child.kill('SIGSTOP')
    await pauseBetween(min, max)
    child.kill('SIGCONT')
  }

const killProcess: Fault = async ({ shop, hosts }) => {
  const index = chooseHost()
  await hosts[index].kill()
  hosts[index] = await shop.start()
}

/** Loses the connection of a write, before or after the server has run it. */
const loseWrite =
  (when: 'request' | 'response'): Fault =>
  async ({ shop: { backend }, idle }) => {
    const trap = backend.proxy?.trap(writes, when)
    const isCaught = await Promise.race([trap?.caught.then(() => true), idle.then(() => false)])
    trap?.disarm()
    return isCaught
  }

const hold = (start: () => () => void) => async () => {
  const end = start()
  await pauseBetween(500, 4000)
  end()
}

/** Returns the faults that a shop can have, by name. No fault lasts as long as a lease or a window. */
export function faultsOf({ backend: { proxy, restart, block }, platform }: Shop): Readonly<Record<string, Fault>> {
  return {
    'killed process': killProcess,
    'paused process': pauseProcess(500, 7000),
    ...(proxy && {
      'lost connections': () => proxy.cut(),
      'lost write': loseWrite('request'),
      'lost response of a write': loseWrite('response'),
      'frozen connections': hold(proxy.freeze),
    }),
    ...(restart && { 'restarted server': () => restart() }),
    ...(block && { 'blocked storage': hold(block) }),
    'lost call of the platform': () => platform.loseNext(3, 'before'),
    'lost response of the platform': () => platform.loseNext(3, 'after'),
  }
}
