import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@storeport/testing/find-free-port'
import { missingProgram } from '@storeport/testing/missing-program'
import { onTestFinished, vi } from 'vitest'
import { nginxConfiguration } from '../../go-live/nginx-configuration.ts'

const program = '/usr/sbin/nginx'

/** Reason to skip the tests that need nginx, if any. */
export const noNginx = missingProgram(program)

/**
 * Starts Debian's nginx in front of a server, and stops it at the end of the test. Returns the URL of nginx. `lines`
 * are the merchant's directives in `location /`. `before` is inserted before the `server` block.
 */
export async function startNginx(upstream: string, lines: readonly string[], before = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'storeport-nginx-'))
  const port = await findFreePort()
  const file = join(folder, 'nginx.conf')
  const server = `${before} server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      ${lines.join('\n')}
    }
  }`
  await writeFile(file, nginxConfiguration(folder, server))
  const child = spawn(program, ['-c', file, '-p', folder, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  await vi.waitUntil(
    async () => {
      if (child.exitCode !== null) throw new Error(`nginx exited: ${stderr}`)
      return fetch(`${url}/healthz`).then(
        ({ status }) => status !== 502,
        () => false,
      )
    },
    { timeout: 20_000 },
  )
  return url
}
