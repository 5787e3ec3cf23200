import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const script = `
  import { setImmediate } from 'node:timers/promises'
  import { createMonitor } from '${pathToFileURL(resolve(import.meta.dirname, '../src/index.ts'))}'
  const monitor = createMonitor({ log: 'info', trustedProxies: 0, isReady: async () => true })
  monitor.log.info('started')
  process.stdin.resume().on('end', async () => {
    for (let count = 0; count < 20; count += 1) {
      monitor.log.info('alive')
      await setImmediate()
    }
    await monitor.close()
  })
`

it('continues after its log reader has closed the pipe', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
  onTestFinished(() => void child.kill('SIGKILL'))
  let errors = ''
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()))
  expect(JSON.parse(String(await once(child.stdout, 'data')))).toMatchObject({ level: 30, msg: 'started' })
  child.stdout.destroy()
  child.stdin.end()
  expect([await once(child, 'exit'), errors]).toEqual([[0, null], ''])
})
