import { collectReport, runChecks, sendTo } from '../../src/index.ts'
import { createReport } from '../../src/report/create-report.ts'
import type { Report } from '../../src/report/report.ts'
import { apiKey, createShop } from '../shop.ts'

/** What a shop might answer to harm the reader of the report. */
const hostile = `<script>alert('x')</script>&amp;"]]>\u001b[31m\u0007\ud800\u0000`

/** The report of a shop whose discounts are hostile text, and whose headers too. */
export async function hostileReport(): Promise<Report> {
  const shop = createShop()
  const send = sendTo(async (request) => {
    if (!request.url.includes('get-discount') || !request.headers.has('X-Integration-API-Key')) return shop(request)
    return new Response(JSON.stringify({ success: true, data: hostile }) + hostile, {
      headers: { 'Content-Type': 'text/html', 'X-Odd': '<b>"&' },
    })
  })
  const only = ['getDiscount', 'answers']
  const { offered, results } = await collectReport(runChecks({ send, apiKey, only }))
  return createReport({
    kit: 'kit <1>',
    baseUrl: 'https://shop.example/"><b>',
    basePath: '/integration',
    startedAt: '2026-11-20T10:00:00.000Z',
    durationMs: 1234,
    mode: 'default',
    only: [],
    strict: false,
    profile: '<i>profile</i>',
    offered,
    results,
    problem: undefined,
  })
}
