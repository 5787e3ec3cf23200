import { compile } from '../measure/compile.ts'
import { hostFolder } from '../measure/host-folder.ts'
import { median } from '../measure/statistics.ts'
import { startPort } from '../measure/subject.ts'
import type { Effort, Section } from '../report/section.ts'
import { apiKey } from '../shop.ts'

/** How soon the host answers again after it was killed. */
export async function restart({ full }: Effort): Promise<Section> {
  const file = await compile('bench/servers/host.ts')
  const folder = await hostFolder()
  const times: number[] = []
  let host = await startPort(file, folder.environment)
  try {
    for (let round = 0; round < (full ? 15 : 5); round++) {
      await read(host.port)
      await host.end()
      const start = performance.now()
      host = await startPort(file, folder.environment)
      await read(host.port)
      times.push(performance.now() - start)
    }
  } finally {
    await host.end()
    await folder.remove()
  }
  const time = `${median(times).toFixed(0)} ms`
  return {
    title: 'Restart after kill -9',
    method: `The host on SQLite is killed and started again: time until it answers a read; median of ${times.length}.`,
    columns: ['from', 'to', 'time'],
    rows: [['start of the process', 'first answer', time]],
    findings: [{ what: 'restart after kill -9', reach: '–', measured: time, verdict: 'reported only' }],
  }
}

async function read(port: number): Promise<void> {
  const response = await fetch(
    `http://127.0.0.1:${port}/integration/customer-portal/subscription?email=another@example.com`,
    { headers: { 'X-Integration-API-Key': apiKey } },
  )
  if (response.status !== 200) throw new Error(`the host answered ${response.status}`)
  await response.text()
}
