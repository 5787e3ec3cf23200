import { dataFolder, startHostProcess } from '@storeport/testing/start-host-process'
import { onTestFinished } from 'vitest'
import { key } from './open-host.ts'

/** Starts a host process, by default with seed data in memory. Ends the process after the test. */
export async function openProcess(env: Record<string, string> = {}) {
  const STOREPORT_DATA = await dataFolder()
  const settings = { STOREPORT_DATA, STOREPORT_STORE: 'memory', STOREPORT_API_KEYS: key, ...env }
  const host = await startHostProcess(settings)
  onTestFinished(() => void host.child.kill('SIGKILL'))
  return {
    ...host,
    /** Stops the host; returns its exit code and log. */
    stop: async () => {
      host.child.kill('SIGTERM')
      const { stdout, code } = await host.exited
      const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
      return { code, lines: lines.map((line): Record<string, unknown> => JSON.parse(line)), text: lines.join('\n') }
    },
  }
}
