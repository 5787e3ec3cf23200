import type { ServerResponse } from 'node:http'
import { type Report, toHtml } from '@storeport/conformance'
import { closedPolicy } from './closed-policy.ts'
import { securityHeaders } from './security-headers.ts'
import { refuse } from './write-answer.ts'

/** The report of the last whole run of the checks, as the kit's own page. */
export interface ReportPage {
  /** Takes the place of the one before; a run that broke off leaves it. */
  keep(report: Report | undefined): void
  /** Answers with it, or that no run was made. */
  write(res: ServerResponse): void
}

/** Keeps the page in memory, until the host ends. */
export function createReportPage(): ReportPage {
  let page: { readonly body: Buffer; readonly policy: string } | undefined
  return {
    keep(report) {
      if (report === undefined) return
      const html = toHtml(report)
      // What a shop sent is escaped, so that the first style is the kit's own.
      const [, style = ''] = /<style>([^<]*)<\/style>/.exec(html) ?? []
      page = { body: Buffer.from(html), policy: closedPolicy(style) }
    },
    write(res) {
      if (page === undefined) return refuse(res, 404, 'file_not_found', 'Run the checks first.')
      const headers = {
        ...securityHeaders,
        'Content-Security-Policy': page.policy,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Length': page.body.length,
        'Cache-Control': 'no-store',
      }
      res.writeHead(200, headers).end(page.body)
    },
  }
}
