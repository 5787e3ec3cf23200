import type { WidgetName } from '@storeport/core'
import type { CheckMode } from '../../src/protocol.ts'

/** What is said beside the emails: calls, endpoints and checks. */
export const wireTexts = {
  wire: {
    title: 'Behind it',
    tabs: { calls: 'Calls', shop: 'The shop', endpoints: 'Endpoints', checks: 'Checks' },
    emptyTitle: 'No calls yet',
    emptyText: 'Open an email and click: every request and its answer appear here.',
    clear: 'Clear',
    count: (count: number) => (count === 1 ? '1 call' : `${count} calls`),
    running: 'running',
    noAnswer: 'no answer',
    milliseconds: (duration: string) => `${duration} ms`,
    request: 'Request',
    response: 'Response',
    headers: (count: number) => (count === 1 ? '1 header' : `${count} headers`),
    noBody: 'No body.',
    curl: 'As a command',
    copyCurl: 'Copy as curl',
    customerReads: 'The customer reads',
    developerReads: 'You read',
    customerNothing: 'An empty place, no error.',
    hostOffline: 'The host of this page did not answer: nobody knows whether the call reached the shop.',
    unreachable: (problem: string) => `The shop did not answer: ${problem}.`,
    refusedByHost: 'The host of this page refused to pass the call on.',
    invalidAnswer: (issue: string) => `The answer is not what the contract says: ${issue}`,
    notAnEnvelope: 'it is not a JSON object with success and error',
    noData: 'data is missing',
  },

  endpoints: {
    intro: 'Switch an endpoint off and see what the caller leaves out. Nothing changes in the shop.',
    shows: 'What the caller shows',
    notOffered: 'The shop does not offer it.',
    switchLabel: (name: string) => `Offer ${name}`,
    yes: 'shown',
    no: 'left out',
    parts: {
      upsells: 'Product cards',
      portal: 'Subscription',
      reactivate: 'Come-back list',
      customAction: 'Custom buttons',
      discounts: 'Discount codes',
    } satisfies Record<WidgetName, string>,
    /** What goes when an endpoint goes. */
    needs: (parts: readonly string[]) => `Needed by: ${parts.join(', ')}.`,
  },

  checks: {
    intro: 'Asks the shop hundreds of questions that a caller could ask, and says which answers break the contract.',
    modeLabel: 'How far',
    modes: {
      'read-only': 'Only look',
      default: 'Look and write',
      stress: 'Everything, bursts too',
    } satisfies Record<CheckMode, string>,
    modeHints: {
      'read-only': 'Changes nothing.',
      default: 'Uses up what the test customers have.',
      stress: 'Uses up what the test customers have, and sends many calls at once.',
    } satisfies Record<CheckMode, string>,
    run: 'Run the checks',
    stop: 'Stop',
    progress: 'Progress of the checks',
    wholeReport: 'Open the whole report',
    report: 'Report of the checks',
    running: (done: number, total: number) => `${done} of ${total}`,
    stopped: 'Stopped.',
    passed: 'passed',
    failed: 'failed',
    warning: 'warned',
    skipped: 'skipped',
    emptyTitle: 'Not checked yet',
    emptyText: 'The report appears here.',
    problem: (message: string) => `NOT CHECKED: ${message}.`,
  },
} as const
