import type { WidgetName } from '@storeport/core'
import type { CheckMode } from '../../src/protocol.ts'

/** Texts of the inspector: requests, endpoints and checks. */
export const wireTexts = {
  wire: {
    title: 'Inspector',
    tabs: { calls: 'Requests', shop: 'Shop', endpoints: 'Endpoints', checks: 'Checks' },
    emptyTitle: 'No requests yet',
    emptyText: 'Open an email and click. Each request and its response appear here.',
    clear: 'Clear',
    count: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
    running: 'running',
    noAnswer: 'no response',
    milliseconds: (duration: string) => `${duration} ms`,
    request: 'Request',
    response: 'Response',
    headers: (count: number) => (count === 1 ? '1 header' : `${count} headers`),
    noBody: 'No body.',
    curl: 'curl command',
    copyCurl: 'Copy as curl',
    customerReads: 'Customer message',
    developerReads: 'Developer message',
    customerNothing: 'No message. This part of the email is empty.',
    hostOffline: 'The playground server did not respond. It is unknown whether the request reached the shop.',
    unreachable: (problem: string) => `The shop did not respond: ${problem}.`,
    refusedByHost: 'The playground server rejected the request:',
    invalidAnswer: (issue: string) => `The response does not match the contract: ${issue}`,
    notAnEnvelope: 'it is not a JSON object with success and data or error',
    noData: 'data is missing',
  },

  endpoints: {
    intro: 'Turn off an endpoint to see what the email platform hides. The shop does not change.',
    shows: 'Shown by the email platform',
    notOffered: 'The shop does not implement this endpoint.',
    switchLabel: (name: string) => `Offer ${name}`,
    yes: 'shown',
    no: 'hidden',
    parts: {
      upsells: 'Product cards',
      portal: 'Subscription',
      reactivate: 'Reactivation list',
      customAction: 'Custom buttons',
      discounts: 'Discount codes',
    } satisfies Record<WidgetName, string>,
    /** Widgets and buttons that require the endpoint. */
    needs: (parts: readonly string[]) => `Required by: ${parts.join(', ')}.`,
  },

  checks: {
    intro: 'Sends hundreds of requests to the shop and reports each response that violates the contract.',
    modeLabel: 'Mode',
    modes: {
      'read-only': 'Read only',
      default: 'Read and write',
      stress: 'Everything, including bursts',
    } satisfies Record<CheckMode, string>,
    modeHints: {
      'read-only': 'Changes nothing.',
      default: 'Changes the data of the test customers.',
      stress: 'Changes the data of the test customers and sends many concurrent requests.',
    } satisfies Record<CheckMode, string>,
    run: 'Run the checks',
    stop: 'Stop',
    progress: 'Check progress',
    wholeReport: 'Open the full report',
    report: 'Conformance report',
    running: (done: number, total: number) => `${done} of ${total}`,
    stopped: 'Stopped.',
    passed: 'passed',
    failed: 'failed',
    warning: 'warnings',
    skipped: 'skipped',
    emptyTitle: 'Not checked yet',
    emptyText: 'The report appears here.',
    problem: (message: string) => `NOT CHECKED: ${message}.`,
  },
} as const
